/** Reads all pages of an answer. */

import type { Session } from "./server.ts";

/** The complete answer: its head and every next page. */
export async function whole(
  ok: Session["ok"],
  name: string,
  args?: Record<string, unknown>,
  // deno-lint-ignore no-explicit-any -- tests look into it freely
): Promise<any> {
  return await joined(await ok(name, args), (cursor) => ok("refrakt_more", { cursor }));
}

/** Joins an answer with the pages that `more` leads to. */
export async function joined(
  answer: Record<string, unknown>,
  next: (cursor: string) => unknown,
): Promise<unknown> {
  const { more, ...head } = answer as { more?: { cursor: string; parts: Record<string, unknown> } };
  if (more === undefined) return head;
  const rest = await joined(await next(more.cursor) as Record<string, unknown>, next);
  return join(head, rest, "", Object.keys(more.parts));
}

function join(head: unknown, rest: unknown, path: string, cut: readonly string[]): unknown {
  if (typeof head === "string" && typeof rest === "string") return head + rest;
  const at = (key: string) => path === "" ? key : `${path}.${key}`;
  if (Array.isArray(head) && Array.isArray(rest)) {
    const inFirst = cut.some((part) => part === at("0") || part.startsWith(`${at("0")}.`));
    if (!inFirst) return [...head, ...rest];
    return [join(head[0], rest[0], at("0"), cut), ...rest.slice(1)];
  }
  if (typeof head !== "object" || typeof rest !== "object" || head === null || rest === null) {
    return rest;
  }
  const all = { ...head } as Record<string, unknown>;
  for (const [key, value] of Object.entries(rest)) {
    all[key] = Object.hasOwn(all, key) ? join(all[key], value, at(key), cut) : value;
  }
  return all;
}
