/**
 * The arguments and environment for git: they disable every repository setting that starts a
 * program, reads other users' files or uses the network.
 */

import { dirname, join, resolve } from "node:path";
import { exists, namedPath, realPathOf } from "./paths.ts";
import { mayRead, readVariable } from "./permissions.ts";
import { OpenFile } from "./read.ts";

const CONFIG: readonly string[] = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.pager=cat",
  "core.editor=false",
  "core.sshCommand=false",
  "core.askPass=",
  "core.alternateRefsCommand=false",
  "core.attributesFile=/dev/null",
  "core.bigFileThreshold=16m",
  "core.deltaBaseCacheLimit=64m",
  "core.packedGitLimit=128m",
  "core.packedGitWindowSize=16m",
  "core.quotePath=false",
  "core.untrackedCache=false",
  "credential.helper=",
  "diff.external=",
  "diff.ignoreSubmodules=all",
  "diff.orderFile=/dev/null",
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

/** The whole environment of git. */
const ENVIRONMENT: Readonly<Record<string, string>> = {
  // The most memory for one object, or for one part of it.
  GIT_ALLOC_LIMIT: "128m",
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
  // Settings such as core.excludesFile = ~/x need a home folder; this one is empty.
  HOME: "/nonexistent",
  LC_ALL: "C",
};

/** Disables the programs that `log` may run for diffs and signatures. */
const LOG_OPTIONS: readonly string[] = ["--no-ext-diff", "--no-textconv", "--no-show-signature"];

/** Keeps a sparse index as it is: git would read each of its folders, whatever it holds. */
const SPARSE: readonly string[] = [
  "core.sparseCheckout=true",
  "core.sparseCheckoutCone=true",
  "index.sparse=true",
];
/** The mark near the end of a sparse index, which lists folders in place of their files. */
const [SPARSE_MARK, MARK_BYTES] = ["sdir\0\0\0\0", 200];

/** Returns the arguments and environment for a git subcommand. */
export function gitSettings(
  [subcommand = "", ...args]: readonly string[],
  cwd: string,
): Required<Pick<Deno.CommandOptions, "args" | "clearEnv" | "env">> {
  const { folders, repository } = foldersFrom(cwd);
  const isList = subcommand === "ls-files";
  const isSparse = isList && hasSparseIndex(repository);
  // In a container, the repository may belong to another user. Trust the project's own repository
  // and readable parents; git's ownership check still applies elsewhere.
  const settings = [...CONFIG, ...folders.map((folder) => `safe.directory=${folder}`)];
  if (isSparse) settings.push(...SPARSE);
  const options = subcommand === "log" ? LOG_OPTIONS : isSparse ? ["--sparse"] : [];
  const env = { ...ENVIRONMENT };
  // Windows programs need SystemRoot; without permission to read it, its default is used.
  if (Deno.build.os === "windows") env["SystemRoot"] = readVariable("SystemRoot") ?? "C:\\Windows";
  // Some commands read the index and everything below its folders, although they do not need it.
  if (!isList) env["GIT_INDEX_FILE"] = "/nonexistent/index";
  if (repository !== undefined) {
    // A repository's core.worktree must not redirect git, and git must neither look for a
    // repository above nor take this folder itself for one.
    env["GIT_WORK_TREE"] = repository;
    env["GIT_DIR"] = join(repository, ".git");
  }
  const flags = settings.flatMap((setting) => ["-c", setting]);
  return { args: ["--no-pager", ...flags, subcommand, ...options, ...args], clearEnv: true, env };
}

/** Returns the folder that contains the repository's `.git`, if it is readable. */
export function repositoryOf(cwd: string): string | undefined {
  return foldersFrom(cwd).repository;
}

/** Returns the readable folders from `cwd` up to the repository. */
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

function hasSparseIndex(repository: string | undefined): boolean {
  if (repository === undefined) return false;
  try {
    using index = openInGit(join(gitFolders(repository)[0]!, "index"));
    return new TextDecoder("latin1").decode(index.readEnd(MARK_BYTES)).includes(SPARSE_MARK);
  } catch {
    // There is none, or git reads it where the server may not.
    return false;
  }
}

/** The largest file of git that is read, in bytes. */
const MOST_SETTINGS_BYTES = 4 * 1024 * 1024;
const USUAL_BYTES = 4096;

/** The folder of the repository, and of a worktree of it. */
export function gitFolders(root: string): string[] {
  const entry = join(root, ".git");
  const [, target] = /^gitdir: ([^]*?)[\r\n]*$/.exec(textIn(entry) ?? "") ?? [];
  const folder = target === undefined ? entry : namedPath(resolve(root, target));
  const common = textIn(join(folder, "commondir"))?.replace(/[\r\n]+$/, "");
  return common === undefined ? [folder] : [folder, namedPath(resolve(folder, common))];
}

/** Reads a file of git; returns `undefined` if it is missing, too large, or may not be read. */
export function textIn(path: string): string | undefined {
  try {
    using file = openInGit(path);
    const bytes = file.read(USUAL_BYTES, MOST_SETTINGS_BYTES);
    return bytes === null ? undefined : new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

/** Opens a file of git, which may be a link. */
function openInGit(path: string): OpenFile {
  return new OpenFile(realPathOf(path));
}
