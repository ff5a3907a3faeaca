/** What schemas list for a version of the plan plugin, and what calls take of it. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { nearestRow } from "../../../../plugins/plan/upstream/listed_version.ts";
import { VOCABULARIES } from "../../../../plugins/plan/upstream/vocabularies.ts";
import { loadedPlan } from "../../../support/plan.ts";
import { PERIOD_MS } from "../../../../src/mcp/session.ts";
import { inProcess } from "../../../support/in_process.ts";
import { installReal } from "../../../support/installed.ts";
import { LAB_VERSION } from "../../../support/lab.ts";
import { replaceFile } from "../../../support/link_tree.ts";
import { makeProject, SMALL_PLAN } from "../../../support/project.ts";
import { FROM_REGISTRY, publish, TRUSTED } from "../../../support/published.ts";
import type { Asked } from "../../../support/server.ts";
import { testUnless } from "../../../support/skip.ts";
import { installPacked, NOT_PACKED } from "../../../support/upstream.ts";

const { "plan/bugs/BUG-001-crash.md": bug, ...PLAN } = SMALL_PLAN;

const IDS = { work: "WORK-001", bug: "BUG-001", spec: "SPEC-001", decision: "ADR-001" };
const ENTITIES = Object.entries({ ...IDS, milestone: "v1.0.0" });

const union = (lists: Iterable<readonly string[]>) => [...new Set([...lists].flat())];
const valuesIn = (field: "status" | "values" | "attributes") =>
  union(VOCABULARIES.flatMap((row) => Object.values(row[field])));

/** Every value and name of any version, and some of none. */
const STATUSES = [...valuesIn("status"), "nope", "Done"];
const NAMES = [...valuesIn("attributes").filter((name) => !["id", "name"].includes(name)), "nope"];
const MIGRATIONS = [...union(VOCABULARIES.map(({ migrations }) => migrations)), "nope"];
const VALUES = [...valuesIn("values"), "nope"];

const words = (text: string) => text.split(", ");

/** A plan with a file that has no id in its name, so that plan_migrate is listed. */
const planOf = (version: string) =>
  makeProject({
    ...PLAN,
    "plan/bugs/crash.md": bug!,
    "package.json": JSON.stringify({ devDependencies: { "@refrakt-md/plan": version } }),
    ".gitignore": "node_modules\n",
  });

interface Schema {
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

async function listedTools({ client }: Asked) {
  const { tools } = await client.listTools();
  const argumentsOf = (name: string) => {
    const tool = tools.find((entry: { name: string }) => entry.name === name);
    return (tool?.inputSchema.properties ?? {}) as Record<string, Schema>;
  };
  return { tools, argumentsOf };
}

/** The statuses of each type, as `plan_update` describes them. */
function statusesByType({ description }: Schema): Map<string, string[]> {
  return new Map(
    description!.split("; ").map((part) => {
      const [, type, values] = /^(\w+): (.*)$/.exec(part)!;
      return [type!, words(values!)];
    }),
  );
}

/** Checks the first list of a server against its calls. */
async function checkList(session: Asked, row: typeof VOCABULARIES[number]): Promise<void> {
  const { ok, call } = session;
  const { tools, argumentsOf: listed } = await listedTools(session);
  const update = listed("plan_update");
  const byType = statusesByType(update["status"]!);
  assert.deepEqual([...byType.keys()], listed("plan_create")["type"]!.enum);
  const refused = async (name: string, args: Record<string, unknown>, valid: readonly string[]) => {
    const answer = await call(name, args);
    const what = `${name} ${JSON.stringify(args)}`;
    assert.equal(answer.errorCode, "VALIDATION_ERROR", what);
    assert.equal(answer.hint, `Use one of: ${valid.join(", ")}.`, what);
  };
  for (const [type, id] of ENTITIES) {
    const valid = byType.get(type)!;
    for (const status of STATUSES) {
      const change = { id, status, preview: true };
      const title = { type, title: "New", preview: true, ...type === "milestone" && { id: "v9" } };
      const entity = { ...title, attrs: { status } };
      if (valid.includes(status)) {
        await ok("plan_update", change);
        // The package's own command fills the template, and checks the values itself.
        assert.ok((await ok("plan_create", entity)).preview.includes(`status="${status}"`));
      } else {
        await refused("plan_update", change, valid);
        await refused("plan_create", entity, valid);
      }
    }
  }
  const attrs = words(update["attrs"]!.description!);
  const all = words(listed("plan_create")["attrs"]!.description!);
  const taken = new Set<string>();
  for (const name of NAMES) {
    const enumerated = update[name]?.enum;
    const value = name === "status" ? undefined : enumerated?.[0] ?? "x";
    for (const [type, id] of ENTITIES) {
      const attributes = { [name]: value ?? byType.get(type)![0]! };
      const { errorCode, hint } = await call("plan_update", {
        id,
        attrs: attributes,
        preview: true,
      });
      if (errorCode === undefined) taken.add(name);
      else {
        const valid = row.attributes[type]!.filter((each) => !["id", "name"].includes(each));
        assert.equal(hint, `Use one of: ${valid.join(", ")}.`);
      }
    }
    assert.equal(taken.has(name), all.includes(name), name);
    assert.equal(taken.has(name), name in update || attrs.includes(name), name);
    const direct = await call("plan_update", { id: "WORK-001", [name]: "", preview: true });
    if (!(name in update)) assert.equal(direct.errorCode, "INVALID_ARGS", name);
  }
  for (const [name, id] of [["priority", "WORK-001"], ["severity", "BUG-001"]] as const) {
    for (const value of VALUES) {
      const change = { id, [name]: value, preview: true };
      if (update[name]!.enum!.includes(value)) await ok("plan_update", change);
      else await refused("plan_update", change, update[name]!.enum!);
    }
  }
  const { subcommand } = listed("plan_migrate");
  for (const name of MIGRATIONS) {
    const { errorCode } = await call("plan_migrate", { subcommand: name });
    assert.equal(errorCode, subcommand!.enum!.includes(name) ? undefined : "INVALID_ARGS", name);
  }
  assert.deepEqual((await listedTools(session)).tools, tools, "what is loaded was listed");
}

const rowOf = (version: string) => VOCABULARIES.find(({ versions }) => versions.includes(version))!;

for (const version of ["0.24.1", "0.24.6", "0.25.1"]) {
  Deno.test(`plan ${version}: calls take what the first list has, and nothing else`, async () => {
    const check = (session: Asked) => checkList(session, rowOf(version));
    await inProcess(planOf(version), check);
  });

  Deno.test(`plan ${version}: the table has what the package has`, async () => {
    const { vocabulary, sections } = await loadedPlan(version);
    const { versions: _versions, isPublished: _isPublished, ...row } = rowOf(version);
    assert.deepEqual({ ...vocabulary, sections }, row);
  });
}

testUnless(
  NOT_PACKED,
  "plan 0.29.0: calls take what the first list has, and nothing else",
  async () => {
    const cwd = planOf("0.29.0");
    await installPacked(cwd);
    await using server = await publish();
    const check = (session: Asked) => checkList(session, rowOf("0.29.0"));
    await server.serve(cwd, TRUSTED, check);
  },
);

for (const isInstalled of [true, false]) {
  const whose = isInstalled ? "its own" : "that of npm's newest";
  Deno.test(`a newer version has the newest vocabulary, and ${whose} with one notification`, async () => {
    const version = "99.0.0";
    const cwd = planOf(version);
    if (isInstalled) await installReal(cwd);
    const manifest = join(cwd, "node_modules/@refrakt-md/plan/package.json");
    if (isInstalled) {
      replaceFile(manifest, Deno.readTextFileSync(manifest).replace(LAB_VERSION, () => version));
    }
    await using server = await publish();
    await server.serve(cwd, isInstalled ? TRUSTED : FROM_REGISTRY, async (session) => {
      const { client, ok } = session;
      const changed: string[] = [];
      client.fallbackNotificationHandler = ({ method }: { method: string }) => {
        changed.push(method);
        return Promise.resolve();
      };
      const statuses = async () => {
        const { status } = (await listedTools(session)).argumentsOf("plan_update");
        return Object.fromEntries(statusesByType(status!));
      };
      assert.deepEqual(await statuses(), VOCABULARIES.at(-1)!.status);
      await ok("plan_next");
      assert.deepEqual(await statuses(), rowOf(LAB_VERSION).status);
      await new Promise((resolve) => setTimeout(resolve, 2 * PERIOD_MS));
      assert.deepEqual(changed, ["notifications/tools/list_changed"]);
    });
  });
}

Deno.test("the listed version is the project's, or the nearest older one", async () => {
  const table = [
    { versions: ["0.24.1", "0.24.6"], isPublished: true },
    { versions: ["0.25.1"], isPublished: true },
    { versions: ["0.26.0", "0.26.1"], isPublished: false },
    { versions: ["0.27.0"], isPublished: true },
    { versions: ["0.29.0"], isPublished: false },
  ];
  const cases = {
    "0.24.6": "0.24.1",
    "0.25.1": "0.25.1",
    "0.24.9": "0.24.1",
    "0.25.9": "0.25.1",
    "0.27.0-beta.1": "0.26.0",
    "0.1.0": "0.24.1",
    "99.0.0": "0.29.0",
    "^99.0.0": "0.29.0",
    "^0.24.0": "0.24.1",
    "~0.25.0 || 0.24.1": "0.25.1",
    ">=0.24": "0.27.0",
    "*": "0.27.0",
    "latest": "0.27.0",
    // In place of what npm does not have, its newest is loaded.
    "0.26.1": "0.27.0",
    "^0.26.0": "0.27.0",
    "0.29.0": "0.27.0",
  };
  for (const [version, expected] of Object.entries(cases)) {
    assert.equal((await nearestRow(table, version)).versions[0], expected, version);
  }
  for (const [version, expected] of [["0.26.1", "0.26.0"], ["0.29.0", "0.29.0"]] as const) {
    assert.equal((await nearestRow(table, version, true)).versions[0], expected, version);
  }
});
