/**
 * The repository that pushes to a remote: outside the project, so that nothing of the project's
 * repository applies, and with the user's own settings, keys and credential helpers. Git itself finds
 * and makes its folder, so Deno needs no permission for it.
 */

import { isAbsolute, resolve } from "node:path";
import { messageOf, RefraktError, withoutCredentials } from "../../../src/errors.ts";
import { runGit } from "../../../src/io/git.ts";
import { emptyTree } from "../../../src/io/git_trees.ts";
import { nodeModule } from "../../../src/io/lazily.ts";
import { quotedName } from "../../../src/plain_text.ts";
import type { RemoteReport } from "../../../src/plugin/detection.ts";
import type { RemoteChoice } from "../../../src/plugin/project.ts";

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
export type Scratch = Readonly<Awaited<ReturnType<typeof openScratch>>>;

/** Timeout for one request to a remote, in milliseconds. */
const REMOTE_MS = 10_000;
/** The maximum output of one command, in bytes: 5,000 refs take 0.4 MB. */
const MAX_OUTPUT = 8 * 1024 * 1024;

/** No setting of the user may run a hook, sign, or push more than the given refs. */
const CONFIG: readonly string[] = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
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
  GIT_NAMESPACE: "",
  GIT_CONFIG_COUNT: "0",
  GIT_CONFIG_PARAMETERS: "",
  GIT_ALTERNATE_OBJECT_DIRECTORIES: "",
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

type ScratchOptions =
  & { readonly signal: AbortSignal }
  & { readonly [Name in "path" | "cwd" | "protocols" | "publicAddress"]?: string };

/**
 * Runs git; throws like {@linkcode runGit}, and `REMOTE_UNREACHABLE` in an open repository.
 *
 * @param options Without a path, git is asked about the user's settings only; without protocols, it
 * uses no network. It starts in `cwd`, which must exist; by default in the repository.
 */
export async function runScratchGit(
  args: readonly string[],
  { path = NOWHERE, cwd = path, protocols = "none", publicAddress, signal }: ScratchOptions,
  input?: string,
) {
  const isNew = args[0] === "init";
  const env: Record<string, string> = {
    ...ENVIRONMENT,
    GIT_ALLOW_PROTOCOL: protocols,
    GIT_OBJECT_DIRECTORY: `${path}/objects`,
  };
  // A repository that is made gets both from its path.
  if (!isNew) env["GIT_COMMON_DIR"] = path;
  // An object that is no record ends git before it is received. Pushes find it on the remote.
  if (args[0] === "fetch") env["GIT_ALLOC_LIMIT"] = "16m";
  const settings = CONFIG.flatMap((setting) => ["-c", setting]);
  const launched = ["--no-pager", `--git-dir=${isNew ? NOWHERE : path}`, ...settings, ...args];
  const launch = { args: launched, clearEnv: false, env };
  try {
    const limits = { limit: MAX_OUTPUT, timeoutMs: REMOTE_MS };
    const result = await runGit(args, { cwd, signal, input, ...limits, launch });
    return { ...result, printed: new TextDecoder().decode(result.stdout) };
  } catch (error) {
    const isSaid = !(error instanceof RefraktError) || error.code === "PERMISSION_DENIED";
    if (isSaid || signal.aborted || publicAddress === undefined) throw error;
    throw unreachable(publicAddress, error.message);
  }
}

/** The hint for work without the remote. */
export const LOCAL_ONLY = "plan_claim with localOnly: true claims or releases without the remote.";

/** The error for a remote that does not answer. */
export function unreachable(address: string, said: string): RefraktError {
  return new RefraktError("REMOTE_UNREACHABLE", `${quotedName(address)} did not answer`, {
    hint: `Try again. ${LOCAL_ONLY}`,
    data: { remote: { address, said } },
  });
}

/** Returns the output of a command without network; empty if it fails. */
export async function askScratch(...question: Parameters<typeof runScratchGit>): Promise<string> {
  return (await runScratchGit(...question)).printed.trim();
}

/** Holds the commit whose hash is the clone's id; creating a ref is atomic in git. */
const CLONE_REF = "refs/clone";
const NO_COMMIT = "0".repeat(40);

/** Writes a commit with a message, and returns its hash. */
export async function writeCommit(
  message: string,
  parents: readonly string[],
  options: ScratchOptions,
): Promise<string> {
  const args = parents.flatMap((parent) => ["-p", parent]);
  const commit = ["commit-tree", emptyTree(NO_COMMIT), ...args, "-F", "-"];
  return await askScratch(commit, options, message) || noFolder();
}

function noFolder(): never {
  throw new RefraktError("REMOTE_UNREACHABLE", "There is no folder for pushing claims", {
    hint: "Git needs a home folder in which it may write ~/.cache/refrakt.",
  });
}

/**
 * Opens the scratch repository of a project and a remote, and makes it at the first call.
 *
 * @param root The project's real path.
 * @throws {RefraktError} `INVALID_ARGS` for an unknown remote, `REMOTE_UNREACHABLE` where there is no
 * writable cache folder.
 */
export async function openScratch(choice: RemoteChoice, root: string, signal: AbortSignal) {
  const remote = await resolveRemote(choice, root, signal);
  const setting = ["-c", "refrakt.cache=~/.cache/refrakt"];
  const asked = [...setting, "config", "--type=path", "--get", "refrakt.cache"];
  const cache = await askScratch(asked, { cwd: root, signal });
  const name = nodeModule("node:crypto").createHash("sha256")
    .update(`${root}\0${remote.address}\0${choice.prefix}`).digest("hex").slice(0, 24);
  const path = `${cache}/${name}.git`;
  if (cache === "") noFolder();
  const options = { path, cwd: root, signal };
  const cloneId = () => askScratch(["rev-parse", "--verify", "--quiet", CLONE_REF], options);
  let clone = await cloneId();
  if (clone === "") {
    await askScratch(["init", "--quiet", "--bare", "--template=", path], options);
    await askScratch(["mktree"], options, "");
    const made = await writeCommit(crypto.randomUUID(), [], options);
    // Two servers may start at once: the first one's id stays.
    await askScratch(["update-ref", CLONE_REF, made, NO_COMMIT], options);
    clone = await cloneId() || noFolder();
  }
  return {
    ...remote,
    path,
    // The random id of this clone, made with the repository.
    clone: clone.slice(0, 12),
    signal,
    // Commits of the remote that are too large for git.
    tooLarge: new Set<string>(),
    // The last list of claims, and when it was read.
    last: { at: -Infinity, tips: new Map<string, Tip>() },
  };
}

/** Protocols that never run a program of the repository's choice. */
const SAFE: readonly string[] = ["https", "ssh"];
/** Protocols that are allowed for an address that the user has typed. */
const TYPED = [...SAFE, "file", "http"];

/**
 * Resolves a remote. A name is looked up once in the project's repository; its address must use
 * HTTPS or SSH, because that file may come from anybody.
 *
 * @throws {RefraktError} `INVALID_ARGS` for an unknown name or protocol.
 */
async function resolveRemote({ remote, prefix }: RemoteChoice, cwd: string, signal: AbortSignal) {
  const isName = /^[A-Za-z0-9][\w.-]*$/.test(remote);
  const typed = isName ? await addressOf(remote, cwd, signal) : remote;
  const publicAddress = withoutCredentials(typed);
  const protocol = protocolOf(typed);
  if (!(isName ? SAFE : TYPED).includes(protocol)) {
    const where = isName ? `the remote ${quotedName(remote)} has the address ` : "";
    const message = `--remote: ${where}${quotedName(publicAddress)}`;
    const hint = isName
      ? "A name is used only for https and ssh, because the repository chooses its address. If you " +
        `trust it, pass the address itself: ${quotedName(`--remote ${publicAddress}`)}`
      : "Give the name of a remote, an https, ssh, http or file URL, or a path.";
    throw new RefraktError("INVALID_ARGS", message, { hint });
  }
  // A URL, `host:path` or an absolute path.
  const address = protocol === "file" && !typed.startsWith("file:") ? resolve(cwd, typed) : typed;
  const protocols = (isName ? SAFE : [...SAFE, protocol]).join(":");
  return { address, publicAddress, protocols, prefix };
}

async function addressOf(name: string, cwd: string, signal: AbortSignal): Promise<string> {
  const args = ["config", "--local", "--get", `remote.${name}.url`];
  const { code, stdout } = await runGit(args, { cwd, signal });
  const address = new TextDecoder().decode(stdout).trim();
  if (code === 0 && address !== "") return address;
  throw new RefraktError("INVALID_ARGS", `--remote: no remote is named ${quotedName(name)} here`, {
    hint: "git remote -v lists the remotes; or give an address.",
  });
}

/** Git's reading of an address; empty for options and for helpers such as `ext::`. */
function protocolOf(address: string): string {
  // deno-lint-ignore no-control-regex -- they could end a line of a protocol
  if (/^$|^-|[\u0000-\u0020\u007f]|::/.test(address)) return "";
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(address)?.[1];
  if (scheme !== undefined) return scheme.toLowerCase();
  // host:path, as git reads it: a colon before the first slash.
  return !isAbsolute(address) && /^[^/:]+:./.test(address) ? "ssh" : "file";
}

/** Describes the remote that claims are confirmed on; asks no network. */
export function remoteSummary(choice: RemoteChoice, cwd: string): Promise<RemoteReport> {
  const base = { remote: withoutCredentials(choice.remote), refs: choice.prefix };
  return resolveRemote(choice, cwd, new AbortController().signal).then(
    ({ publicAddress }) => ({ ...base, address: publicAddress }),
    (error) => ({ ...base, problem: messageOf(error) }),
  );
}
