/** Which tests belong to which files, and which of them share a process. */

import { dirname, join, normalize } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./server.ts";

/** The most files whose tests share a process: each process loads the server anew. */
const MOST_FILES = 16;
/** Files that take longest: they come first, in this order, in a process of their own. */
const LONGEST = [
  ...["workspace/late_plugins", "plugins/board/plan_board_test", "e2e/kinds", "e2e/kept"],
  ...["plugins/board/now", "cli/commands/view", "e2e/hostile_files", "io/git_test"],
  ...["plugins/plan/git/trees", "e2e/smoke", "plugins/plan/reader", "site/real_site"],
  ...["docs/readme", "mcp/http_server", "plugins/plan/remote/", "mcp/http_conformance"],
  ...["plugins/plan/model/", "plugins/board/preview", "cli/commands/setup", "query/hostile"],
];
/** What a file does to all tests of its process. */
const SHARED = /Deno\.(?:chdir|env\.set|test\.(?:before|after))|setFlagsFromString/;

/** The test files in and below a folder of the checkout. */
export function testFiles(folder: string): string[] {
  return modulesIn(folder).filter((path) => path.endsWith("_test.ts"));
}

/** The files that differ from the last commit, new ones included; if none does, those of it. */
export function changedFiles(): string[] {
  const git = (...args: string[]) => {
    const { stdout } = new Deno.Command("git", { args, cwd: ROOT }).outputSync();
    return new TextDecoder().decode(stdout).split("\0").filter((path) => path !== "");
  };
  const names = ["diff", "--name-only", "-z", "--relative"];
  const changed = [
    ...git(...names, "HEAD"),
    ...git("ls-files", "-z", "--others", "--exclude-standard"),
  ];
  return changed.length > 0 ? changed : git(...names, "HEAD~1");
}

/**
 * The tests of files: those that import one, have its path, or a title with the name of a tool
 * that it declares. Without any, those of the folder with its name. The layers are always tested.
 */
export function testsOf(files: readonly string[]): string[] {
  const [modules, tests] = [modulesIn("tests"), testFiles("tests")];
  const texts = new Map(modules.map((path) => [path, read(path)]));
  const imports = new Map(modules.map((path) => [path, importsOf(path, texts.get(path)!)]));
  const chosen = new Set<string>();
  for (const file of files.filter((path) => /\.tsx?$/.test(path))) {
    const own = file.startsWith("tests/") ? file : `tests/${file.replace(/\.tsx?$/, "_test.ts")}`;
    const tools = [...read(file).matchAll(/^ *name: "([a-z]+[._][\w.-]+)",$/gm)].map(([, name]) =>
      RegExp.escape(name!)
    );
    const title = new RegExp(
      `^(?:Deno\\.test|testUnless)\\([^"]{0,60}"[^"]*\\b(?:${tools.join("|") || "(?!)"})(?![\\w-])`,
      "m",
    );
    const using = new Set([file, own]);
    for (const each of using) {
      for (const [path, imported] of imports) if (imported.has(each)) using.add(path);
    }
    const found = tests.filter((path) => {
      const text = texts.get(path)!;
      return using.has(path) || text.includes(file) || title.test(text);
    });
    let folder = dirname(own);
    while (found.length === 0 && folder !== "tests" && folder !== ".") {
      found.push(...tests.filter((path) => path.startsWith(`${folder}/`)));
      folder = dirname(folder);
    }
    for (const path of found) chosen.add(path);
  }
  return chosen.size === 0 ? [] : [...chosen.add("tests/architecture_test.ts")];
}

/** The path of each run, a module that imports test files; the longest first. */
export function runsOf(files: readonly string[], made: string): string[][] {
  const rank = (file: string) => {
    const found = LONGEST.findIndex((start) => file.startsWith(`tests/${start}`));
    return found === -1 ? LONGEST.length : found;
  };
  const most = Math.min(MOST_FILES, Math.max(4, Math.ceil(files.length / 4)));
  const runs: string[][] = [];
  let shared: string[] = [];
  for (const file of files.toSorted().sort((a, b) => rank(a) - rank(b))) {
    const isAlone = rank(file) < LONGEST.length ||
      SHARED.test(Deno.readTextFileSync(join(ROOT, file)));
    if (isAlone) runs.push([file]);
    else if (shared.push(file) === 1) runs.push(shared);
    if (shared.length === most) shared = [];
  }
  return runs.map((files) => {
    const name = files[0]!.replaceAll("/", "_");
    // First, before a test forbids to import what lies in no package: it imports deno.json.
    const lines = ["src/version.ts", ...files]
      .map((file) => `import "${pathToFileURL(join(ROOT, file))}";\n`);
    Deno.writeTextFileSync(join(made, name), lines.join(""));
    return ["--config", join(ROOT, "deno.json"), join(made, name)];
  });
}

function modulesIn(folder: string): string[] {
  return [...Deno.readDirSync(join(ROOT, folder))].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return modulesIn(`${folder}/${name}`);
    return /\.tsx?$/.test(name) ? [`${folder}/${name}`] : [];
  });
}

/** The files of this package whose values a module imports. */
function importsOf(path: string, text: string): Set<string> {
  const found = text.matchAll(/^(?:import(?! type)|\}) [^"]*"(\.[^"]*)"|import\("(\.[^"]*)"\)/gm);
  return new Set(
    Array.from(found, ([, from, later]) => normalize(join(dirname(path), from ?? later!))),
  );
}

function read(path: string): string {
  try {
    return Deno.readTextFileSync(join(ROOT, path));
  } catch {
    return "";
  }
}
