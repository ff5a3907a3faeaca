/**
 * Runs git against a remote: in a scratch repository outside the project, so that nothing of the
 * project's repository applies, and with the user's own settings, keys and credential helpers.
 */

import { type GitResult, QUICK_MS, runGit } from "../../../src/io/git.ts";
import { askGit, type GitPlace } from "../../../src/io/git_ask.ts";

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

/** Options for a git command in the scratch repository. */
export interface RemoteGitOptions {
  /** Where git starts; it must exist. */
  readonly cwd: string;
  /** The scratch repository; without one, git is asked about the user's settings only. */
  readonly repository?: string;
  /** The protocols that git may use, such as `https:ssh`; none by default. */
  readonly protocols?: string;
  readonly signal: AbortSignal;
  /** Additional settings, as `key=value`. */
  readonly config?: readonly string[];
  /** Text for standard input. */
  readonly input?: string | undefined;
}

/** Runs git; throws like {@linkcode runGit}. */
export function runRemoteGit(
  args: readonly string[],
  { cwd, repository, protocols = "none", signal, config = [], input }: RemoteGitOptions,
): Promise<GitResult> {
  const isInit = args[0] === "init";
  const directory = isInit ? NOWHERE : repository ?? NOWHERE;
  return runGit(args, {
    cwd,
    signal,
    ...(input === undefined ? {} : { input }),
    limit: MAX_OUTPUT,
    timeoutMs: REMOTE_MS,
    launch: {
      args: [
        "--no-pager",
        `--git-dir=${directory}`,
        ...[...CONFIG, ...config].flatMap((setting) => ["-c", setting]),
        ...args,
      ],
      clearEnv: false,
      env: {
        ...ENVIRONMENT,
        GIT_ALLOW_PROTOCOL: protocols,
        // An object that is no record ends git before it is received. Pushes find it on the remote.
        ...(args[0] === "fetch" ? { GIT_ALLOC_LIMIT: "16m" } : {}),
        // A repository that is made gets them from its path.
        ...(isInit ? {} : { GIT_COMMON_DIR: directory }),
        GIT_OBJECT_DIRECTORY: `${repository ?? NOWHERE}/objects`,
      },
    },
  });
}

/** The user's name in git's settings: of the repository, else of the user; empty without one. */
export async function gitUser(place: GitPlace): Promise<string> {
  const own = await askGit(["config", "user.name"], place).catch(() => "");
  if (own.trim() !== "") return own.trim();
  const signal = place.signal ?? AbortSignal.timeout(QUICK_MS);
  const asked = await runRemoteGit(["config", "user.name"], { cwd: place.cwd, signal })
    .catch(() => undefined);
  return asked?.code === 0 ? new TextDecoder().decode(asked.stdout).trim() : "";
}
