/**
 * What one part of the server adds to the toolset.
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
  /** Tools, in any order; the registry sorts them. */
  readonly tools?: readonly Tool[];
  /** Resources and resource templates. */
  readonly resources?: readonly Resource[];
  /** Prompts. */
  readonly prompts?: readonly Prompt[];
  /** Skills. */
  readonly skills?: readonly Skill[];
  /** Commands that exist but are better run in a shell, as `plan.serve`. */
  readonly shellOnly?: readonly string[];
  /** What the user should know, such as a plugin that did not load. */
  readonly warnings?: readonly Warning[];
}

/** Looks at a project and says what it can do there. */
export type Contributor = (project: Project) => Contribution | Promise<Contribution>;
