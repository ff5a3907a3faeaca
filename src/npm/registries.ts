/**
 * Which registry a package belongs to, by the project's `.npmrc`. Only the addresses
 * are read from it; tokens and passwords never leave this module.
 *
 * @module
 */

import { readIfExists } from "../io/read.ts";

/** The registry that everybody means, and the names that it also goes by. */
const PUBLIC_HOSTS = ["registry.npmjs.org", "registry.yarnpkg.com"];

/** The registries of a project. */
export interface Registries {
  /**
   * The host, with its port, of the registry that a package has to come from;
   * `undefined` where the project does not say.
   */
  hostOf(name: string): string | undefined;
  /** Whether the project names the registry of this very scope. */
  namesScopeOf(name: string): boolean;
}

/** Reads the registries of a project. */
export function readRegistries(cwd: string): Registries {
  const addresses = new Map<string, string>();
  let text: string | null = null;
  try {
    text = readIfExists(cwd, ".npmrc", "config");
  } catch {
    // One that cannot be read says nothing.
  }
  for (const line of (text ?? "").split("\n")) {
    const equals = line.indexOf("=");
    if (equals < 0) continue;
    const key = line.slice(0, equals).trim();
    const scope = key === "registry"
      ? ""
      : key.endsWith(":registry") && key.startsWith("@")
      ? key.slice(0, -":registry".length)
      : undefined;
    if (scope !== undefined) {
      addresses.set(scope, line.slice(equals + 1).trim().replace(/^["']|["']$/g, ""));
    }
  }
  const hosts = new Map([...addresses].map(([scope, address]) => [scope, hostIn(address)]));
  const scopeOf = (name: string) => name.startsWith("@") ? name.slice(0, name.indexOf("/")) : "";
  return {
    hostOf: (name) => hosts.get(scopeOf(name)) ?? hosts.get(""),
    namesScopeOf: (name) => scopeOf(name) !== "" && hosts.has(scopeOf(name)),
  };
}

/** The host of an address, without the name and the password that may stand before it. */
export function hostIn(address: string): string {
  try {
    return new URL(address).host || "an address that cannot be read";
  } catch {
    // A variable in it, for example, which this process may not read.
    return "an address that cannot be read";
  }
}

/** Whether a host is the public registry. */
export function isPublicHost(host: string): boolean {
  return PUBLIC_HOSTS.includes(host);
}
