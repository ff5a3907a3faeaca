/** What the server serves. */

import type { Project } from "../project/project.ts";
import type { Detection, DiscoveredPlugin } from "./detection.ts";
import type { Toolset } from "./registry.ts";
import type { ResultStore } from "./stored_results.ts";
import type { ListedTool, Tool } from "./tool.ts";

/** What a list of tools is made of: a toolset, or what is known before it is loaded. */
export interface ToolList extends Pick<Toolset, "warnings"> {
  listedTools(views?: boolean): readonly ListedTool[];
  findTool(name: string): Pick<Tool, "name"> | undefined;
}

/** A project and its toolset, kept up to date. */
export interface Workspace {
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  readonly results: ResultStore;
  /** The maximum size of a result, in characters. */
  readonly budget: number;
  /** The current project; detects it again after changes. */
  project(): Project;
  /** The server's instructions for the client's model. */
  instructions(): string;
  toolset(): Promise<Toolset>;
  /** For the list of tools, which may be known before the toolset. */
  toolList(): Promise<ToolList>;
  warm(): Promise<void>;
  /** The toolset with everything, also what does not apply to the project. */
  wholeToolset(): Promise<Toolset>;
  detection(): Promise<Detection>;
  plugins(): Promise<readonly DiscoveredPlugin[]>;
  /** The command line that calls a tool in a shell. */
  shellCommand(tool: string, args?: unknown): Promise<string>;
}
