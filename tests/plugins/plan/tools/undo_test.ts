/** `plan_undo`: gives back what the writes of this process have replaced. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { inProcess, withClients } from "../../../support/in_process.ts";
import { entity, makeProject, readTree } from "../../../support/project.ts";
import { WIDE_PLAN } from "./plan.ts";
import { itemsOf } from "../../../support/rows.ts";

const FIRST = "plan/work/WORK-001-parser.md";

/** The plan with line ends, a mark, a name and a mode that an undo must not lose. */
function project(): string {
  const cwd = makeProject({
    ...WIDE_PLAN,
    "plan/work/odd.md": `\uFEFF${entity("work", { id: "WORK-006" }, "Odd", "- [ ] A\n- [ ] B\n")}`
      .replaceAll("\n", "\r\n"),
  });
  if (Deno.build.os !== "windows") Deno.chmodSync(join(cwd, "plan/work/odd.md"), 0o640);
  return cwd;
}

const WRITES: Record<string, readonly [tool: string, args: Record<string, unknown>]> = {
  "a change of several": ["update", {
    ids: ["WORK-001", "WORK-004", "BUG-001"],
    milestone: "v0.9.0",
  }],
  "a new entity": ["create", { type: "bug", title: "Part", blocks: ["WORK-006"] }],
  "a claim": ["claim", { assignee: "bo", id: "WORK-002" }],
  "a migration": ["migrate", { subcommand: "filenames", apply: true }],
  "a new id": ["rename", { kind: "id", from: "BUG-001", to: "BUG-066" }],
};

Deno.test("plan_undo gives back what any tool has written, and can be undone", async (t) => {
  const cwd = project();
  const mode = () => Deno.statSync(join(cwd, "plan/work/odd.md")).mode;
  const before = [readTree(cwd), mode()];
  await inProcess(cwd, async ({ ok, call }) => {
    for (const [name, [tool, args]] of Object.entries(WRITES)) {
      await t.step(name, async () => {
        const { undo: token } = await ok(`plan_${tool}`, args);
        const after = readTree(cwd);
        assert.notDeepEqual(after, before[0]);
        const preview = await ok("plan_undo", { token, preview: true });
        assert.deepEqual(readTree(cwd), after);
        const { undo: again, ...done } = await ok("plan_undo", { token });
        assert.deepEqual({ ...done, preview: true }, { ...preview });
        assert.equal(done.tool, `plan_${tool}`);
        assert.deepEqual([readTree(cwd), mode()], before);
        assert.equal((await call("plan_undo", { token })).errorCode, "UNDO_EXPIRED");
        const { undo: last } = await ok("plan_undo", { token: again });
        assert.deepEqual(readTree(cwd), after);
        await ok("plan_undo", { token: last });
        assert.deepEqual([readTree(cwd), mode()], before);
        const items = itemsOf(await ok("plan_list", { limit: 1000 }));
        assert.equal(items.length, 12);
      });
    }
  });
});

Deno.test("plan_undo takes back all files of a write, or none", async (t) => {
  const cwd = project();
  const path = join(cwd, FIRST);
  await inProcess(cwd, async ({ ok, call }) => {
    const several = { ids: ["WORK-005", "WORK-001"], milestone: "v0.9.0" };
    const { undo: token } = await ok("plan_update", several);
    const text = Deno.readTextFileSync(path);
    Deno.writeTextFileSync(path, text + "\n");
    const before = readTree(cwd);
    const answer = await call("plan_undo", { token });
    assert.equal(answer.errorCode, "CONFLICT");
    assert.match(answer.content[0].text, /WORK-001-parser\.md" was changed since/);
    assert.deepEqual(readTree(cwd), before);
    Deno.writeTextFileSync(path, text);
    await ok("plan_undo", { token });
    await t.step("once, of many calls at the same time", async () => {
      const { undo: token } = await ok("plan_update", several);
      const calls = Array.from({ length: 8 }, () => call("plan_undo", { token }));
      const codes = (await Promise.all(calls)).map(({ errorCode }) => errorCode);
      assert.deepEqual(codes.filter((code) => code === undefined).length, 1);
      assert.deepEqual(codes.filter((code) => code === "UNDO_EXPIRED").length, 7);
    });
  });
});

Deno.test("connections of a process share what can be undone, and no other project has it", async () => {
  const cwd = project();
  const before = readTree(cwd);
  await withClients({ cwd }, async (connect) => {
    const update = { name: "plan_update", arguments: { id: "WORK-004", assignee: "ada" } };
    const { structuredContent: written } = await connect((client) => client.callTool(update));
    const { undo: token } = Object(written);
    const undo = { name: "plan_undo", arguments: { token } };
    // Another project has another plan.
    await inProcess(project(), async ({ call }) => {
      assert.equal((await call("plan_undo", { token })).errorCode, "UNDO_EXPIRED");
    });
    await connect((client) => client.callTool(undo), { era: "modern" });
    assert.deepEqual(readTree(cwd), before);
  });
});

Deno.test("plan_undo says what does the job of the arguments that it no longer has", async () => {
  await inProcess(project(), async ({ call }) => {
    for (const args of [{ by: "ada" }, { ids: ["WORK-001"], since: "1d" }]) {
      const { errorCode, hint } = await call("plan_undo", args);
      assert.equal(errorCode, "INVALID_ARGS");
      assert.match(hint!, /plan.history with by.*commit takes.*plan.update/);
    }
  });
});
