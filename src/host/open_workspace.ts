/** Opens a project with its plugins, and keeps its inventory up to date. */

import { openProject, type ProjectOptions, projectRoot } from "./open_project.ts";
import type { Project } from "../plugin/project.ts";
import { createMemo } from "../io/memo.ts";
import { noteReads } from "../io/reads.ts";
import { waitAtMost } from "../io/wait.ts";
import { QuerySession } from "../../plugins/query/query_session.ts";
import { siteEngine } from "../../plugins/site/engine/lazy.ts";
import type { Contribution } from "../plugin/contribution.ts";
import { tablesOf } from "./lookup.ts";
import { createResultStore } from "./stored_results.ts";
import { DEFAULT_BUDGET } from "../plugin/result.ts";
import type { Workspace } from "./workspace.ts";
import { VERSION } from "../version.ts";
import { detection } from "./detect.ts";
import { instructionsFor } from "./instructions.ts";
import { createInventory } from "./inventories.ts";
import { siteReports } from "./site_reports.ts";
import type { Source } from "./sources.ts";

/** Delay between the first message and preparing calls, in milliseconds. */
const WARM_UP_DELAY_MS = 300;

/** How long a report waits for plugins and sites, in milliseconds. */
const REPORT_MS = 5000;

export interface WorkspaceOptions extends ProjectOptions {
  /** The project's directory; the process's by default. */
  readonly cwd?: string | undefined;
  /** The server's name, and instructions before those about the project. */
  readonly name?: string | undefined;
  readonly instructions?: string | undefined;
  /** The tools, resources and prompts of an embedding program. */
  readonly contribution?: Contribution | undefined;
  /** The maximum size of a result, in characters. */
  readonly budget?: number | undefined;
  /** Whether lists wait for every package, for callers without notifications. */
  readonly patient?: boolean;
  /** Serves only this plugin. */
  readonly only?: OnlyPlugin;
}

/** A program that serves one bundled plugin. */
export interface OnlyPlugin {
  readonly name: string;
  readonly title: string;
  readonly instructions: string;
  readonly source: Source;
}

/**
 * Opens a workspace. Plugins load, and the stand-ins for modules are installed, with the first inventory.
 *
 * @throws {RefraktError} `NOT_FOUND` if the directory does not exist.
 */
export function openWorkspace(options: WorkspaceOptions = {}): Workspace {
  const cwd = projectRoot(options.cwd ?? ".");
  const budget = options.budget ?? DEFAULT_BUDGET;
  const results = createResultStore(budget);
  const memo = createMemo();
  const { only } = options;
  const open = (): Project => {
    const found = openProject(cwd, options, memo);
    noteReads(found.reads);
    return only === undefined ? found : { ...found, site: null, warnings: [] };
  };
  const current = (): Project => {
    memo.begin();
    return memo("project", open);
  };
  const report = async (ms: number) => {
    const deadline = performance.now() + ms;
    const complete = inventory("calls");
    const current = ms === Infinity
      ? await complete
      : await waitAtMost(ms, complete, () => inventory("lists"));
    return await detection(current, await siteReports(current.project, deadline, current.warnings));
  };
  const soonMs = options.patient ? Infinity : REPORT_MS;
  const inventory = createInventory({
    base: {
      detection: () => report(soonMs),
      inventory: () => inventory("calls"),
      results,
      query: new QuerySession(async () => tablesOf(await inventory("calls"))),
    },
    contribution: options.contribution,
    only: only?.source,
    project: current,
  });

  return {
    info: {
      name: only?.name ?? options.name ?? "refrakt",
      title: only?.title ?? options.name ?? "refrakt",
      version: VERSION,
    },
    results,
    budget,
    project: current,
    instructions: () =>
      only?.instructions ??
        [options.instructions, instructionsFor(current())].filter(Boolean).join("\n\n"),
    inventory: (wait) =>
      inventory(options.patient && (wait === "tools" || wait === "lists") ? "calls" : wait),
    warm: async () => {
      // The client's first lists go first.
      await new Promise((resolve) =>
        Deno.unrefTimer(Number(setTimeout(resolve, WARM_UP_DELAY_MS)))
      );
      const { project, plugins } = await inventory("calls");
      for (const plugin of plugins) await plugin.warm?.(project);
      if (project.site !== null) await (await siteEngine()).warm({ project });
    },
    detection: () => report(Infinity),
  };
}
