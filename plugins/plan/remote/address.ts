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
/** Protocols that are used only for an address that the user has typed. */
const TYPED = ["file", "http"];

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
  const protocol = protocolOf(given);
  const allowed = isName ? SAFE : [...SAFE, ...TYPED];
  if (protocol === undefined || !allowed.includes(protocol) || /^-/.test(given)) {
    const where = isName ? `the remote ${quotedName(remote)} has the address ` : "";
    throw invalid(
      `--remote: ${where}${quotedName(withoutSecret(given))}`,
      isName
        ? "A name is used only for https and ssh, because the repository chooses its address. If you " +
          `trust it, pass the address itself: ${quotedName(`--remote ${withoutSecret(given)}`)}`
        : "Give the name of a remote, an https, ssh, http or file URL, or a path.",
    );
  }
  return {
    address: protocol === "file" && !given.startsWith("file:") ? resolve(cwd, given) : given,
    shown: withoutSecret(given),
    protocols: [...SAFE, ...isName ? [] : [protocol]].join(":"),
    prefix,
  };
}

async function addressOf(name: string, cwd: string, signal: AbortSignal): Promise<string> {
  const args = ["config", "--local", "--get", `remote.${name}.url`];
  const { code, stdout } = await runGit(args, { cwd, signal });
  const address = new TextDecoder().decode(stdout).trim();
  if (code === 0 && address !== "") return address;
  throw invalid(
    `--remote: no remote is named ${quotedName(name)} here`,
    "git remote -v lists the remotes; or give an address.",
  );
}

/** Git's reading of an address; `undefined` for helpers such as `ext::`. */
function protocolOf(address: string): string | undefined {
  // deno-lint-ignore no-control-regex -- they could end a line of a protocol
  if (address === "" || /[\u0000-\u0020\u007f]/.test(address) || address.includes("::")) {
    return undefined;
  }
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(address)?.[1]?.toLowerCase();
  if (scheme !== undefined) return scheme;
  if (isAbsolute(address) || /^\.{0,2}[\\/]/.test(address)) return "file";
  // host:path, as git reads it: a colon before the first slash.
  return /^[^/:]+:./.test(address) ? "ssh" : "file";
}

/** Removes user names and passwords, which the addresses in a text may contain. */
function withoutSecret(text: string): string {
  return text.replace(/([a-z]+:\/\/)[^/\s]*@/gi, (_, scheme: string) => scheme);
}

function invalid(message: string, hint: string): RefraktError {
  return new RefraktError("INVALID_ARGS", message, { hint });
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
