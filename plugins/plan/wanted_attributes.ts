/**
 * What the plugin makes of attributes that are to be set: its rules decide, its writing does not.
 *
 * @module
 */

import { basename, dirname } from "node:path";
import type { SeenFile } from "../../src/io/shared_files.ts";
import { withInterceptor } from "../../src/sandbox/call.ts";
import type { McpHandlerContext } from "../../src/tools/plugin.ts";
import type { PlanPlugin } from "./commands.ts";
import type { Change } from "./edits.ts";
import { idOf, type ParsedEntity, type PlanEntity } from "./entity.ts";
import { planFailure } from "./failures.ts";

/**
 * The attributes that the plugin makes of the wanted ones, and what that changes. Its handler
 * updates a text that has nothing but the tag.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for what the plugin does not allow.
 */
export async function wantedAttributes(
  plugin: PlanPlugin,
  context: McpHandlerContext,
  { entity, seen, attributes }: {
    readonly entity: ParsedEntity;
    readonly seen: Pick<SeenFile, "path">;
    readonly attributes: Readonly<Record<string, string>>;
  },
): Promise<{ attributes: Record<string, string>; changes: Change[] }> {
  if (Object.keys(attributes).length === 0) return { attributes: {}, changes: [] };
  const source = tagAlone(entity);
  let written = source;
  const found: PlanEntity = {
    ...entity,
    id: idOf(entity.attributes),
    mtime: 0,
    file: basename(seen.path),
  };
  const named: Record<string, string> = {};
  const others: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    // Some versions take `$` in a value for a pattern: they get another letter for it.
    (plugin.updateFields.has(name) ? named : others)[name] = value.replaceAll("$", "_");
  }
  const input = { ...named, id: found.id, dir: dirname(seen.path), attrs: others };
  let result: { changes?: readonly Change[] };
  try {
    result = await withInterceptor(
      {
        read: (path) => path === seen.path ? source : undefined,
        write: (path, text) => {
          if (path === seen.path) written = text;
          return null;
        },
      },
      () =>
        plugin.withScan(
          () => [found],
          () => plugin.original<typeof result>("update")(input, context),
        ),
    );
  } catch (error) {
    throw planFailure("update", error);
  }
  const [old, now] = [source, written].map((text) => plugin.parser.parse(text, "tag.md"));
  const made: Record<string, string> = {};
  for (const name of new Set([old, now].flatMap((one) => Object.keys(one?.attributes ?? {})))) {
    const value = now?.attributes[name] ?? "";
    if (value !== (old?.attributes[name] ?? "")) made[name] = value;
  }
  for (const [name, value] of Object.entries(attributes)) {
    if (value.includes("$") || now === null) made[name] = value;
    // What is so already may be written in another way than the plugin writes it.
    else if ((entity.attributes[name] ?? "") !== value) made[name] ??= value;
  }
  const changes = (result.changes ?? []).map((change) =>
    attributes[change.field]?.includes("$") ? { ...change, new: attributes[change.field]! } : change
  );
  for (const [name, value] of Object.entries(made)) {
    if (changes.some(({ field }) => field === name)) continue;
    const before = entity.attributes[name] ?? "";
    changes.push({ field: name, old: before, new: value === "" ? "(removed)" : value });
  }
  return { attributes: made, changes };
}

/** An entity that has nothing but its tag, with every attribute that can be written plainly. */
function tagAlone({ type, attributes }: ParsedEntity): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => !/["'\\\n\r]|%\}|\{%/.test(value))
    .map(([name, value]) => `${name}="${value}"`);
  return `{% ${type} ${written.join(" ")} %}\n\n# Title\n\n{% /${type} %}\n`;
}
