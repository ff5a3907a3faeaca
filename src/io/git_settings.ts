/**
 * With what git is run: nothing of the repository's own configuration that would start a
 * program, read the files of others or reach the network.
 *
 * @module
 */

import { dirname, join, resolve } from "node:path";
import { RefraktError } from "../errors.ts";
import { isInside } from "./paths.ts";
import { mayRead } from "./permissions.ts";

/** Variables of a process. */
export type Environment = Readonly<Record<string, string>>;

const CONFIG: readonly string[] = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.pager=cat",
  "core.editor=false",
  "core.sshCommand=false",
  "core.askPass=",
  "core.alternateRefsCommand=false",
  "core.attributesFile=/dev/null",
  "core.quotePath=false",
  "core.untrackedCache=false",
  "credential.helper=",
  "diff.external=",
  "diff.ignoreSubmodules=all",
  "diff.relative=false",
  "diff.submodule=short",
  "gc.auto=0",
  "maintenance.auto=false",
  "gpg.format=openpgp",
  "gpg.openpgp.program=false",
  "gpg.program=false",
  "gpg.ssh.program=false",
  "gpg.x509.program=false",
  "i18n.logOutputEncoding=UTF-8",
  "log.diffMerges=separate",
  "log.follow=false",
  "log.mailmap=false",
  "log.showRoot=true",
  "log.showSignature=false",
  "mailmap.blob=",
  "mailmap.file=/dev/null",
  "protocol.allow=never",
  "submodule.recurse=false",
  "safe.bareRepository=explicit",
];

/** Its environment, and no other variable. */
export const ENVIRONMENT: Environment = {
  GIT_ALLOW_PROTOCOL: "none",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_LITERAL_PATHSPECS: "1",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  // Settings such as core.excludesFile = ~/x need a home; this one has no files.
  HOME: "/nonexistent",
  LC_ALL: "C",
};

/** Sub-commands that look at the content of the working tree, through its filters. */
const FILTERING = new Set(["mv", "ls-files"]);

/** The arguments of git's for a sub-command with its own. */
export function gitArguments(args: readonly string[], cwd: string): string[] {
  const settings = [...CONFIG, ...safeDirectories(cwd)];
  return ["--no-pager", ...settings.flatMap((setting) => ["-c", setting]), ...args];
}

/** The arguments with those that keep git from showing by the help of programs. */
export function withDisplay(args: readonly string[]): string[] {
  const [subcommand = "", ...rest] = args;
  return subcommand === "log" || subcommand === "show"
    ? [subcommand, "--no-ext-diff", "--no-textconv", "--no-show-signature", ...rest]
    : [...args];
}

/**
 * How the environment is given to a process.
 *
 * @param cwd Where git runs: the repository's settings do not say where its files lie.
 */
export function cleared(
  env: Environment,
  cwd: string,
): { clearEnv: boolean; env: Record<string, string> } {
  const repository = repositoryOf(cwd);
  return {
    // Windows programs do not start without SystemRoot, which cannot be read and passed on here.
    clearEnv: Deno.build.os !== "windows",
    env: { ...env, ...(repository === undefined ? {} : { GIT_WORK_TREE: repository }) },
  };
}

/** Whether a sub-command looks at the working tree, and sends files through its filters. */
export function isFiltering([subcommand = ""]: readonly string[]): boolean {
  return FILTERING.has(subcommand);
}

/** Asks git where the working tree is; see {@linkcode requireAround}. */
export const SHOW_TREE: readonly string[] = ["rev-parse", "--show-toplevel"];

/** Whether git has to be asked, because the folder of the repository may not be read. */
export function isTreeUnknown(cwd: string): boolean {
  return repositoryOf(cwd) === undefined;
}

/**
 * Makes sure that the working tree lies around the directory: settings of the repository may
 * say that it is anywhere, and git would list and move the files there.
 *
 * @param printed What git answered.
 * @throws {RefraktError} `PERMISSION_DENIED`
 */
export function requireAround(cwd: string, printed: Uint8Array): void {
  const tree = new TextDecoder().decode(printed).replace(/\r?\n$/, "");
  if (tree === "" || isInside(resolve(tree), cwd)) return;
  throw new RefraktError("PERMISSION_DENIED", "The repository's files lie elsewhere", {
    hint: "Its core.worktree names another folder: git config --unset core.worktree",
  });
}

/** Asks git for the filters of the repository; see {@linkcode withoutFilters}. */
export const LIST_FILTERS: readonly string[] = [
  "config",
  "--null",
  "--name-only",
  "--get-regexp",
  "^filter\\.",
];

/** The environment with every filter turned off. @param listed What git answered. */
export function withoutFilters(listed: Uint8Array): Environment {
  const names = new TextDecoder().decode(listed).split("\0").filter((name) => name !== "");
  const drivers = new Set(names.map((name) => name.slice(0, name.lastIndexOf("."))));
  const settings = [...drivers].flatMap((driver) => [
    [`${driver}.clean`, ""],
    [`${driver}.smudge`, ""],
    [`${driver}.process`, ""],
    [`${driver}.required`, "false"],
  ]);
  const environment: Record<string, string> = { ...ENVIRONMENT };
  environment["GIT_CONFIG_COUNT"] = String(settings.length);
  for (const [index, [key, value]] of settings.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key!;
    environment[`GIT_CONFIG_VALUE_${index}`] = value!;
  }
  return environment;
}

/**
 * The repository may belong to another user, as in a container, if it is this
 * project's or around it where the user lets it be read. Others keep git's own guard.
 */
function safeDirectories(cwd: string): string[] {
  return foldersFrom(cwd).folders.map((folder) => `safe.directory=${folder}`);
}

function repositoryOf(cwd: string): string | undefined {
  return foldersFrom(cwd).repository;
}

/** The folders from one up to that of its repository, as far as they may be read. */
function foldersFrom(cwd: string): { folders: string[]; repository: string | undefined } {
  const folders: string[] = [];
  for (let folder = cwd;; folder = dirname(folder)) {
    if (!mayRead(folder)) break;
    folders.push(folder);
    if (exists(join(folder, ".git"))) return { folders, repository: folder };
    if (dirname(folder) === folder) break;
  }
  return { folders, repository: undefined };
}

function exists(path: string): boolean {
  try {
    return Deno.lstatSync(path) !== null;
  } catch {
    return false;
  }
}
