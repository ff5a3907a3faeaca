/**
 * Decides about a package that the project names, before it is imported: by its name, and by its
 * place as `gate.ts` judges every import.
 *
 * Only the scope `@refrakt-md` as published on npm is trusted. Code from the repository is not: with
 * `--allow-run=git` it would get the user's full rights.
 */

import { join } from "node:path";
import { RefraktError } from "../errors.ts";
import { shownPath } from "../io/paths.ts";
import {
  type CodePolicy,
  DEFAULT_POLICY,
  LOCAL_CODE,
  LOCAL_LEFT_OUT,
  trustHint,
} from "../project/code_policy.ts";
import type { Warning } from "../project/project.ts";
import { type Distrust, misplaced, neededBy, refusal, trustedName } from "./gate.ts";
import { isFirstParty, MARKDOC_PACKAGE } from "./names.ts";
import { type PackageVersion, realNameOf, ruleOf } from "./package.ts";
import { placeOf } from "./place.ts";
import { askGit } from "./tracked.ts";

/** A package, or the project's own modules. */
export type Code = PackageVersion | typeof LOCAL_CODE;

/**
 * Returns why code may not run in this process, or `undefined` if it may.
 *
 * @param code What would be imported, after resolution.
 * @param policy What the user trusts.
 */
export async function distrust(
  code: Code,
  policy: CodePolicy = code !== LOCAL_CODE && code.code || DEFAULT_POLICY,
): Promise<Distrust | undefined> {
  if (policy.trusted.includes("all")) return undefined;
  const found = code === LOCAL_CODE
    ? { name: LOCAL_CODE, reason: LOCAL_LEFT_OUT }
    : await judge(code, policy);
  const isTrusted = found?.name !== undefined && policy.trusted.includes(found.name);
  return isTrusted ? undefined : found;
}

/**
 * Rejects untrusted code.
 *
 * @throws {RefraktError} `CODE_NOT_TRUSTED`, with the ways to allow it.
 */
export async function requireTrust(code: Code, policy?: CodePolicy): Promise<void> {
  const found = await distrust(code, policy);
  if (found === undefined) return;
  throw code === LOCAL_CODE ? localRefusal() : refusal(found, code.name);
}

/** The warning about a package that was not loaded, in the words of the error. */
export function leftOutWarning(name: string, found: Distrust): Warning {
  return warningOf(name, refusal(found, name));
}

/** The warning about a package, some of whose code was not loaded. */
export function warningOf(name: string, error: RefraktError): Warning {
  const { message, hint } = neededBy(name, error);
  return {
    code: "CODE_NOT_TRUSTED",
    message,
    ...(hint === undefined ? {} : { hint }),
    package: name,
  };
}

function localRefusal(): RefraktError {
  return new RefraktError("CODE_NOT_TRUSTED", LOCAL_LEFT_OUT, { hint: trustHint(LOCAL_CODE) });
}

/** Judges a package by its name, and by the place of its manifest as {@link "./gate.ts"} does. */
async function judge(found: PackageVersion, policy: CodePolicy): Promise<Distrust | undefined> {
  const { name, folder, root } = found;
  const isOurs = isFirstParty(name) || name === MARKDOC_PACKAGE;
  if (ruleOf(found) === "embedded") return undefined;
  // A package that is not installed is imported from npm or not at all.
  if (root === undefined || folder === undefined) return isOurs ? undefined : foreign(name);
  if (folder.kind !== "node_modules") {
    return local(`${name} is a linked folder (${shownPath(root, folder.path)})`, policy, name);
  }
  if (folder.name !== name) {
    const why = found.aliasIn === undefined ? "another package" : `an alias in ${found.aliasIn}`;
    return {
      name: trustedName(folder.name || name),
      reason: `${name} → ${realNameOf(found)}, ${why}`,
    };
  }
  if (!isOurs) return foreign(name);
  const manifest = join(folder.link, "package.json");
  await askGit(folder.path);
  const what = `${name} (${shownPath(root, folder.path)})`;
  const wrong = misplaced(placeOf(manifest), what, policy.trusted);
  return wrong?.name === undefined ? wrong : local(wrong.reason, policy, name);
}

function foreign(name: string): Distrust {
  return { name: trustedName(name), reason: `${name} is not refrakt's own` };
}

/** Code of the repository; `--trust` accepts its name or `local`. */
function local(reason: string, { trusted }: CodePolicy, name: string): Distrust {
  return { name: trusted.includes(name) ? name : LOCAL_CODE, reason };
}
