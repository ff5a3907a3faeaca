/** Which tests belong to which files, and which of them share a process. */

import { basename, dirname, join, normalize } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./server.ts";

const MOST_FILES = 24;
/** What takes longest comes first, in this order; what stands in a line shares a process. */
const LONGEST = [
  ["plugins/board/plan_board", "cli/commands/view"],
  ["plugins/board/now", "plugins/board/host", "plugins/board/preview"],
  ["host/late_plugins", "e2e/kinds"],
  ["docs/readme", "mcp/http_conformance", "mcp/http_server"],
  ["plugins/plan/git/trees", "plugins/plan/reader", "plugins/site/real_site"],
  ["plugins/plan/model/"],
  ["plugins/plan/remote/"],
  ["e2e/kept", "e2e/smoke", "e2e/hostile_files", "plugins/query/hostile"],
  ["io/git_test", "plugins/plan/tools/slow_git"],
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
 * that it declares. Without any, those of the folder with its name. Of a page, an example, data or a
 * workflow those that name it, and those of the pages. The layers are always tested.
 */
export function testsOf(files: readonly string[]): string[] {
  const [modules, tests] = [modulesIn("tests"), testFiles("tests")];
  const texts = new Map(modules.map((path) => [path, read(path)]));
  const imports = new Map(modules.map((path) => [path, importsOf(path, texts.get(path)!)]));
  const chosen = new Set<string>();
  for (const file of files) {
    if (!/\.tsx?$/.test(file)) {
      for (const path of tests.filter((path) => isAbout(path, texts.get(path)!, file))) {
        chosen.add(path);
      }
      continue;
    }
    const named = `tests/${file.replace(/^src\//, "").replace(/\.tsx?$/, "_test.ts")}`;
    const own = file.startsWith("tests/") ? file : named;
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

/** Whether a test is about a file that is no module. */
function isAbout(path: string, text: string, file: string): boolean {
  if (text.includes(basename(file))) return true;
  const [, example] = /^examples\/([^/]+)\//.exec(file) ?? [];
  const uses = new RegExp(`xample\\("${RegExp.escape(example ?? "")}"`);
  if (example !== undefined && uses.test(text)) return true;
  const isShown = /\.md$|^(?:docs|examples|tests\/snapshots)\//.test(file);
  return isShown && path.startsWith("tests/docs/");
}

/** The arguments of `deno test` for a number of test files. */
export interface TestRun {
  readonly args: readonly string[];
  readonly files: number;
}

/** The runs of test files, each a module that imports some of them; the longest first. */
export function runsOf(files: readonly string[], made: string): TestRun[] {
  const isIn = (starts: readonly string[]) => (file: string) =>
    starts.some((start) => file.startsWith(`tests/${start}`));
  const runs = LONGEST.map((starts) => files.filter(isIn(starts)));
  const rest = files.filter((file) => !runs.flat().includes(file)).toSorted();
  const isAlone = (file: string) => SHARED.test(Deno.readTextFileSync(join(ROOT, file)));
  for (const file of rest.filter(isAlone)) runs.push([file]);
  const others = rest.filter((file) => !isAlone(file));
  const most = Math.min(MOST_FILES, Math.max(4, Math.ceil(files.length / 4)));
  while (others.length > 0) runs.push(others.splice(0, most));
  return runs.filter((files) => files.length > 0).map((files) => {
    const name = files[0]!.replaceAll("/", "_");
    // First, before a test forbids to import what lies in no package: it imports deno.json.
    const lines = ["src/version.ts", ...files]
      .map((file) => `import "${pathToFileURL(join(ROOT, file))}";\n`);
    Deno.writeTextFileSync(join(made, name), lines.join(""));
    const args = ["--config", join(ROOT, "deno.json"), join(made, name)];
    return { args, files: files.length };
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
