/** What a plugin adds to the server. */

import type { Warning } from "./project.ts";
import type { Prompt } from "./prompt.ts";
import type { Resource } from "./resource.ts";
import type { Skill } from "./skill.ts";
import type { Table } from "./tables.ts";
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
  /** Tables for `refrakt_query`. */
  readonly tables?: readonly Table[];
  /** Commands to run in a shell, such as `plan serve`. */
  readonly shellOnly?: readonly string[];
  /** Tools that it no longer has, by name, each with a hint that says what does their job. */
  readonly withdrawn?: Readonly<Record<string, string>>;
  /** Problems to report, such as a plugin that did not load. */
  readonly warnings?: readonly Warning[];
}
