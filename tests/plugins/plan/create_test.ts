import assert from "node:assert/strict";
import { join } from "node:path";
import {
  entity,
  exists,
  makeProject,
  readTree,
  SMALL_PLAN,
  writeFiles,
} from "../../support/project.ts";
import { inProcess } from "../../support/in_process.ts";

Deno.test("plan_create scaffolds what reads back, and refuses what would not", async (test) => {
  // An overlong number does not count for the next id.
  const huge = entity("bug", { id: "BUG-99999999999999999999", status: "reported" }, "Huge", "");
  const cwd = makeProject({ ...SMALL_PLAN, "plan/bugs/huge.md": huge });
  await inProcess(cwd, async ({ ok, call, read }) => {
    await test.step("each type gets its file, its id and its address", async () => {
      const cases = [
        [{ type: "work", title: "New work" }, "WORK-003", "work/WORK-003-new-work.md"],
        [{ type: "bug", title: "New bug" }, "BUG-002", "bugs/BUG-002-new-bug.md"],
        [{ type: "spec", title: "New spec" }, "SPEC-002", "specs/SPEC-002-new-spec.md"],
        [{ type: "decision", title: "A way" }, "ADR-002", "decisions/ADR-002-a-way.md"],
        [{ type: "milestone", title: "Two", id: "v2.0.0" }, "v2.0.0", "milestones/v2.0.0.md"],
        [{ type: "work", title: "Own", id: "WORK-100" }, "WORK-100", "work/WORK-100-own.md"],
        [{ type: "milestone", title: "日本語", id: "v3.0.0" }, "v3.0.0", "milestones/v3.0.0.md"],
        [{ type: "spec", title: "Größe ändern" }, "SPEC-003", "specs/SPEC-003-größe-ändern.md"],
        [{ type: "bug", title: "Сбой 表" }, "BUG-003", "bugs/BUG-003-сбой-表.md"],
        [{ type: "work", title: "!!!" }, "WORK-101", "work/WORK-101-untitled.md"],
      ] as const;
      for (const [input, id, file] of cases) {
        assert.equal((await ok("plan_next_id", { type: "work" })).type, "work");
        const created = await ok("plan_create", input);
        assert.deepEqual([created.id, created.file, created.type], [id, file, input.type]);
        assert.equal(created.path, `plan/${file}`);
        const text = await read(created.uri);
        assert.equal(text, Deno.readTextFileSync(join(cwd, created.path)));
        assert.ok(new RegExp(`^# .*${input.title}$`, "m").test(text), text);
      }
    });
    await test.step("everything else is refused, and nothing is written", async () => {
      const before = readTree(cwd);
      const long = "x".repeat(201);
      const ids = "../../evil /tmp/evil .. a\\b .hidden a..b a. ä".split(" ");
      ids.push("", "a b", "x".repeat(65));
      const inputs = [
        [{ type: "work" }, "INVALID_ARGS"],
        [{ type: "work", title: "" }, "INVALID_ARGS"],
        [{ type: "work", title: "x", tilte: "y" }, "INVALID_ARGS"],
        [{ type: "milestone", title: "x" }, "INVALID_ARGS"],
        [{ type: "work", title: long }, "VALIDATION_ERROR"],
        [{ type: "work", title: "a {% work %}" }, "VALIDATION_ERROR"],
        ...ids.map((id) => [{ type: "work", title: "x", id }, "VALIDATION_ERROR"] as const),
        [{ type: "work", title: "x", id: "WORK-001" }, "VALIDATION_ERROR"],
        [{ type: "work", title: "x", attrs: { status: "nope" } }, "VALIDATION_ERROR"],
        [{ type: "work", title: "x", attrs: { id: "WORK-100" } }, "VALIDATION_ERROR"],
        [{ type: "work", title: "x", dir: "../elsewhere" }, "PERMISSION_DENIED"],
      ] as const;
      for (const [input, code] of inputs) {
        const answer = await call("plan_create", input as Record<string, unknown>);
        assert.equal(answer.errorCode, code, JSON.stringify([input, answer]));
        assert.ok(typeof answer.hint === "string" && answer.hint !== "");
      }
      const other = await call("plan_create", { type: "work", title: "x", id: "BUG-900" });
      assert.match(other.hint!, /belong to bug/);
      assert.deepEqual(readTree(cwd), before);
      assert.ok(!exists(join(cwd, "../evil.md")));
    });
  });
});

/** Lets another program write files in the moment before the first new file gets its name. */
async function during(cwd: string, files: Record<string, string>, work: () => Promise<void>) {
  const { linkSync } = Deno;
  let isDone = false;
  Deno.linkSync = (from, to) => {
    if (!isDone && String(to).endsWith("-mine.md")) {
      isDone = true;
      writeFiles(cwd, files);
    }
    linkSync(from, to);
  };
  try {
    await work();
  } finally {
    Object.assign(Deno, { linkSync });
  }
  assert.ok(isDone);
}

Deno.test("what another program writes meanwhile gets no second id, and leaves no half of a call", async () => {
  const cwd = makeProject(SMALL_PLAN);
  const theirs = { "plan/work/theirs.md": entity("work", { id: "WORK-003" }, "Theirs", "") };
  await inProcess(cwd, async ({ ok, call }) => {
    await during(cwd, theirs, async () => {
      const { id, path } = await ok("plan_create", { type: "work", title: "Mine" });
      assert.deepEqual([id, path], ["WORK-004", "plan/work/WORK-004-mine.md"]);
    });
    assert.ok(!exists(join(cwd, "plan/work/WORK-003-mine.md")));
    Deno.removeSync(join(cwd, "plan/work/WORK-004-mine.md"));
    const name = "plan/work/WORK-001-first.md";
    const saved = `${SMALL_PLAN[name]}\nSaved.\n`;
    await during(cwd, { [name]: saved }, async () => {
      const input = { type: "work", title: "Mine", blocks: ["WORK-001"] };
      assert.equal((await call("plan_create", input)).errorCode, "CONFLICT");
    });
    assert.deepEqual(readTree(cwd), { ...SMALL_PLAN, ...theirs, [name]: saved });
  });
});
