import assert from "node:assert/strict";
import { join } from "node:path";
import type { Tool } from "@modelcontextprotocol/server";
import { typesOf } from "../support/model_apis.ts";
import { commitAll, makeProject } from "../support/project.ts";
import { copyExample } from "../support/run.ts";
import { type Session, withServer } from "../support/server.ts";

/** The ten most used tools, with calls whose results differ in form. */
const CALLS: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  "plan.list": [{}, { text: "the", fields: ["type", "path", "uri"] }],
  "plan.get": [{ id: "WORK-001" }, { ids: ["WORK-001", "WORK-002"] }],
  "plan.next": [{}, { count: 5, explain: true }],
  "plan.status": [{}, { detail: "full" }],
  "plan.update": [{ id: "WORK-001", priority: "high" }],
  "plan.validate": [{}, { detail: "full" }],
  "plan.history": [{}, { id: "WORK-001" }, { summary: true }],
  "refrakt.check": [{}],
  "refrakt.render": [{ source: "# Hello" }, { source: "# Hello", format: "html" }],
  "refrakt.inspect": [{ rune: "hint" }, { rune: "hint", attributes: { type: "all" } }],
};

/** Types that programs may rely on; each expected error precedes a wrong use. */
const PROGRAM = `
import type * as answers from "./types.ts";

export function lines(
  list: answers.PlanList, get: answers.PlanGet, next: answers.PlanNext, status: answers.PlanStatus,
  update: answers.PlanUpdate, validate: answers.PlanValidate, history: answers.PlanHistory,
  check: answers.RefraktCheck, render: answers.RefraktRender, inspect: answers.RefraktInspect,
): string[] {
  const commits = Array.isArray(history.commits) ? history.commits : [];
  // @ts-expect-error: an id is a text
  list.items[0]?.id.toFixed();
  // @ts-expect-error: a field that no answer has
  check.findings;
  // @ts-expect-error: a finding is a text
  check.groups[0]?.findings[0]?.line;
  // @ts-expect-error: a line is a number
  render.diagnostics[0]?.line?.trim();
  return [
    ...list.items.map(({ id, line }) => id.toUpperCase() + (line ?? 0).toFixed()),
    list.more?.cursor?.trim() ?? "",
    ...Object.values(get.sections ?? {}).map((text) => text.trim()),
    ...get.criteria?.map(({ n, text, checked }) => n.toFixed() + text.trim() + (checked ? "x" : "")) ?? [],
    ...next.items.map(({ id, priority }) => id.trim() + priority.trim()),
    ...Object.values(status.counts).map(({ total, byStatus }) => (total - (byStatus["done"] ?? 0)).toFixed()),
    ...status.ready.map(({ id }) => id.trim()),
    ...update.changes?.map((change) => change.field.trim() + change.new.trim()) ?? [],
    update.openCriteria?.toFixed() ?? "",
    ...validate.groups?.flatMap(({ type, count, ids }) => [type.trim(), count.toFixed(), ...ids]) ?? [],
    ...commits.flatMap(({ hash, changes }) => [hash.trim(), ...changes.map((what) => what.trim())]),
    ...check.groups.flatMap(({ severity, findings }) => [severity === "error" ? "!" : "", ...findings]),
    ...render.diagnostics.map(({ line, severity, message }) => (line ?? 0).toFixed() + severity + message.trim()),
    render.outline?.trim() ?? "",
    ...inspect.selectors?.map((selector) => selector.trim()) ?? [],
    inspect.html?.trim() ?? "",
  ];
}
`;

function project(): string {
  const cwd = copyExample("site-and-plan");
  commitAll(cwd, "Start");
  return cwd;
}

async function outputSchemas({ client, call }: Session): Promise<Record<string, unknown>> {
  await call("refrakt.detect");
  const tools = (await client.listTools()).tools as Tool[];
  return Object.fromEntries(
    Object.keys(CALLS).map((
      name,
    ) => [name, tools.find((tool) => tool.name === name)!.outputSchema]),
  );
}

Deno.test("programs compile against the types of results, and results match them", async (t) => {
  await withServer(project(), async (session) => {
    const schemas = await outputSchemas(session);
    await t.step("types", async () => {
      const typeName = (name: string) =>
        name.replace(/(^|\.)[a-z]/g, (part) => part.at(-1)!.toUpperCase());
      const types = await typesOf(
        Object.fromEntries(Object.entries(schemas).map(([name, json]) => [typeName(name), json])),
      );
      const cwd = makeProject({ "types.ts": types, "program.ts": PROGRAM, "deno.json": "{}" });
      const { code, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["check", "--quiet", join(cwd, "program.ts")],
        cwd,
        env: { NO_COLOR: "1" },
      }).output();
      assert.equal(code, 0, new TextDecoder().decode(stderr));
    });
    // At its end, the session validates every result by its tool's schema.
    for (const [name, inputs] of Object.entries(CALLS)) {
      for (const input of inputs) await session.ok(name, input);
    }
  }, { args: ["--tools", "all"] });
});
