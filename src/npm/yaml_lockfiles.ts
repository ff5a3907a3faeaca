/**
 * The lock files of pnpm and of yarn, which are written in YAML.
 *
 * @module
 */

import { yamlLines } from "./lines.ts";
import {
  compare,
  exact,
  type FindLocked,
  isElsewhere,
  type Locked,
  locked,
} from "./lock_entries.ts";

/** What pnpm's file says of one package. */
interface PnpmEntry {
  /** What the project's own dependencies became, in the order of the importers. */
  readonly direct: string[];
  /** The fields of each version. */
  readonly versions: Map<string, { integrity?: string; resolved?: string }>;
}

/**
 * `importers` (in older files the top level) say what the project's own dependencies
 * became, `packages` have a key such as `'@scope/name@1.2.3(peer@2.0.0)'`,
 * `/@scope/name@1.2.3` or `/@scope/name/1.2.3`.
 */
export function openPnpm(text: string): FindLocked {
  const entries = new Map<string, PnpmEntry>();
  const entryOf = (name: string) => {
    let entry = entries.get(name);
    if (entry === undefined) entries.set(name, entry = { direct: [], versions: new Map() });
    return entry;
  };
  let [section, dependency] = ["", ""];
  let fields: { integrity?: string; resolved?: string } | undefined;
  for (const { indent, key, value } of yamlLines(text)) {
    if (indent === 0) {
      section = key;
    } else if (section === "packages" || section === "snapshots") {
      if (indent === 2) {
        const [name, version] = splitPnpmKey(key);
        fields = undefined;
        if (version === undefined) continue;
        const { versions } = entryOf(name);
        fields = versions.get(version) ?? {};
        versions.set(version, fields);
      } else if (fields !== undefined && indent === 4 && key === "resolution") {
        const [integrity, resolved] = [fieldOf(value, "integrity"), fieldOf(value, "tarball")];
        if (integrity !== undefined) fields.integrity = integrity;
        if (resolved !== undefined) fields.resolved = resolved;
      }
    } else if (key === "version" && dependency !== "") {
      entryOf(dependency).direct.push(value);
      dependency = "";
    } else if (value === "") dependency = key;
    else if (key !== "specifier" && section !== "specifiers") {
      dependency = "";
      if (/^(?:\d|link:|file:)/.test(value)) entryOf(key).direct.push(value);
    }
  }
  return (name) => {
    const entry = entries.get(name);
    if (entry === undefined) return undefined;
    const [first] = entry.direct;
    if (first !== undefined && isElsewhere(first)) return { resolved: first };
    // An alias: `@scope/other@1.2.3`.
    const [other, version] = splitPnpmKey(/^[^\d]/.test(first ?? "") ? first! : "");
    if (version !== undefined) return pnpmLocked(entries.get(other), version);
    const chosen = exact(first?.split(/[_(]/)[0]) ??
      [...entry.versions.keys()].sort((a, b) => compare(b, a))[0];
    return chosen === undefined ? undefined : pnpmLocked(entry, chosen);
  };
}

function pnpmLocked(entry: PnpmEntry | undefined, version: string): Locked {
  const { integrity, resolved } = entry?.versions.get(version) ?? {};
  return locked(version, resolved, integrity);
}

function splitPnpmKey(key: string): [name: string, version: string | undefined] {
  const bare = (key.startsWith("/") ? key.slice(1) : key).split("(", 1)[0]!;
  const at = bare.indexOf("@", 1);
  const end = at > 0 ? at : bare.lastIndexOf("/");
  return [bare.slice(0, end), exact(bare.slice(end + 1).split("_", 1)[0])];
}

/** A field of `{integrity: x, tarball: y}`. */
function fieldOf(flow: string, field: string): string | undefined {
  const start = flow.indexOf(`${field}: `);
  if (start < 0) return undefined;
  const rest = flow.slice(start + field.length + 2);
  const end = rest.search(/[,}]/);
  return end < 0 ? undefined : rest.slice(0, end).trim();
}

/** An entry of yarn's file: the ranges in its key, and its fields. */
interface YarnEntry {
  readonly ranges: string[];
  readonly fields: Record<string, string>;
}

/** An entry's key names the ranges (`"@scope/name@^1.0.0, @scope/name@^1.1.0":`). */
export function openYarn(text: string): FindLocked {
  const entries = new Map<string, YarnEntry[]>();
  let fields: Record<string, string> = {};
  for (const { indent, key, value } of yamlLines(text.replaceAll('", "', ", "))) {
    if (indent === 2) fields[key] = value;
    if (indent !== 0) continue;
    fields = {};
    const asked = key.split(",").map((part) => part.trim().replaceAll('"', ""));
    const at = asked[0]!.indexOf("@", 1);
    if (at < 0) continue;
    const name = asked[0]!.slice(0, at);
    const ranges = asked.map((part) => part.slice(at + 1).replace(/:$/, ""));
    const same = entries.get(name);
    if (same === undefined) entries.set(name, [{ ranges, fields }]);
    else same.push({ ranges, fields });
  }
  return (name, range) => {
    const own = entries.get(name) ?? [];
    const found = own.find(({ ranges }) => range !== undefined && takesRange(ranges, range)) ??
      own.toSorted((a, b) => compare(b.fields["version"], a.fields["version"]))[0];
    if (found === undefined) return undefined;
    const { version, integrity, resolution } = found.fields;
    const resolved = resolution === undefined
      // The first format appends the archive's other checksum to its address.
      ? found.fields["resolved"]?.split("#")[0] ?? found.ranges.find(isElsewhere)
      : yarnAddress(resolution);
    const isArchive = resolved === undefined || !isElsewhere(resolved) || /^https?:/.test(resolved);
    return isArchive ? locked(version, resolved, integrity) : { resolved };
  };
}

/** Where a resolution such as `name@workspace:packages/a` leads, if not to the usual registry. */
function yarnAddress(resolution: string): string | undefined {
  const [where = "", ...bindings] = resolution.slice(resolution.indexOf("@", 1) + 1).split("::");
  if (isElsewhere(where)) return where;
  return new URLSearchParams(bindings.join("&")).get("__archiveUrl") ?? undefined;
}

function takesRange(ranges: readonly string[], range: string): boolean {
  return ranges.includes(range) || ranges.includes(`npm:${range}`);
}
