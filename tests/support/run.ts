/** One-shot runs of the program, as by a person or a CI job. */

import { dirname, join } from "node:path";
import { type Run, runProcess } from "./process.ts";
import { programOf, README_PERMISSIONS, ROOT } from "./server.ts";
import { makeProject, readTree, writeFiles } from "./project.ts";
import { temporaryFile } from "./temporary.ts";

/** Permissions of a read-only job. */
export const READ_ONLY: readonly string[] = ["--no-prompt", "--allow-read=."];

/** The documented permissions, in a process that poses as a compiled binary. */
export const AS_BINARY: readonly string[] = [
  `--preload=${ROOT}tests/support/as_binary.ts`,
  ...README_PERMISSIONS,
];

/** Flags that change the process for good. */
const FOR_GOOD = /^--(?:cwd|http|no-cache|read-only|trust|preload)\b/;

/**
 * Runs the program in a directory until it exits; `grants` replace the documented permissions.
 * Commands with the same permissions in the same directory share a process: most of the time goes
 * into its start.
 */
export async function refrakt(
  cwd: string,
  args: readonly string[],
  { grants = README_PERMISSIONS, input }: { grants?: readonly string[]; input?: string } = {},
): Promise<Run> {
  const isShared = input === undefined && args.length > 0 && args[0] !== "view" &&
    ![...args, ...grants].some((flag) => FOR_GOOD.test(flag));
  if (isShared) return await (commandsOf(cwd, grants)).run(args);
  return await runProcess(
    Deno.execPath(),
    ["run", ...grants, programOf(), ...args],
    cwd,
    input,
  );
}

/** Processes that wait for a command, the last used one last. */
const waiting = new Map<string, Commands>();
const MOST_WAITING = 3;

interface Commands {
  run(args: readonly string[]): Promise<Run>;
  stop(): void;
}

function commandsOf(cwd: string, grants: readonly string[]): Commands {
  if (waiting.size === 0) {
    globalThis.addEventListener("unload", () => waiting.forEach((one) => one.stop()));
  }
  const key = [cwd, ...grants].join("\n");
  const commands = waiting.get(key) ?? startCommands(cwd, grants);
  waiting.delete(key);
  waiting.set(key, commands);
  for (const [oldest, one] of waiting) {
    if (waiting.size <= MOST_WAITING) break;
    waiting.delete(oldest);
    one.stop();
  }
  return commands;
}

function startCommands(cwd: string, grants: readonly string[]): Commands {
  const config = programOf().startsWith(ROOT) ? [`--config=${ROOT}deno.json`] : [];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...config, ...grants, entry()],
    cwd,
    env: { NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const [writer, reader] = [
    child.stdin.getWriter(),
    child.stdout.pipeThrough(new TextDecoderStream()).getReader(),
  ];
  const said = new Response(child.stderr).text();
  const ask = async (args: readonly string[]): Promise<Run> => {
    await writer.write(new TextEncoder().encode(`${JSON.stringify(args)}\n`));
    let line = "";
    while (!line.endsWith("\n")) {
      const { value } = await reader.read();
      if (value === undefined) throw new Error(`${args.join(" ")}: ${line}${await said}`);
      line += value;
    }
    return JSON.parse(line);
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: (args) => {
      const result = last.then(() => ask(args));
      last = result.catch(() => {});
      return result;
    },
    stop: () => void last.then(() => child.kill()),
  };
}

/** The module that runs commands of the tested program. */
let entryPath: string | undefined;

function entry(): string {
  if (entryPath !== undefined) return entryPath;
  const program = dirname(programOf());
  const main = program === dirname(`${ROOT}mod.ts`) ? join(program, "src/cli/main.ts") : join(
    program,
    Array.from(Deno.readDirSync(program), ({ name }) => name)
      .find((name) => /^main-\w+\.js$/.test(name))!,
  );
  return entryPath = temporaryFile(
    // As the program's module, whose name the help shows.
    "mod.ts",
    `import { serve } from "${ROOT}tests/support/commands.ts";
import { main } from "${main}";
await serve(main);
`,
  );
}

const examples = new Map<string, string>();

/** The same copy of an example for all tests that only read it: their commands share a process. */
export function example(name: string): string {
  return examples.getOrInsertComputed(name, copyExample);
}

/** A temporary copy of one of the examples. */
export function copyExample(name: string): string {
  const copy = makeProject();
  writeFiles(copy, readTree(join(ROOT, "examples", name)));
  return copy;
}
