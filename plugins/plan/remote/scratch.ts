/**
 * Runs git against a remote: in a scratch repository outside the project, so that nothing of the
 * project's repository applies, and with the user's own settings, keys and credential helpers. Git
 * itself finds and makes its folder, so Deno needs no permission for it.
 */

import { RefraktError } from "../../../src/errors.ts";
import { type GitResult, QUICK_MS, runGit } from "../../../src/io/git.ts";
import { askGit, type GitPlace } from "../../../src/io/git_ask.ts";
import { emptyTree } from "../../../src/io/git_trees.ts";
import { nodeModule } from "../../../src/io/lazily.ts";
import type { RemoteChoice } from "../../../src/plugin/project.ts";
import { type RemoteAddress, resolveRemote } from "./address.ts";

/** Timeout for one request to a remote, in milliseconds. */
const REMOTE_MS = 10_000;

/** The maximum output of one command, in bytes: 5,000 refs take 0.4 MB. */
const MAX_OUTPUT = 8 * 1024 * 1024;

/** No setting of the user may run a hook, sign, or push more than the given refs. */
const CONFIG: readonly string[] = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.pager=cat",
  "gc.auto=0",
  "maintenance.auto=false",
  "fetch.writeCommitGraph=false",
  "http.followRedirects=false",
  // Git's helper for HTTP outlives git, also a killed one: it ends itself when an answer stalls.
  "http.lowSpeedLimit=100",
  "http.lowSpeedTime=4",
  "push.followTags=false",
  "push.pushOption=",
  "push.recurseSubmodules=no",
  "submodule.recurse=false",
];

/** Variables that would lead git away from the scratch repository; empty means unset. */
const ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  GIT_NAMESPACE: "",
  GIT_CONFIG_COUNT: "0",
  GIT_CONFIG_PARAMETERS: "",
  GIT_ALTERNATE_OBJECT_DIRECTORIES: "",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_AUTHOR_NAME: "refrakt-mcp",
  GIT_AUTHOR_EMAIL: "refrakt-mcp@localhost",
  GIT_COMMITTER_NAME: "refrakt-mcp",
  GIT_COMMITTER_EMAIL: "refrakt-mcp@localhost",
  LC_ALL: "C",
  // An answer without end also ends that helper, which keeps it in memory.
  GIT_ALLOC_LIMIT: "256m",
};

/** No repository: without it, git would look for one from the working directory up. */
const NOWHERE = "/nonexistent";

interface ScratchGitOptions {
  /** The scratch repository; without one, git is asked about the user's settings only. */
  readonly path?: string | undefined;
  /** Where git starts; it must exist. By default the repository. */
  readonly cwd?: string;
  /** The protocols that git may use, such as `https:ssh`; none by default. */
  readonly protocols?: string;
  readonly signal: AbortSignal;
}

/** Runs git; throws like {@linkcode runGit}. */
export function runScratchGit(
  args: readonly string[],
  { path = NOWHERE, cwd = path, protocols = "none", signal }: ScratchGitOptions,
  input?: string,
): Promise<GitResult> {
  const env: Record<string, string> = {
    ...ENVIRONMENT,
    GIT_ALLOW_PROTOCOL: protocols,
    GIT_OBJECT_DIRECTORY: `${path}/objects`,
  };
  // A repository that is made gets both from its path.
  const directory = args[0] === "init" ? NOWHERE : path;
  if (args[0] !== "init") env["GIT_COMMON_DIR"] = path;
  // An object that is no record ends git before it is received. Pushes find it on the remote.
  if (args[0] === "fetch") env["GIT_ALLOC_LIMIT"] = "16m";
  const settings = CONFIG.flatMap((setting) => ["-c", setting]);
  const launch = ["--no-pager", `--git-dir=${directory}`, ...settings, ...args];
  return runGit(args, {
    cwd,
    signal,
    input,
    limit: MAX_OUTPUT,
    timeoutMs: REMOTE_MS,
    launch: { args: launch, clearEnv: false, env },
  });
}

/** What git prints without a remote; empty if it fails. */
export async function askScratch(...question: Parameters<typeof runScratchGit>): Promise<string> {
  return printedBy(await runScratchGit(...question)).trim();
}

/** The text that git printed. */
export function printedBy({ stdout }: GitResult): string {
  return new TextDecoder().decode(stdout);
}

/** The user's name in git's settings: of the repository, else of the user; empty without one. */
export async function gitUser(place: GitPlace): Promise<string> {
  const name = await askGit(["config", "user.name"], place).catch(() => "");
  if (name.trim() !== "") return name.trim();
  const signal = place.signal ?? AbortSignal.timeout(QUICK_MS);
  return await askScratch(["config", "user.name"], { cwd: place.cwd, signal }).catch(() => "");
}

/** A ref's value. */
export interface Tip {
  /** The full name of the ref. */
  readonly ref: string;
  /** The commit. */
  readonly hash: string;
  /** The JSON object of its message; empty if it is no record of ours. */
  readonly record: Readonly<Record<string, unknown>>;
}

/** The scratch repository that pushes to a remote, for one call: it has our commits only. */
export interface Scratch {
  readonly remote: RemoteAddress;
  readonly signal: AbortSignal;
  /** Its absolute path. */
  readonly path: string;
  /** The random id of this clone, made with the repository. */
  readonly clone: string;
  /** Commits of the remote that are too large for git. */
  readonly tooLarge: Set<string>;
  /** The last list of claims, and when it was read. */
  readonly last: { at: number; tips: ReadonlyMap<string, Tip> };
}

/** Holds the commit whose hash is the clone's id; creating a ref is atomic in git. */
const CLONE_REF = "refs/clone";
const NO_COMMIT = "0".repeat(40);

/** Writes a commit with a message, and returns its hash; empty if that fails. */
export function commitMessage(
  message: string,
  parents: readonly string[],
  options: ScratchGitOptions,
): Promise<string> {
  const args = parents.flatMap((parent) => ["-p", parent]);
  return askScratch(["commit-tree", emptyTree(NO_COMMIT), ...args, "-F", "-"], options, message);
}

/**
 * Opens the scratch repository of a project and a remote, and makes it at the first call.
 *
 * @param root The project's real path.
 * @throws {RefraktError} `INVALID_ARGS` for an unknown remote, `REMOTE_UNREACHABLE` where there is no
 * writable cache folder.
 */
export async function openScratch(
  choice: RemoteChoice,
  root: string,
  signal: AbortSignal,
): Promise<Scratch> {
  const remote = await resolveRemote(choice, root, signal);
  const setting = ["-c", "refrakt.cache=~/.cache/refrakt"];
  const asked = [...setting, "config", "--type=path", "--get", "refrakt.cache"];
  const cache = await askScratch(asked, { cwd: root, signal });
  const name = nodeModule("node:crypto").createHash("sha256")
    .update(`${root}\0${remote.address}\0${remote.prefix}`);
  const path = `${cache}/${name.digest("hex").slice(0, 24)}.git`;
  const options = { path, cwd: root, signal };
  const cloneId = () => askScratch(["rev-parse", "--verify", "--quiet", CLONE_REF], options);
  let clone = cache === "" ? "" : await cloneId();
  if (cache !== "" && clone === "") {
    await askScratch(["init", "--quiet", "--bare", "--template=", path], options);
    await askScratch(["mktree"], options, "");
    const made = await commitMessage(crypto.randomUUID(), [], options);
    // Two servers may start at once: the first one's id stays.
    await askScratch(["update-ref", CLONE_REF, made, NO_COMMIT], options);
    clone = await cloneId();
  }
  if (clone === "") {
    throw new RefraktError("REMOTE_UNREACHABLE", "There is no folder for pushing claims", {
      hint: "Git needs a home folder in which it may write ~/.cache/refrakt.",
    });
  }
  const last = { at: -Infinity, tips: new Map() };
  return { remote, path, clone: clone.slice(0, 12), signal, tooLarge: new Set(), last };
}
