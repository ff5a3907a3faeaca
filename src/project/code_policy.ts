/**
 * How the user lets code of the project run; `src/npm/trust.ts` says which code that is.
 *
 * @module
 */

import { isAbsolute } from "node:path";
import { asObject } from "../io/json.ts";
import { meantPackage } from "./first_party.ts";
import type { Warning } from "./warning.ts";
import type { SiteFacts } from "./sites.ts";

/** How the user lets code of the project run. */
export interface CodePolicy {
  /** Whether it runs in Workers that may read the project and nothing else. */
  readonly isolate: boolean;
  /** What may run in the server's own process besides: packages, `local` modules, or `all`. */
  readonly trusted: readonly string[];
  /** How long a call in a Worker may go on without progress, in milliseconds. */
  readonly timeoutMs: number;
}

/** The policy of the plain command. */
export const DEFAULT_POLICY: CodePolicy = { isolate: false, trusted: [], timeoutMs: 60_000 };

/** The name that stands for modules of the project itself. */
export const LOCAL_CODE = "local";

/**
 * The ways to have code that was left out.
 *
 * @param name What `--trust` has to name.
 */
export function trustHint(name: string): string {
  const meant = name === LOCAL_CODE ? undefined : meantPackage(name);
  return (meant === undefined ? "" : `Did you mean "${meant}"? If not: `) +
    "Start the server with --isolate, which runs such code apart (deno run then needs " +
    `--unstable-worker-options), or with --trust ${name}, which gives it what the server may do.`;
}

/** The warning about modules that a config names and that are not run; packages are told of when they are loaded. */
export function leftOutWarnings(site: SiteFacts | null, policy: CodePolicy): Warning[] {
  const { isolate, trusted } = policy;
  if (isolate || trusted.includes("all") || trusted.includes(LOCAL_CODE)) return [];
  const sites = [...site?.sites.values() ?? []].map(({ raw }) => raw);
  const hasLocal = sites.some(({ theme, runes }) => {
    const named = asObject(theme)["package"] ?? theme;
    return typeof named === "string" && (named.startsWith(".") || isAbsolute(named)) ||
      Object.keys(asObject(asObject(runes)["local"])).length > 0;
  });
  return hasLocal
    ? [{
      code: "CODE_NOT_TRUSTED",
      message: "Modules of the project (local runes, a theme) are left out: the code is not " +
        "refrakt's own",
      hint: trustHint(LOCAL_CODE),
    }]
    : [];
}
