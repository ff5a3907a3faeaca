/** Namespaces that packages cannot take. */

import { FIRST_PARTY_SCOPE, PLAN_PACKAGE } from "../packages/names.ts";
import { nameKey } from "./tool_names.ts";

/** The owners of reserved namespaces. */
const OWNERS: Readonly<Record<string, string>> = {
  plan: PLAN_PACKAGE,
  docs: `${FIRST_PARTY_SCOPE}docs`,
  ralph: "ralph",
  refrakt: "this server",
};

/**
 * Whose namespace a package's could be confused with: command `id` of `plan-next` would be
 * `plan_next_id`, which is `plan_next_id`.
 */
export function reservedFor(
  namespace: string,
  packageName: string,
): { readonly name: string; readonly owner: string } | undefined {
  const key = nameKey(namespace).toLowerCase();
  const found = Object.entries(OWNERS)
    .find(([name]) => key === name || key.startsWith(`${name}_`));
  if (found === undefined || found[1] === packageName) return undefined;
  return { name: found[0], owner: found[1] };
}
