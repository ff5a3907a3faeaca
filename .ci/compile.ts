/**
 * Builds standalone binaries into `dist/`: the server with refrakt's packages at the pinned version,
 * and the Ralph workflow alone.
 *
 *     deno task compile        for this machine
 *     deno task compile:all    for every platform; --target <name> for one
 *
 * `--out <dir>` changes the folder. `SHA256SUMS` is written beside the binaries.
 */

import { parseArgs } from "node:util";
import { basename, join, resolve } from "node:path";
import { messageOf } from "../src/errors.ts";
import { writeStderr, writeStdout } from "../src/io/pipes.ts";
import { DEFAULT_VERSION, MARKDOC_PACKAGE, MARKDOC_VERSION } from "../src/npm/names.ts";
import { BUNDLE, packageInto } from "./build.ts";
import { ROOT, runDeno } from "./run_deno.ts";

/** The packages behind the tools: a binary downloads none. */
export const EMBEDDED: readonly string[] = [
  ...["docs", "docs/cli-plugin", "lumina/layouts", "lumina/transform", "marketing", "plan"],
  ...["plan/cli-plugin", "plan/scanner", "plan/diff", "runes", "transform"],
].map((path) => `npm:@refrakt-md/${path.replace(/^\w+/, (name) => `${name}@${DEFAULT_VERSION}`)}`)
  .concat(`npm:${MARKDOC_PACKAGE}@${MARKDOC_VERSION}`);

/**
 * Dependencies, four fifths of the files, which no tool of a binary uses: the parsers of
 * `docs.extract`, which writes outside the plan, and the builder of the plan's own site.
 */
const LEFT_OUT = /^(?:tree-sitter-wasms|web-tree-sitter|typescript|@esbuild\/.*)$/;

/** The binaries, with the permissions of their documented commands. */
const PROGRAMS = [
  {
    name: "refrakt-mcp",
    entry: "mod.js",
    grants: ["--allow-read=.", "--allow-write=plan", "--allow-run=git"],
    packages: EMBEDDED,
  },
  {
    name: "refrakt-ralph",
    entry: "plugins/ralph/mod.js",
    grants: ["--allow-read=.", "--allow-write=specs,.gitignore"],
    packages: [],
  },
] as const;

const TARGETS = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
];

if (import.meta.main) Deno.exit(await main(Deno.args));

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { all: { type: "boolean" }, target: { type: "string" }, out: { type: "string" } },
  });
  const out = values.out ?? join(ROOT, "dist");
  await Deno.mkdir(out, { recursive: true });
  const built: string[] = [];
  const temporary = await Deno.makeTempDir({ prefix: "refrakt-mcp-compile-" });
  try {
    const folder = join(temporary, "package");
    await packageInto(folder);
    for (const target of values.all ? TARGETS : [values.target]) {
      for (const program of PROGRAMS) {
        const output = outputFor(join(out, program.name), target);
        await compile(program, target, output, folder);
        built.push(output);
        writeStdout(`Built ${output}\n`);
      }
    }
  } catch (error) {
    writeStderr(`Error: ${messageOf(error)}\n`);
    return 1;
  } finally {
    await Deno.remove(temporary, { recursive: true });
  }
  const sums = await Promise.all(built.map(checksumLine));
  await Deno.writeTextFile(join(out, "SHA256SUMS"), sums.join(""));
  return 0;
}

/** The path of a binary; without a target, for this machine. */
function outputFor(path: string, target: string | undefined): string {
  const isWindows = target?.includes("windows") ?? Deno.build.os === "windows";
  return `${path}${target === undefined ? "" : `-${target}`}${isWindows ? ".exe" : ""}`;
}

/** Builds one binary. */
async function compile(
  { entry, grants, packages }: typeof PROGRAMS[number],
  target: string | undefined,
  output: string,
  folder: string,
): Promise<void> {
  const lock = `${folder}.lock`;
  await Deno.writeTextFile(lock, withoutUnused(await Deno.readTextFile(join(ROOT, "deno.lock"))));
  const report = await runDeno(folder, [
    ...["compile", "--no-check", `--lock=${lock}`, "--exclude-unused-npm"],
    ...["--no-prompt", ...grants],
    ...packages.map((specifier) => `--include=${specifier}`),
    ...(target === undefined ? [] : [`--target=${target}`]),
    `--output=${resolve(output)}`,
    `${BUNDLE}/${entry}`,
  ]);
  // What it embeds.
  await Deno.stderr.write(new TextEncoder().encode(report));
}

/** The lock file, whose versions a binary has, without {@linkcode LEFT_OUT}. */
function withoutUnused(text: string): string {
  return JSON.stringify(
    JSON.parse(
      text,
      (_key, value) => Array.isArray(value) ? value.filter((name) => !LEFT_OUT.test(name)) : value,
    ),
  );
}

/** A line as `sha256sum --check` reads it. */
async function checksumLine(path: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(path));
  return `${new Uint8Array(digest).toHex()}  ${basename(path)}\n`;
}
