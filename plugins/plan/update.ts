/**
 * `plan.update`: the plugin's own, with every value checked before and the result
 * read back before it is written.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import { readTextIfExists } from "../../src/sandbox/files.ts";
import { withWriteGate } from "../../src/sandbox/call.ts";
import { resolveInside } from "../../src/sandbox/paths.ts";
import type { McpHandlerContext } from "../../src/surface/plugin.ts";
import { planFailure, unknownEntity } from "./failures.ts";
import type { Original } from "./commands.ts";
import { withLineEndsAt } from "./line_ends.ts";
import { existingPlan } from "./place.ts";
import { findEntity, parseEntity, type PlanEntity } from "./scanner.ts";
import { checkAttributes, checkResolution } from "./values.ts";

const FIELDS = ["status", "priority", "severity", "complexity", "assignee", "milestone"];

interface Change {
  field: string;
  old: string;
  new: string;
}

interface UpdateResult {
  file: string;
  type: string;
  changes: Change[];
}

/** Runs `plan.update`. */
export async function updateEntity(
  input: Record<string, unknown>,
  context: McpHandlerContext,
  original: Original,
): Promise<UpdateResult & { id: string; uri: string }> {
  const { cwd } = context;
  const dir = existingPlan(cwd, input["dir"]);
  const id = String(input["id"]);
  const before = findEntity(cwd, dir, id);
  if (before === undefined) throw unknownEntity(cwd, dir, id);
  const attributes = wantedAttributes(input);
  checkAttributes(attributes);
  if (attributes["status"] === "") {
    throw new RefraktError("VALIDATION_ERROR", "The status may not be removed", {
      hint: "Give the status that the entity has now.",
    });
  }
  const { attrs: _attrs, resolveFile, ...rest } = input;
  for (const field of FIELDS) delete rest[field];
  const resolve = resolutionText(cwd, input["resolve"], resolveFile);
  if (resolve !== undefined) rest["resolve"] = checkResolution(resolve);
  const call = (written: Record<string, string>) =>
    withWriteGate(
      (path, text) => {
        const kept = withLineEndsAt(path, text);
        verify(before, kept, attributes);
        return { path, text: kept };
      },
      () => original({ ...rest, id, dir, attrs: written }, context),
    ) as Promise<UpdateResult>;
  try {
    const result = await attempt(call, attributes);
    return { id, ...result, uri: `refrakt://plan/${result.type}/${encodeURIComponent(id)}` };
  } catch (error) {
    throw planFailure("update", error, { cwd, dir, id });
  }
}

/**
 * Some versions of the plugin take `$` in a value for a pattern. What is about to
 * be written tells; then the value is given in the form that comes out right.
 */
async function attempt(
  call: (attributes: Record<string, string>) => Promise<UpdateResult>,
  attributes: Record<string, string>,
): Promise<UpdateResult> {
  try {
    return await call(attributes);
  } catch (error) {
    const hasDollar = Object.values(attributes).some((value) => value.includes("$"));
    if (!(error instanceof ReadBackError) || !hasDollar) throw error;
    const doubled = Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [name, value.replaceAll("$", "$$$$")]),
    );
    const result = await call(doubled);
    const changes = result.changes.map((change) =>
      Object.hasOwn(attributes, change.field) && change.new === doubled[change.field]
        ? { ...change, new: attributes[change.field]! }
        : change
    );
    return { ...result, changes };
  }
}

/** The write would not have kept the entity as it is to be. */
class ReadBackError extends RefraktError {
  constructor(what: string) {
    super("VALIDATION_ERROR", `The change would harm the entity: ${what}`, {
      hint: "Nothing was written. Use plainer values, or edit the file by hand.",
    });
  }
}

/** Makes sure that the new text is the same entity with the wanted attributes, and the rest unchanged. */
function verify(before: PlanEntity, text: string, attributes: Record<string, string>): void {
  const after = parseEntity(text, before.file);
  if (after === null || after.type !== before.type) {
    throw new ReadBackError("its tag could not be read any more");
  }
  for (const name of new Set([...Object.keys(before.attributes), ...Object.keys(attributes)])) {
    const wanted = Object.hasOwn(attributes, name)
      ? attributes[name] || undefined
      : before.attributes[name];
    if ((after.attributes[name] || undefined) !== (wanted || undefined)) {
      throw new ReadBackError(
        `its attribute "${name}" would read ${JSON.stringify(after.attributes[name] ?? null)}`,
      );
    }
  }
  for (const name of Object.keys(after.attributes)) {
    if (!Object.hasOwn(before.attributes, name) && !Object.hasOwn(attributes, name)) {
      throw new ReadBackError(`it would gain the attribute "${name}"`);
    }
  }
  if (after.title !== before.title) throw new ReadBackError("its title would change");
}

/** The attributes that the call sets: the named fields win over `attrs`. */
function wantedAttributes(input: Record<string, unknown>): Record<string, string> {
  const attributes = { ...(input["attrs"] as Record<string, string> | undefined) };
  for (const field of FIELDS) {
    if (typeof input[field] === "string") attributes[field] = input[field];
  }
  return attributes;
}

function resolutionText(
  cwd: string,
  resolve: unknown,
  resolveFile: unknown,
): string | undefined {
  if (resolveFile === undefined) return resolve as string | undefined;
  if (resolve !== undefined) {
    throw new RefraktError("INVALID_ARGS", '"resolve" and "resolveFile" exclude each other', {
      hint: "Give one of them.",
    });
  }
  const path = resolveInside(cwd, String(resolveFile), '"resolveFile"');
  const text = readTextIfExists(path);
  if (text !== null) return text;
  throw new RefraktError("NOT_FOUND", `No such file: ${String(resolveFile)}`, {
    hint: 'Give "resolveFile" as a path inside the project, or the text in "resolve".',
  });
}
