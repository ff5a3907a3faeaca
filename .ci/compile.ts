/**
 * Builds standalone binaries into `dist/`: the server with refrakt's packages at the pinned version,
 * and the Ralph workflow alone.
 *
 *     deno task compile        for this machine
 *     deno task compile:all    for every platform; --target <name> for one
 *
 * `--out <dir>` changes the folder.
 */

import { parseArgs } from "node:util";
import { join, resolve } from "node:path";
import { writeStdout } from "../src/io/pipes.ts";
import { DEFAULT_VERSION, MARKDOC_PACKAGE, MARKDOC_VERSION } from "../src/packages/names.ts";
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
 * `docs_extract`, which writes outside the plan, and the builder of the plan's own site.
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
  ...["x86_64", "aarch64"].flatMap((cpu) => [`${cpu}-unknown-linux-gnu`, `${cpu}-apple-darwin`]),
  "x86_64-pc-windows-msvc",
];

if (import.meta.main) {
  const { values } = parseArgs({
    options: { all: { type: "boolean" }, target: { type: "string" }, out: { type: "string" } },
  });
  const temporary = await Deno.makeTempDir({ prefix: "refrakt-mcp-compile-" });
  try {
    const folder = join(temporary, "package");
    await packageInto(folder);
    for (const target of values.all ? TARGETS : [values.target]) {
      for (const program of PROGRAMS) {
        await compile(program, target, resolve(values.out ?? join(ROOT, "dist")), folder);
      }
    }
  } finally {
    await Deno.remove(temporary, { recursive: true });
  }
}

/** Builds one binary into a folder; without a target, for this machine. */
async function compile(
  { name, entry, grants, packages }: typeof PROGRAMS[number],
  target: string | undefined,
  out: string,
  folder: string,
): Promise<void> {
  const isWindows = target?.includes("windows") ?? Deno.build.os === "windows";
  const suffix = `${target === undefined ? "" : `-${target}`}${isWindows ? ".exe" : ""}`;
  const lock = `${folder}.lock`;
  await Deno.writeTextFile(lock, withoutUnused(await Deno.readTextFile(join(ROOT, "deno.lock"))));
  // What it embeds.
  writeStdout(
    await runDeno(folder, [
      ...["compile", "--no-check", `--lock=${lock}`, "--frozen", "--exclude-unused-npm"],
      ...["--no-prompt", ...grants],
      ...packages.map((specifier) => `--include=${specifier}`),
      ...(target === undefined ? [] : [`--target=${target}`]),
      `--output=${join(out, name + suffix)}`,
      `${BUNDLE}/${entry}`,
    ]),
  );
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
