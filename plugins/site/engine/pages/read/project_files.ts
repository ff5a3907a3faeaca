/** How the packages read project files: `ProjectFiles` of `@refrakt-md/types`. */

import { resolve } from "node:path";
import { orElse } from "../../../../../src/errors.ts";
import { withoutMark } from "../../../../../src/io/decode.ts";
import { resolveInside } from "../../../../../src/io/paths.ts";
import { readInside } from "../../../../../src/io/read.ts";
import { noteRead } from "../../../../../src/io/reads.ts";
import type { SiteContext } from "../../upstream/site.ts";

export type ProjectFiles = ReturnType<typeof projectFiles>;

/** How many texts are kept: a build with a plan reads all its files up to three times. */
const MOST_TEXTS = 2000;

/** Paths are relative to the project. Files outside of it, unreadable ones, and Markdown that is too hard to parse count as missing. */
export function projectFiles({ project: { cwd }, upstream, memo }: SiteContext) {
  const textOf = (path: string): string => {
    const text = withoutMark(readInside(cwd, path, "text"));
    if (path.endsWith(".md")) upstream.requireParsable(text);
    return text;
  };
  return {
    /** Returns `null` if the file does not exist. */
    read: (path: string): string | null => {
      const read = () => orElse(() => textOf(path), null);
      return memo([upstream, "text", path], read, { most: MOST_TEXTS });
    },
    list(path: string): string[] {
      noteRead(`${resolve(cwd, path)}/`);
      return orElse(
        // Node sorts the names, which sets the order of entities.
        () =>
          [...Deno.readDirSync(resolveInside(cwd, path, "The folder"))].map((e) => e.name).sort(),
        [],
      );
    },
    exists(path: string): boolean {
      noteRead(resolve(cwd, path));
      return orElse(() => Deno.statSync(resolveInside(cwd, path, "The file")) !== null, false);
    },
  };
}
