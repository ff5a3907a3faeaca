/** `plan.discard`: undoes `plan.create` if the new file is unchanged. */

import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { readIfExists } from "../../../src/io/read.ts";
import type { PlanPlugin } from "../store/loaded.ts";
import type { CreatedEntity } from "../write/create.ts";
import { withPlanLock } from "../store/place.ts";
import { writeTool } from "./plan_tool.ts";

/** Entities created by this server, by path. */
type Created = Map<string, Pick<CreatedEntity, "id" | "document">>;

/** Keyed by plugin, so that two workspaces in a process do not share them. */
const CREATED = new WeakMap<PlanPlugin, Created>();

/** Records an entity that `plan.create` wrote. */
export function rememberCreated(plugin: PlanPlugin, { id, path, document }: CreatedEntity): void {
  const created: Created = CREATED.get(plugin) ?? new Map();
  CREATED.set(plugin, created.set(path, { id, document }));
}

export const discardTool = writeTool({
  name: "plan.discard",
  title: "Discard a new entity",
  description: "Removes an entity that this server created, while its file is unchanged.",
  annotations: { destructiveHint: true, idempotentHint: false },
  listed: { with: ["plan"], to: "views" },
  input: { id: z.string() },
  output: z.object({ id: z.string(), file: z.string() }),
  // Hosts let views call the tool and hide it from models.
  _meta: { ui: { visibility: ["app"] } },
  run: ({ id }, place) =>
    withPlanLock(place, async () => {
      const { plugin, cwd, dir, store, signal } = place;
      const [entity] = await store.allOf(id, signal);
      const path = entity === undefined ? "" : store.path(entity.file);
      const created = CREATED.get(plugin)?.get(path);
      if (created?.id !== id) {
        throw new RefraktError("NOT_FOUND", `This server did not create ${id}`, {
          hint: "Only entities that plan.create made in this session can be discarded.",
        });
      }
      if (readIfExists(cwd, path, "plan") !== created.document.source) {
        throw new RefraktError("CONFLICT", `${id} was changed after it was created`, {
          hint: "Nothing was removed. Read it with plan.get, then set a final status.",
        });
      }
      Deno.removeSync(path);
      CREATED.get(plugin)!.delete(path);
      return { id, file: shownPath(dir, path) };
    }),
});
