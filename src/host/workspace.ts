/** What the server serves. */

import type { Project } from "../plugin/project.ts";
import type { Detection } from "../plugin/detection.ts";
import type { Inventory } from "./inventory.ts";
import type { ResultStore } from "./stored_results.ts";

/**
 * What an inventory waits for: `tools` for nothing that the build knows; `lists` for the code that
 * lists need; both for some seconds for plugins of others; `calls` for every plugin of the project;
 * `all` also for what the project does not have; or what an entry waits for, by its name.
 */
export type Wait = "tools" | "lists" | "calls" | "all" | { readonly name: string };

/** A project and its inventory, kept up to date. */
export interface Workspace {
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  readonly results: ResultStore;
  /** The maximum size of a result, in characters. */
  readonly budget: number;
  /** The current project; detects it again after changes. */
  project(): Project;
  /** The server's instructions for the client's model. */
  instructions(): string;
  /** Which tools, resources and prompts there are. */
  inventory(wait: Wait): Promise<Inventory>;
  warm(): Promise<void>;
  detection(): Promise<Detection>;
}
