/**
 * Which registry a package belongs to, by the files of the project's package manager. Only
 * the addresses are read from them; tokens and passwords never leave this module.
 *
 * @module
 */

import { dirname } from "node:path";
import { mayRead } from "../io/permissions.ts";
import { readIfExists } from "../io/read.ts";
import { yamlLines } from "./lines.ts";

/** The hosts of the public npm registry. */
const PUBLIC_HOSTS = ["registry.npmjs.org", "registry.yarnpkg.com"];

/** What a file says of the registry of a package. */
export interface Registry {
  /** The file, relative to the project. */
  readonly file: string;
  /** The host, with its port; `undefined` for a file that cannot be read. */
  readonly host: string | undefined;
  /** Whether the file names the registry of the package's very scope. */
  readonly ofScope: boolean;
}

/** The registries of a project. */
export interface Registries {
  /** The registries that a package has to come from, by each file that says so. */
  of(name: string): readonly Registry[];
}

/** The address of each scope's registry; that of the others is the empty scope's. */
type Addresses = Map<string, string>;

/** The files that name registries. */
const FILES: Readonly<Record<string, (text: string) => Addresses>> = {
  ".npmrc": inNpmrc,
  ".yarnrc": inYarnrc,
  ".yarnrc.yml": inYarnrcYml,
  "pnpm-workspace.yaml": inPnpmWorkspace,
  "bunfig.toml": inBunfig,
};

/**
 * Reads the registries of a project: its own files, and those above it that may be read.
 *
 * @param known Texts of the project's own files that were read before, by name.
 */
export function readRegistries(
  cwd: string,
  known: Readonly<Record<string, string>> = {},
): Registries {
  const found: { file: string; hosts: Map<string, string> | undefined }[] = [];
  for (const { folder, shown } of foldersFrom(cwd)) {
    for (const [name, addressesIn] of Object.entries(FILES)) {
      const file = shown + name;
      try {
        const text = (folder === cwd && known[name]) || readIfExists(folder, name, "config");
        if (text === null) continue;
        const addresses = [...addressesIn(text.replace(/^\ufeff/, ""))];
        const hosts = new Map(addresses.map(([scope, address]) => [scope, hostIn(address)]));
        found.push({ file, hosts });
      } catch {
        found.push({ file, hosts: undefined });
      }
    }
  }
  return {
    of: (name) => {
      const scope = name.startsWith("@") ? name.slice(0, name.indexOf("/")) : "";
      return found.flatMap(({ file, hosts }): Registry[] => {
        if (hosts === undefined) return [{ file, host: undefined, ofScope: false }];
        const host = hosts.get(scope) ?? hosts.get("");
        return host === undefined
          ? []
          : [{ file, host, ofScope: scope !== "" && hosts.has(scope) }];
      });
    },
  };
}

/** The project's folder, and those above it as far as they may be read. */
function* foldersFrom(cwd: string): Generator<{ folder: string; shown: string }> {
  yield { folder: cwd, shown: "" };
  let shown = "../";
  for (let at = cwd; dirname(at) !== at && mayRead(dirname(at)); shown += "../") {
    at = dirname(at);
    yield { folder: at, shown };
  }
}

function inNpmrc(text: string): Addresses {
  const addresses: Addresses = new Map();
  for (const line of text.split("\n")) {
    const equals = line.indexOf("=");
    if (equals < 0) continue;
    add(addresses, line.slice(0, equals).trim(), line.slice(equals + 1).trim());
  }
  return addresses;
}

/** Yarn's first format: `registry "https://…"`. */
function inYarnrc(text: string): Addresses {
  const addresses: Addresses = new Map();
  for (const { key, value } of yamlLines(text)) add(addresses, key.replace(/^--/, ""), value);
  return addresses;
}

function inYarnrcYml(text: string): Addresses {
  const addresses: Addresses = new Map();
  let [section, scope] = ["", ""];
  for (const { indent, key, value } of yamlLines(text)) {
    if (indent === 0) section = key;
    const isServer = key === "npmRegistryServer";
    if (indent === 0 && isServer) addresses.set("", value);
    else if (section === "npmScopes" && isServer) addresses.set(`@${scope}`, value);
    else if (section === "npmScopes" && value === "") scope = key;
    // A map in one line is not looked into: the registry is one that cannot be told.
    else if (section === "npmScopes" && value.startsWith("{") && value !== "{}") {
      addresses.set(indent === 0 ? "" : `@${key}`, value);
    }
  }
  return addresses;
}

function inPnpmWorkspace(text: string): Addresses {
  const addresses: Addresses = new Map();
  let section = "";
  for (const { indent, key, value } of yamlLines(text)) {
    if (indent === 0) {
      section = key;
      if (key === "registries" && value.startsWith("{")) addresses.set("", value);
      add(addresses, key, value);
    } else if (section === "registries") addresses.set(key === "default" ? "" : key, value);
  }
  return addresses;
}

function inBunfig(text: string): Addresses {
  const addresses: Addresses = new Map();
  let section = "";
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (line.startsWith("[") && line.endsWith("]")) section = `${line.slice(1, -1)}.`;
    const equals = line.indexOf("=");
    if (equals < 0 || line.startsWith("#")) continue;
    const path = (section + line.slice(0, equals)).replaceAll(/["'\s]/g, "");
    const value = line.slice(equals + 1).trim();
    const [, scope] = /^install\.scopes\.@?([^.]+)(?:\.url)?$/.exec(path) ?? [];
    const address = value.startsWith("{") ? /\burl\s*=\s*(["'][^"']*)/.exec(value)?.[1] : value;
    if (path === "install.scopes") addresses.set("", value);
    else if (address === undefined) continue;
    else if (scope !== undefined) addresses.set(`@${scope}`, unquoted(address));
    else if (/^install\.registry(?:\.url)?$/.test(path)) addresses.set("", unquoted(address));
  }
  return addresses;
}

/** Adds what npm's keys say: `registry`, or `@scope:registry`. */
function add(addresses: Addresses, key: string, value: string): void {
  if (key === "registry") addresses.set("", unquoted(value));
  else if (key.startsWith("@") && key.endsWith(":registry")) {
    addresses.set(key.slice(0, -":registry".length), unquoted(value));
  }
}

function unquoted(value: string): string {
  return value.replace(/^["']/, "").replace(/["'].*$/, "");
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
