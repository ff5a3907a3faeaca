/**
 * The command that started this process, for help and examples.
 *
 * @module
 */

import { basename } from "node:path";

/** What {@linkcode typedCommand} reads; for tests. */
export interface Started {
  /** The entry module. */
  readonly main: string;
  /** The path of a compiled binary. */
  readonly binary?: string | undefined;
}

/**
 * The command as it was typed. Deno's flags are abbreviated: a program cannot read them, and the
 * usage line has them in full.
 */
export function typedCommand({ main, binary }: Started = here()): string {
  if (binary !== undefined) return basename(binary).replace(/\.exe$/, "");
  const [, path] = /\/@refrakt\/mcp\/[^/]+\/(.*)$/.exec(main) ?? [];
  if (path !== undefined) return `deno run … jsr:@refrakt/mcp${/ralph/.test(path) ? "/ralph" : ""}`;
  return `deno run … ${main.startsWith("file:") ? decodeURI(new URL(main).pathname) : main}`;
}

function here(): Started {
  return {
    main: Deno.mainModule,
    binary: Deno.build.standalone ? Deno.execPath() : undefined,
  };
}
