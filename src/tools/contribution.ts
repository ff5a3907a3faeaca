/**
 * What a part of the server adds to the toolset.
 *
 * @module
 */

import type { Project, Warning } from "../project/project.ts";
import type { Prompt } from "./prompt.ts";
import type { Resource } from "./resource.ts";
import type { Skill } from "./skill.ts";
import type { Tool } from "./tool.ts";

/** Tools, resources and prompts from one source. */
export interface Contribution {
  /** In any order; the registry sorts them. */
  readonly tools?: readonly Tool[];
  /** Resources and resource templates. */
  readonly resources?: readonly Resource[];
  /** Prompts. */
  readonly prompts?: readonly Prompt[];
  /** Skills. */
  readonly skills?: readonly Skill[];
  /** Commands to run in a shell, such as `plan.serve`. */
  readonly shellOnly?: readonly string[];
  /** Problems to report, such as a plugin that did not load. */
  readonly warnings?: readonly Warning[];
}

/** Creates the contribution for a project. */
export type Contributor = (project: Project) => Contribution | Promise<Contribution>;
