/**
 * What is known about the packages of a project: read once for each snapshot of it, and
 * not before it is asked for.
 *
 * @module
 */

import { join } from "node:path";
import { statIfExists } from "../io/files.ts";
import { readIfExists } from "../io/read.ts";
import type { Project } from "../project/project.ts";
import { loadJsoncParser } from "./jsonc.ts";
import type { Locked } from "./lock_entries.ts";
import { LOCK_FILES } from "./lockfiles.ts";
import {
  type Declared,
  dependenciesOf,
  linkedNames,
  type Manifest,
  readCatalogs,
  readManifest,
  readWorkspaceFile,
  workspaceMembers,
} from "./manifests.ts";
import { mayMean, readOverrides } from "./overrides.ts";
import { type Catalogs, parseRange } from "./ranges.ts";
import { readRegistries, type Registries } from "./registries.ts";

/** What a lock file pins, and which one it is. */
export interface LockedIn extends Locked {
  /** The lock file's name. */
  readonly file: string;
}

/** The facts about a project's packages. */
export interface PackageFacts {
  /** The folders of the workspace's members, relative to the project. */
  readonly members: readonly string[];
  /** The folders of the root (empty) and the members that have a `node_modules`. */
  readonly installedIn: readonly string[];
  /** Everything that the project's manifests depend on; the root's come first. */
  readonly declared: readonly Declared[];
  /** The ranges that `catalog:` stands for. */
  readonly catalogs: Catalogs;
  /**
   * What the project asks for of a package: its override, else what the first manifest
   * says that depends on it.
   */
  asked(name: string): Declared | undefined;
  /** Where packages have to come from. */
  readonly registries: Registries;
  /** Whether `deno.json` may link to a folder for a package: what lies outside cannot be read. */
  linkedInDeno(name: string): boolean;
  /** The manifest in a folder of the project. */
  manifest(folder: string): Manifest | undefined;
  /** What the lock file pins; `undefined` where it has no such package. */
  locked(name: string): LockedIn | undefined;
}

const known = new WeakMap<Project, PackageFacts>();

/** The facts for a snapshot. */
export function packageFacts(project: Project): PackageFacts {
  let facts = known.get(project);
  if (facts === undefined) known.set(project, facts = readFacts(project.cwd));
  return facts;
}

/** Everything that the project's manifests depend on; the root's come first. */
export function declaredDependencies(project: Project): readonly Declared[] {
  return packageFacts(project).declared;
}

/** Loads what reading the facts may need; to be awaited before they are asked for. */
export async function preparePackageFacts({ cwd }: Project): Promise<void> {
  for (const name of DENO_MANIFESTS) {
    const text = readWorkspaceFile(cwd, name);
    if (text !== "" && !isJson(text)) return await loadJsoncParser();
  }
}

/** Deno takes comments in both. */
const DENO_MANIFESTS = ["deno.json", "deno.jsonc"];

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function readFacts(cwd: string): PackageFacts {
  const manifests = new Map<string, Manifest | undefined>();
  const locks = new Map<string, LockedIn | undefined>();
  const manifest = (folder: string) => {
    if (!manifests.has(folder)) {
      const path = folder === "" ? "package.json" : `${folder}/package.json`;
      manifests.set(folder, readManifest(cwd, path));
    }
    return manifests.get(folder);
  };
  const pnpmWorkspace = once(() => readWorkspaceFile(cwd, "pnpm-workspace.yaml"));
  const members = once(() => workspaceMembers(cwd, manifest(""), pnpmWorkspace()));
  const installedIn = once(() =>
    ["", ...members()].filter((folder) => isThere(join(cwd, folder, "node_modules")))
  );
  const denoManifests = once(() =>
    present(DENO_MANIFESTS.map((name) => [name, readManifest(cwd, name)] as const))
  );
  const declared = once(() => {
    const found = ["", ...members()].map((folder) => [folder, manifest(folder)] as const);
    return dependenciesOf(present(found), denoManifests());
  });
  const lockFiles = LOCK_FILES.map((format) => ({
    file: format.name,
    find: once(() => format.open(readLock(cwd, format.name) ?? "")),
  }));
  const yarnrc = once(() => readWorkspaceFile(cwd, ".yarnrc.yml"));
  const catalogs = once(() => readCatalogs(manifest(""), [pnpmWorkspace(), yarnrc()]));
  const registries = once(() =>
    readRegistries(cwd, { "pnpm-workspace.yaml": pnpmWorkspace(), ".yarnrc.yml": yarnrc() })
  );
  const overrides = once(() => readOverrides(manifest(""), pnpmWorkspace()));
  const asked = (name: string): Declared | undefined => {
    const found = declared().find((entry) => entry.name === name);
    return overrides().findLast((entry) =>
      entry.name === name && mayMean(entry.selector, found?.range ?? "")
    ) ?? found;
  };
  const linked = once(() =>
    [...denoManifests().values()].flatMap((manifest) => linkedNames(cwd, manifest))
  );
  return {
    get members() {
      return members();
    },
    get installedIn() {
      return installedIn();
    },
    get declared() {
      return declared();
    },
    get catalogs() {
      return catalogs();
    },
    get registries() {
      return registries();
    },
    manifest,
    asked,
    linkedInDeno: (name) => linked().includes(name) || linked().includes(undefined),
    locked(name) {
      if (!locks.has(name)) {
        const range = asked(name)?.range;
        const meant = range === undefined ? undefined : parseRange(name, range, catalogs());
        locks.set(name, undefined);
        for (const { file, find } of lockFiles) {
          // Some know what is aliased by its real name alone.
          const pinned = find()(name, range) ??
            (meant?.kind === "registry" && meant.name !== name
              ? find()(meant.name, meant.range)
              : undefined);
          if (pinned === undefined) continue;
          locks.set(name, { ...pinned, file });
          break;
        }
      }
      return locks.get(name);
    },
  };
}

/** What may not be looked at may be there. */
function isThere(path: string): boolean {
  try {
    return statIfExists(path) !== null;
  } catch {
    return true;
  }
}

/** A lock file's text; `null` where there is none that can be read. */
function readLock(cwd: string, name: string): string | null {
  try {
    return readIfExists(cwd, name, "lock");
  } catch {
    // Unreadable or too large: it pins nothing.
    return null;
  }
}

function present(
  entries: readonly (readonly [string, Manifest | undefined])[],
): Map<string, Manifest> {
  return new Map(
    entries.filter((entry): entry is readonly [string, Manifest] => entry[1] !== undefined),
  );
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
