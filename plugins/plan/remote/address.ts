/** The address of the remote that confirms claims, from the command line's `--remote`. */

import { quotedName } from "../../../src/plain_text.ts";
import { isAbsolute, resolve } from "node:path";
import { messageOf, RefraktError } from "../../../src/errors.ts";
import { runGit } from "../../../src/io/git.ts";
import type { RemoteReport } from "../../../src/plugin/detection.ts";
import type { RemoteChoice } from "../../../src/plugin/project.ts";

/** Where claims are confirmed. */
export interface RemoteAddress {
  /** The address that git gets: a URL, `host:path` or an absolute path. */
  readonly address: string;
  /** The address without a password, for people. */
  readonly shown: string;
  /** The protocols that git may use for it. */
  readonly protocols: string;
  /** The prefix of our refs, with a final slash. */
  readonly prefix: string;
}

/** Protocols that never run a program of the repository's choice. */
const SAFE = ["https", "ssh"];
/** Those that may be used for an address that the user has typed. */
const TYPED = [...SAFE, "file", "http"];

const NAME = /^[A-Za-z0-9][\w.-]*$/;

/**
 * Resolves a remote. A name is looked up once in the project's repository; its address must use
 * HTTPS or SSH, because that file may come from anybody.
 *
 * @param cwd The project's directory.
 * @throws {RefraktError} `INVALID_ARGS` for an unknown name or protocol.
 */
export async function resolveRemote(
  { remote, prefix }: RemoteChoice,
  cwd: string,
  signal: AbortSignal,
): Promise<RemoteAddress> {
  const isName = NAME.test(remote);
  const given = isName ? await addressOf(remote, cwd, signal) : remote;
  const shown = withoutSecret(given);
  const protocol = protocolOf(given);
  if (protocol === undefined || !(isName ? SAFE : TYPED).includes(protocol) || /^-/.test(given)) {
    const where = isName ? `the remote ${quotedName(remote)} has the address ` : "";
    const hint = isName
      ? "A name is used only for https and ssh, because the repository chooses its address. If you " +
        `trust it, pass the address itself: ${quotedName(`--remote ${shown}`)}`
      : "Give the name of a remote, an https, ssh, http or file URL, or a path.";
    throw new RefraktError("INVALID_ARGS", `--remote: ${where}${quotedName(shown)}`, { hint });
  }
  const address = protocol === "file" && !given.startsWith("file:") ? resolve(cwd, given) : given;
  const protocols = isName ? SAFE : [...SAFE, protocol];
  return { address, shown, protocols: protocols.join(":"), prefix };
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

/** Git's reading of an address; `undefined` for helpers such as `ext::`. */
function protocolOf(address: string): string | undefined {
  // deno-lint-ignore no-control-regex -- they could end a line of a protocol
  if (address === "" || /[\u0000-\u0020\u007f]|::/.test(address)) return undefined;
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(address)?.[1];
  if (scheme !== undefined) return scheme.toLowerCase();
  if (isAbsolute(address) || /^\.{0,2}[\\/]/.test(address)) return "file";
  // host:path, as git reads it: a colon before the first slash.
  return /^[^/:]+:./.test(address) ? "ssh" : "file";
}

/** Removes user names and passwords, which the addresses in a text may contain. */
function withoutSecret(text: string): string {
  return text.replace(/([a-z]+:\/\/)[^/\s]*@/gi, (_, scheme: string) => scheme);
}

/** Describes the remote that claims are confirmed on; asks no network. */
export async function remoteSummary(choice: RemoteChoice, cwd: string): Promise<RemoteReport> {
  const base = { remote: withoutSecret(choice.remote), refs: choice.prefix };
  try {
    const { signal } = new AbortController();
    return { ...base, address: (await resolveRemote(choice, cwd, signal)).shown };
  } catch (error) {
    return { ...base, problem: messageOf(error) };
  }
}
