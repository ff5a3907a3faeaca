/**
 * `plan.create`: the plugin's own, with a checked id, title and attributes, and a
 * file that reads back as what was asked for.
 *
 * @module
 */

import host, { basename } from "node:path";
import { RefraktError } from "../../src/errors.ts";
import { withWriteGate } from "../../src/sandbox/call.ts";
import { statIfExists } from "../../src/sandbox/files.ts";
import { type PathFlavour, shownPath } from "../../src/sandbox/paths.ts";
import type { McpHandlerContext } from "../../src/surface/plugin.ts";
import type { Original } from "./commands.ts";
import { planFailure } from "./failures.ts";
import { existingPlan } from "./place.ts";
import { entityId, parseEntity } from "./scanner.ts";
import { checkAttributes, checkId, checkTitle } from "./values.ts";

interface Created {
  file: string;
  type: string;
  id: string;
}

/** Runs `plan.create`. */
export async function createEntity(
  input: Record<string, unknown>,
  context: McpHandlerContext,
  original: Original,
): Promise<Created & { path: string; uri: string }> {
  const { cwd } = context;
  const dir = existingPlan(cwd, input["dir"]);
  const title = checkTitle(String(input["title"]));
  const attributes = (input["attrs"] ?? {}) as Record<string, string>;
  checkAttributes(attributes);
  const { id: wantedId, ...rest } = input;
  const id = wantedId === undefined ? undefined : checkId(String(wantedId), String(input["type"]));
  if (input["type"] === "milestone" && id === undefined) {
    throw new RefraktError("INVALID_ARGS", '"id": required for a milestone', {
      hint: "Give its name, such as v1.2.0.",
    });
  }
  let written: string | undefined;
  try {
    const result = await withWriteGate(
      (path, text) => {
        const target = namedPath(path, title);
        if (target !== path && statIfExists(target) !== null) {
          throw new RefraktError("VALIDATION_ERROR", `File already exists: ${basename(target)}`, {
            hint: "Choose another title, or update the entity that is there.",
          });
        }
        verify(path, text, { title, id, attributes });
        return written = target;
      },
      () => original({ ...rest, title, dir, ...(id === undefined ? {} : { id }) }, context),
    ) as Created;
    const path = written ?? result.file;
    return {
      id: result.id,
      type: result.type,
      file: shownPath(dir, path),
      path: shownPath(cwd, path),
      uri: `refrakt://plan/${result.type}/${encodeURIComponent(result.id)}`,
    };
  } catch (error) {
    throw planFailure("create", error, { cwd, dir });
  }
}

/**
 * The path of a new entity. The plugin's slugs know only Latin letters; a title
 * without any would leave the name empty.
 *
 * @param api The path flavour, for tests of both; the host's by default.
 */
export function namedPath(path: string, title: string, api: PathFlavour = host): string {
  const name = api.basename(path);
  if (name !== ".md" && !name.endsWith("-.md")) return path;
  const slug = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
  return api.join(
    api.dirname(path),
    name.replace(/\.md$/, `${slug.slice(0, 60) || "untitled"}.md`),
  );
}

function verify(
  path: string,
  text: string,
  wanted: { title: string; id: string | undefined; attributes: Record<string, string> },
): void {
  const entity = parseEntity(text, basename(path));
  const harmed = entity === null || entityId(entity) === undefined ||
    wanted.id !== undefined && entityId(entity) !== wanted.id ||
    Object.entries(wanted.attributes).some(([name, value]) =>
      (entity.attributes[name] ?? "") !== value
    );
  if (!harmed) return;
  throw new RefraktError("VALIDATION_ERROR", "The entity would not read back as asked for", {
    hint: "Nothing was written. Use plainer values.",
  });
}
