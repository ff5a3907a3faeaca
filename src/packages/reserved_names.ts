/** Namespaces that packages cannot take. */

import type { Project } from "../plugin/project.ts";
import { FIRST_PARTY_SCOPE } from "./names.ts";
import { nameKey } from "../plugin/tool_names.ts";

/** The owners of reserved namespaces, besides those of plugins of this package. */
const OWNERS: Readonly<Record<string, string>> = {
  docs: `${FIRST_PARTY_SCOPE}docs`,
  refrakt: "this server",
};

/**
 * Whose namespace a package's could be confused with: command `id` of `plan-next` would be
 * `plan_next_id`, which is `plan_next_id`.
 */
export function reservedFor(
  namespace: string,
  packageName: string,
  { namespaces }: Pick<Project, "namespaces">,
): { readonly name: string; readonly owner: string } | undefined {
  const key = nameKey(namespace).toLowerCase();
  const found = Object.entries({ ...namespaces, ...OWNERS })
    .find(([name]) => key === name || key.startsWith(`${name}_`));
  if (found === undefined || found[1] === packageName) return undefined;
  return { name: found[0], owner: found[1] };
}
