/** The git remote that confirms claims and ids: named on the command line, never by a file. */

import type { RemoteChoice } from "../plugin/project.ts";
import { quotedName } from "../plain_text.ts";
import { RefraktError } from "../errors.ts";

/** The default prefix of the refs on the remote. */
const PREFIX = "refs/refrakt/";

const MAX_PREFIX = 200;

/**
 * Checks `--remote` and `--remote-refs`.
 *
 * @throws {RefraktError} `INVALID_ARGS` for a prefix that git does not allow.
 */
export function remoteChoice(
  remote: string | undefined,
  prefix: string | undefined,
): RemoteChoice | undefined {
  if (remote !== undefined) return { remote, prefix: checkPrefix(prefix ?? PREFIX) };
  if (prefix === undefined) return undefined;
  throw new RefraktError("INVALID_ARGS", "--remote-refs is for --remote", {
    hint: "Add --remote with the name of a remote, such as origin.",
  });
}

/** Completes a prefix such as `refs/heads/claude/refrakt`. */
function checkPrefix(prefix: string): string {
  const path = prefix.replace(/\/+$/, "");
  const parts = path.split("/");
  const isSound = parts.length > 1 && parts[0] === "refs" && path.length <= MAX_PREFIX &&
    parts.every((part) => /^[A-Za-z0-9_][\w.-]*$/.test(part) && !/\.\.|\.lock$|\.$/.test(part));
  if (isSound) return `${path}/`;
  throw new RefraktError("INVALID_ARGS", `Invalid value for --remote-refs: ${quotedName(prefix)}`, {
    hint: "It must begin with refs/, such as refs/refrakt/ or refs/heads/claude/refrakt/.",
  });
}
