import assert from "node:assert/strict";
import { join } from "node:path";
import { commitAll, entity, makeProject, readTree } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { type Session, withServers } from "../../../support/server.ts";

const item = (id: string, attributes: Record<string, string> = {}, body = "") =>
  entity(
    "work",
    { id, status: "ready", priority: "high", ...attributes },
    `Item ${id}`,
    `- [ ] It works\n${body}`,
  );

/** A plan of ready items. */
function plan(count: number, more: Record<string, string> = {}): string {
  const ids = Array.from({ length: count }, (_, n) => `WORK-${String(n + 1).padStart(3, "0")}`);
  return makeProject({
    ...Object.fromEntries(ids.map((id) => [`plan/work/${id}.md`, item(id)])),
    ...more,
  });
}

Deno.test("servers that claim at once get different items", async () => {
  const cwd = plan(3);
  await withServers(cwd, 2, async (servers) => {
    const claim = (session: Session, n: number) =>
      session.ok("plan.claim", { assignee: `agent-${n}` });
    const answers = await Promise.all(servers.map(claim));
    const ids = answers.map(({ items }) => items[0].id);
    assert.equal(new Set(ids).size, 2, ids.join());
    for (const [n, { items: [first] }] of answers.entries()) {
      assert.equal(first.status, "in-progress");
      assert.equal(first.attributes.assignee, `agent-${n}`);
      assert.deepEqual(first.criteria, [{ text: "It works" }]);
      const text = Deno.readTextFileSync(join(cwd, first.path));
      assert.match(text, new RegExp(`status="in-progress".*assignee="agent-${n}"`));
    }
    const rest = await Promise.all(servers.map(claim));
    assert.equal(rest.flatMap(({ items }) => items).length, 1);
    assert.match(rest.find(({ items }) => items.length === 0)!.note, /Nothing is offered/);
  });
});

Deno.test("an item is claimed once, and a refusal says who has it", async (test) => {
  const cwd = plan(2, {
    "plan/work/WORK-003.md": item("WORK-003", { assignee: "bob", priority: "critical" }),
    "plan/work/WORK-004.md": item("WORK-004", { status: "done" }),
    "plan/work/WORK-005.md": item("WORK-005", { status: "in-progress" }),
    "plan/specs/SPEC-001.md": entity("spec", { id: "SPEC-001", status: "accepted" }, "Spec", ""),
  });
  await inProcess(cwd, async ({ ok, call }) => {
    const fails = async (input: Record<string, unknown>) => {
      const { isError, errorCode, _meta } = await call("plan.claim", input);
      assert.ok(isError, JSON.stringify(input));
      return { errorCode, data: _meta?.["data"] as Record<string, unknown> };
    };
    await test.step("an item that is reserved for somebody else is skipped", async () => {
      const { items } = await ok("plan.claim", { assignee: "ada" });
      assert.equal(items[0].id, "WORK-001");
      assert.equal((await ok("plan.claim", { assignee: "bob" })).items[0].id, "WORK-003");
    });
    await test.step("somebody else gets CONFLICT with the owner", async () => {
      const { errorCode, data } = await fails({ assignee: "eve", id: "WORK-001" });
      assert.equal(errorCode, "CONFLICT");
      assert.deepEqual(data["current"], { status: "in-progress", assignee: "ada" });
      for (const input of [{ release: true }, { takeOver: "bob" }]) {
        const failed = await fails({ assignee: "eve", id: "WORK-001", ...input });
        assert.equal(failed.errorCode, "CONFLICT");
      }
      assert.equal((await fails({ assignee: "eve", id: "WORK-004" })).errorCode, "CONFLICT");
    });
    await test.step("the owner gives it back, and what nobody owns is free", async () => {
      const { released } = await ok("plan.claim", {
        assignee: "ada",
        id: "WORK-001",
        release: true,
      });
      assert.equal(released.status, "ready");
      assert.doesNotMatch(Deno.readTextFileSync(join(cwd, "plan/work/WORK-001.md")), /assignee/);
      const { items } = await ok("plan.claim", { assignee: "ada", id: "WORK-005" });
      assert.equal(items[0].attributes.assignee, "ada");
    });
    await test.step("arguments that contradict each other are rejected", async () => {
      for (
        const input of [
          { assignee: "ada", release: true },
          { assignee: " ", id: "WORK-001" },
          { assignee: 'a"b', id: "WORK-001" },
          { assignee: "ada", id: "SPEC-001" },
          { assignee: "ada", id: "WORK-001", release: true, takeOver: "bob" },
        ]
      ) assert.match((await fails(input)).errorCode!, /INVALID_ARGS|VALIDATION_ERROR/);
      assert.equal((await fails({ assignee: "ada", id: "WORK-999" })).errorCode, "NOT_FOUND");
    });
  });
});

Deno.test("an item with conflict markers is withheld and passed over, and not said to be taken", async () => {
  const markers = "\n<<<<<<< HEAD\nOne.\n=======\nTwo.\n>>>>>>> other\n";
  const cwd = makeProject({
    "plan/work/WORK-001.md": item("WORK-001", {}, markers),
    "plan/work/WORK-002.md": item("WORK-002", { priority: "low" }),
  });
  await inProcess(cwd, async ({ ok }) => {
    const next = await ok("plan.next", { explain: true });
    assert.deepEqual([next.items[0].id, next.withheldItems[0].id], ["WORK-002", "WORK-001"]);
    assert.match(
      next.withheldItems[0].reason,
      /^Conflict markers in lines \d+ to \d+: plan.merge$/,
    );
    const { items, note } = await ok("plan.claim", { assignee: "ada" });
    assert.deepEqual([items[0].id, note], ["WORK-002", "Skipped: WORK-001 (conflict markers)"]);
  });
});

Deno.test("claims are listed with owner, age and last activity", async (test) => {
  const cwd = plan(3, { "plan/work/WORK-004.md": item("WORK-004", { assignee: "bob" }) });
  const commitOn = (day: string, message: string) =>
    commitAll(cwd, message, "--date", `${day}T00:00:00Z`);
  commitOn("2026-01-01", "Begin");
  const claim = (id: string, owner: string) =>
    Deno.writeTextFileSync(
      join(cwd, `plan/work/${id}.md`),
      item(id, { status: "in-progress", assignee: owner }),
    );
  claim("WORK-001", "ada");
  commitOn("2026-02-01", "Take WORK-001");
  Deno.writeTextFileSync(join(cwd, "code.txt"), "x");
  commitOn("2026-02-03", "Work on WORK-001");
  claim("WORK-002", "bob");
  await inProcess(cwd, async ({ ok }) => {
    await test.step("times come from git, or from the file if the claim is not committed", async () => {
      const { items } = await ok("plan.list", { claimed: true });
      assert.deepEqual(items.map(({ id }: { id: string }) => id), ["WORK-001", "WORK-002"]);
      const [first, second] = items;
      assert.equal(first.claim.owner, "ada");
      assert.match(first.claim.since, /^2026-02-01/);
      assert.match(first.claim.lastActivity, /^2026-02-03/);
      assert.match(first.claim.idle, /^\d+d$/);
      assert.equal(second.claim.idle, "0m");
    });
    await test.step("claimed: false lists items that nobody has claimed", async () => {
      assert.equal((await ok("plan.list", { claimed: false })).total, 2);
    });
  });
  await test.step("without git, times come from file dates", () =>
    inProcess(makeProject(readTree(cwd)), async ({ ok }) => {
      const { items, note } = await ok("plan.list", { claimed: true });
      assert.equal(items.length, 2);
      assert.match(note, /Times come from file dates/);
    }));
});
