/**
 * Which code of the project may run, and how: packages outside of refrakt's own scope and modules
 * of the project are not trusted.
 *
 * @module
 */

import { isAbsolute } from "node:path";
import { RefraktError } from "../errors.ts";
import { asObject } from "../io/json.ts";
import { BUNDLED_PLUGINS, type ConfigFile, configuredPlugins } from "./config.ts";
import { FIRST_PARTY_SCOPE, meantPackage } from "./first_party.ts";
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

/** Where code may run. */
export type CodePlace = "process" | "worker" | "nowhere";

/**
 * Where the code of a package, or {@linkcode LOCAL_CODE}, may run.
 *
 * @param name A package's name, or `local`.
 */
export function placeOf(policy: CodePolicy, name: string): CodePlace {
  if (policy.isolate) return "worker";
  const { trusted } = policy;
  return name.startsWith(FIRST_PARTY_SCOPE) || trusted.includes("all") || trusted.includes(name)
    ? "process"
    : "nowhere";
}

/**
 * Makes sure that code may run in this process.
 *
 * @param name A package's name, or `local`.
 * @throws {RefraktError} `CODE_NOT_TRUSTED`, with both ways to have it.
 */
export function requireTrust(policy: CodePolicy, name: string): void {
  if (placeOf(policy, name) !== "nowhere") return;
  const what = name === LOCAL_CODE ? "Modules of the project are" : `${name} is`;
  throw new RefraktError("CODE_NOT_TRUSTED", `${what} not loaded: anybody may have written it`, {
    hint: trustHint(name),
  });
}

/** Both ways to have code that was left out. */
export function trustHint(name: string, standalone: boolean = Deno.build.standalone): string {
  const meant = meantPackage(name);
  const trust = `--trust ${name}, which gives it what the server may do.`;
  return (meant === undefined ? "" : `Did you mean "${meant}"? If not: `) +
    (standalone
      ? "Run the server from JSR with --isolate, which runs such code apart and which a compiled " +
        `binary cannot do, or start the binary with ${trust}`
      : "Start the server with --isolate, which runs such code apart (deno run then needs " +
        `--unstable-worker-options), or with ${trust}`);
}

/** The warning about code that was left out. */
export function leftOutWarning(name: string): Warning {
  const what = name === LOCAL_CODE
    ? "Modules of the project (local runes, a theme) are"
    : `${name} is`;
  return {
    code: "CODE_NOT_TRUSTED",
    message: `${what} left out: the code is not refrakt's own`,
    hint: trustHint(name),
    ...(name === LOCAL_CODE ? {} : { package: name }),
  };
}

/** Warnings for the code that a config names and the policy does not let run. */
export function leftOutWarnings(
  config: ConfigFile | null,
  site: SiteFacts | null,
  policy: CodePolicy,
): Warning[] {
  const sites = [...site?.sites.values() ?? []].map(({ raw }) => raw);
  const themes = sites.map(({ theme }) => asObject(theme)["package"] ?? theme)
    .filter((theme): theme is string => typeof theme === "string");
  const isPath = (theme: string) => theme.startsWith(".") || isAbsolute(theme);
  const hasLocal = themes.some(isPath) ||
    sites.some((raw) => Object.keys(asObject(asObject(raw["runes"])["local"])).length > 0);
  const packages = [...configuredPlugins(config), ...themes.filter((theme) => !isPath(theme))]
    .filter((name) => !BUNDLED_PLUGINS.includes(name));
  return [...new Set([...packages, ...(hasLocal ? [LOCAL_CODE] : [])])]
    .filter((name) => placeOf(policy, name) === "nowhere")
    .map(leftOutWarning);
}
