/**
 * Reserved namespaces: only their owners may offer tools under them, in any spelling that a client
 * may use.
 *
 * @module
 */

import { nameKey } from "../tools/tool_names.ts";

/** A reserved namespace. */
export interface NamespaceOwner {
  /** The namespace. */
  readonly namespace: string;
  /** The package that has it, or what ships with this server. */
  readonly packageName: string;
}

const RESERVED: readonly NamespaceOwner[] = [
  { namespace: "plan", packageName: "@refrakt-md/plan" },
  { namespace: "docs", packageName: "@refrakt-md/docs" },
  { namespace: "ralph", packageName: "ralph" },
  { namespace: "refrakt", packageName: "this server" },
];

/**
 * The owner of a namespace, also of one that reads as a part of it: `plan-next` and
 * command `id` would be `plan_next_id`, as `plan.next-id` is.
 */
export function ownerOf(namespace: string): NamespaceOwner | undefined {
  const key = nameKey(namespace).toLowerCase();
  return RESERVED.find((reserved) =>
    key === reserved.namespace || key.startsWith(`${reserved.namespace}_`)
  );
}
