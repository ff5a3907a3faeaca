/**
 * What the server serves: a toolset that follows the project.
 *
 * @module
 */

import type { Project } from "../project/project.ts";
import type { Detection } from "./detection.ts";
import type { DiscoveredPlugin } from "./discovered_plugin.ts";
import type { Toolset } from "./registry.ts";
import type { ResultStore } from "./stored_results.ts";

/** A project and its toolset, kept current. */
export interface Workspace {
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  /** Where what did not fit into an answer is kept. */
  readonly results: ResultStore;
  /** The most characters of a result. */
  readonly budget: number;
  /** The project as it is now; looks again where something changed. */
  project(): Project;
  /** What a client is told about the server; `spell` spells the names of tools, dotted by default. */
  instructions(spell?: (name: string) => string): string;
  toolset(): Promise<Toolset>;
  warm(): Promise<void>;
  /** Changes when the content behind resources may have changed, such as the plan's files. */
  contentStamp(): string;
  /** The toolset with everything that could be had, to answer for a tool that is not listed. */
  wholeToolset(): Promise<Toolset>;
  detection(): Promise<Detection>;
  plugins(): Promise<readonly DiscoveredPlugin[]>;
}
