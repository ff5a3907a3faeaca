/** The user's policy for running third-party code; `src/npm/trust.ts` applies it. */

import { quotedName } from "../plain_text.ts";
import { isAbsolute } from "node:path";
import { RefraktError } from "../errors.ts";
import { asObject } from "../io/json.ts";
import { meantPackage } from "./first_party.ts";
import type { Warning } from "./warning.ts";
import type { SiteFacts } from "./sites.ts";

/** The policy for running third-party code. */
export interface CodePolicy {
  /** What runs, with the permissions of the process: packages, `local` modules, or `all`. */
  readonly trusted: readonly string[];
  /** How long loading a package or a module may take, in milliseconds. */
  readonly timeoutMs: number;
}

export const DEFAULT_POLICY: CodePolicy = { trusted: [], timeoutMs: 60_000 };

/** Stands for the project's own modules. */
export const LOCAL_CODE = "local";

/** Says that the project's own modules were not loaded. */
const LOCAL_LEFT_OUT = "The project's own modules (local runes, a theme) were not loaded: they " +
  "are code from the repository";

/**
 * How to run code that was skipped.
 *
 * @param name The value for `--trust`.
 */
export function trustHint(name: string): string {
  const meant = name === LOCAL_CODE || name === "all" ? undefined : meantPackage(name);
  return (meant === undefined ? "" : `Did you mean ${quotedName(meant)}? If not: `) +
    `Start the server with --trust ${name}, which gives such code the server's permissions: leave ` +
    "out --allow-run=git, which is worth all of the user's.";
}

/**
 * Rejects the project's own modules, unless the user trusts them.
 *
 * @throws {RefraktError} `CODE_NOT_TRUSTED`
 */
export function requireLocalTrust({ trusted }: CodePolicy): void {
  if (trusted.includes("all") || trusted.includes(LOCAL_CODE)) return;
  throw new RefraktError("CODE_NOT_TRUSTED", LOCAL_LEFT_OUT, { hint: trustHint(LOCAL_CODE) });
}

/** The warning about skipped modules in a config; packages are checked when they load. */
export function leftOutWarnings(site: SiteFacts | null, { trusted }: CodePolicy): Warning[] {
  if (trusted.includes("all") || trusted.includes(LOCAL_CODE) || !hasOwnModules(site)) return [];
  return [{ code: "CODE_NOT_TRUSTED", message: LOCAL_LEFT_OUT, hint: trustHint(LOCAL_CODE) }];
}

/** Whether a config names modules of the project: local runes, or a theme by its path. */
export function hasOwnModules(site: SiteFacts | null): boolean {
  return [...site?.sites.values() ?? []].some(({ raw: { theme, runes } }) => {
    const named = asObject(theme)["package"] ?? theme;
    return typeof named === "string" && (named.startsWith(".") || isAbsolute(named)) ||
      Object.keys(asObject(asObject(runes)["local"])).length > 0;
  });
}
