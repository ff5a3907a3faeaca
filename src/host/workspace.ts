/** What the server serves. */

import type { Plugin } from "../plugin/plugin.ts";
import type { Project } from "../plugin/project.ts";
import type { Detection } from "../plugin/detection.ts";
import type { Inventory } from "./inventory.ts";
import type { Tool } from "../plugin/tool.ts";
import type { ResultStore } from "./stored_results.ts";

/**
 * What an inventory waits for: `known` for nothing but our own declarations; `tools` for some seconds
 * for plugins of others; `lists` also for what the other lists need; `all` for every plugin of the
 * project; `everything` also for what the project does not have.
 */
export type Wait = "known" | "tools" | "lists" | "all" | "everything";

/** A project and its inventory, kept up to date. */
export interface Workspace {
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  readonly results: ResultStore;
  /** The plugins that are served besides those of npm. */
  readonly plugins: readonly Plugin[];
  /** The current project; detects it again after changes. */
  project(): Project;
  /** The server's instructions for the client's model. */
  instructions(): string;
  /** Which tools, resources and prompts there are. */
  inventory(wait: Wait): Promise<Inventory>;
  /** The tool of an inventory by any spelling of its name, with its code. */
  toolOf(inventory: Inventory, name: string): Promise<Tool | undefined>;
  warm(): Promise<void>;
  detection(): Promise<Detection>;
}
