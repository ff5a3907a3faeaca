/**
 * What the server serves: a surface that follows the project.
 *
 * @module
 */

import type { Project } from "../project/project.ts";
import type { Surface } from "./registry.ts";

/** A project and its surface, kept current. */
export interface Workspace {
  /** The name and version that the server gives. */
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  /** The project as it is now; looks again where something changed. */
  project(): Project;
  /** What the server tells a client about itself, in a few lines. */
  instructions(): string;
  /** The surface as it is now. The first call waits for the plugins. */
  surface(): Promise<Surface>;
  /** Loads and prepares in the background what the first calls need. */
  warm(): Promise<void>;
  /** Changes when the content behind resources may have changed, such as the plan's files. */
  contentStamp(): string;
  /** The surface with everything that could be had, to answer for a tool that is not listed. */
  wholeSurface(): Promise<Surface>;
}
