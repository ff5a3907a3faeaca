/** Opens a project with its plugins, and keeps its inventory up to date. */

import { BUNDLED } from "../bundled.ts";
import { keptOf } from "../io/kept.ts";
import { createMemo } from "../io/memo.ts";
import { noteReads } from "../io/reads.ts";
import { waitAtMost } from "../io/turns.ts";
import { outsideCalls } from "../packages/stand_in_call.ts";
import type { Plugin } from "../plugin/plugin.ts";
import type { Project } from "../plugin/project.ts";
import { DEFAULT_BUDGET } from "../plugin/result.ts";
import { VERSION } from "../version.ts";
import { basePlugin, detectionReport, instructionsFor, undoTool } from "./detect.ts";
import { openProject, type ProjectOptions, projectRoot } from "./open_project.ts";
import { createResultStore } from "./shape.ts";
import { currentToolset, type Wait } from "./toolset.ts";
import type { Inventory } from "./inventory.ts";

/** A project and its inventory, kept up to date. */
export type Workspace = ReturnType<typeof openWorkspace>;

/** Delay between the first message and preparing calls, in milliseconds. */
const WARM_UP_DELAY_MS = 300;

/** How long a report waits for plugins and sites, in milliseconds. */
const REPORT_MS = 5000;

interface WorkspaceOptions extends ProjectOptions {
  /** The server's name, and instructions before those about the project. */
  readonly name?: string | undefined;
  readonly instructions?: string | undefined;
  /** The plugins of an embedding program. */
  readonly embedded?: readonly Plugin[] | undefined;
  /** The maximum size of a result, in characters. */
  readonly budget?: number | undefined;
  /** Whether lists wait for every package, for callers without notifications. */
  readonly patient?: boolean;
  /** Whether values may be kept for the next start. */
  readonly mayKeep?: boolean;
  /** Serves only this plugin. */
  readonly only?: OnlyPlugin | undefined;
}

/** A program that serves one plugin of this package. */
export interface OnlyPlugin {
  readonly name: string;
  readonly title: string;
  readonly instructions: string;
  readonly plugin: Plugin;
}

/** Opens a workspace, whose plugins load with the first inventory. */
export function openWorkspace(options: WorkspaceOptions = {}) {
  const cwd = projectRoot(options.cwd ?? ".");
  const results = createResultStore(options.budget ?? DEFAULT_BUDGET);
  const memo = createMemo(options.mayKeep ? keptOf(cwd, VERSION) : undefined);
  const { only, embedded = [], name = "refrakt" } = options;
  const served = only === undefined ? [...BUNDLED, ...embedded] : [only.plugin];
  const open = (): Project => {
    const project = openProject(cwd, options, served, memo);
    noteReads(project.reads);
    return only === undefined ? project : { ...project, warnings: [] };
  };
  const current = (): Project => {
    memo.begin();
    return memo("project", open);
  };
  const report = async (ms: number) => {
    const deadline = performance.now() + ms;
    const all = inventory("all");
    const soon = await (ms === Infinity ? all : waitAtMost(ms, all, () => inventory("lists")));
    return await outsideCalls(cwd, () => detectionReport(soon, served, deadline));
  };
  const base = basePlugin({
    detection: () => report(options.patient ? Infinity : REPORT_MS),
    inventory: () => inventory("all"),
    results,
  });
  const restPlugin = { name: "results", resources: [results.resource], tools: [undoTool] };
  const toolset = currentToolset({
    plugins: [only === undefined ? base : restPlugin, ...served],
    isEmbedded: embedded.length > 0,
    hasNpm: only === undefined,
    project: current,
  });
  const inventory = (asked: Wait): Promise<Inventory> => {
    const isList = asked === "tools" || asked === "lists";
    return toolset(isList).inventory(options.patient && isList ? "all" : asked);
  };

  return {
    info: { name: only?.name ?? name, title: only?.title ?? name, version: VERSION },
    results,
    /** The plugins that are served besides those of npm. */
    plugins: served,
    project: current,
    instructions: () =>
      only?.instructions ??
        [options.instructions, instructionsFor(current(), served)].filter(Boolean).join("\n\n"),
    inventory,
    /** The tool of an inventory by any spelling of its name, with its code. */
    toolOf: (inventory: Inventory, name: string) => toolset(false).toolOf(inventory, name),
    warm: async () => {
      // Let the client's first lists be answered.
      await new Promise((resolve) =>
        Deno.unrefTimer(Number(setTimeout(resolve, WARM_UP_DELAY_MS)))
      );
      const { project } = await inventory("all");
      for (const plugin of served) {
        await outsideCalls(cwd, async () => await plugin.warm?.(project));
      }
    },
    detection: () => report(Infinity),
  };
}
