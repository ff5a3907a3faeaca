/** What this package serves: a source is imported when its entries are listed or called. */

import { factsOf, loadAdapters, RALPH } from "../bundled.ts";
import { PLAN_PACKAGE } from "../packages/names.ts";
import type { Project } from "../plugin/project.ts";
import { has, type Part } from "./inventory.ts";
import type { Contribution } from "../plugin/contribution.ts";
import type { BaseSource } from "./base_tools.ts";
import { BUILT_TOOLS } from "./built_tools.ts";

/** A part of this package that declares tools. */
export interface Source {
  readonly name: string;
  /** The npm package that its tools work with: calls wait for it. */
  readonly packageName?: string;
  /** Whether it is about something that the project has. */
  applies(project: Project): boolean;
  /** The versions of the package whose declarations differ. */
  readonly versions?: readonly string[];
  /** The one of these that is listed until the project's version has loaded. */
  version?(project: Project): Promise<string>;
  /** @param version One of `versions`; by default the newest. */
  load(project: Project, base: BaseSource, version?: string): Promise<Contribution>;
}

export const SOURCES: readonly Source[] = [
  {
    name: "refrakt",
    applies: () => true,
    load: async (_project, base) => (await import("./base_tools.ts")).baseContribution(base),
  },
  {
    name: "site",
    applies: (project) => has(project, "site") || has(project, "plugin"),
    load: async (project) => (await import("../../plugins/site/mod.ts")).siteContribution(project),
  },
  {
    name: "plan",
    packageName: PLAN_PACKAGE,
    applies: ({ plan }) => plan !== null,
    versions: factsOf(PLAN_PACKAGE).listedVersions,
    version: factsOf(PLAN_PACKAGE).listedVersion,
    load: async (_project, _base, version) => {
      const adapters = await loadAdapters();
      return adapters.find(({ packageName }) => packageName === PLAN_PACKAGE)!.listed(version);
    },
  },
  RALPH,
];

/** The key of what the build knows of a source, which may have several versions. */
export function builtKey({ name }: Source, version: string | undefined): string {
  return version === undefined ? name : `${name} ${version}`;
}

/** The tools of a source as the build knows them, without its code; a checkout knows none. */
export function builtPart(source: Source, version: string | undefined): Part | undefined {
  const tools = BUILT_TOOLS[builtKey(source, version)];
  if (tools === undefined) return undefined;
  return { tools: JSON.parse(tools), waitsFor: source.packageName ?? source.name };
}
