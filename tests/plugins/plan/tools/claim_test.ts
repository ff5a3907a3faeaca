import assert from "node:assert/strict";
import { join } from "node:path";
import { commitAll, entity, makeProject } from "../../../support/project.ts";
import { ERAS, inProcess, withClients } from "../../../support/in_process.ts";
import { type Asked, withServer } from "../../../support/server.ts";
import { itemsOf } from "../../../support/rows.ts";

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

Deno.test("processes that claim at once get different items", async () => {
  const cwd = plan(3);
  const claiming = async (servers: readonly Asked[]) => {
    const claim = (session: Asked, n: number) =>
      session.ok("plan_claim", { assignee: `agent-${n}` });
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
  };
  await withServer(cwd, (other) => inProcess(cwd, (own) => claiming([own, other])));
});

Deno.test("an item is given back by its owner alone, and is free then", async () => {
  const cwd = plan(1);
  await inProcess(cwd, async ({ ok, call }) => {
    await ok("plan_claim", { assignee: "ada", id: "WORK-001" });
    const claimed = Deno.readTextFileSync(join(cwd, "plan/work/WORK-001.md"));
    for (const input of [{ release: true }, {}]) {
      const refused = await call("plan_claim", { assignee: "bob", id: "WORK-001", ...input });
      assert.equal(refused.errorCode, "CONFLICT");
      assert.match(refused.content[0].text, /ada/);
    }
    assert.equal(Deno.readTextFileSync(join(cwd, "plan/work/WORK-001.md")), claimed);
    await ok("plan_claim", { assignee: "ada", id: "WORK-001", release: true });
    assert.equal((await ok("plan_claim", { assignee: "bob" })).items[0].id, "WORK-001");
  });
});

Deno.test("an item with conflict markers is withheld and passed over, and not said to be taken", async () => {
  const markers = "\n<<<<<<< HEAD\nOne.\n=======\nTwo.\n>>>>>>> other\n";
  const cwd = makeProject({
    "plan/work/WORK-001.md": item("WORK-001", {}, markers),
    "plan/work/WORK-002.md": item("WORK-002", { priority: "low" }),
  });
  await inProcess(cwd, async ({ ok }) => {
    const next = await ok("plan_next", { explain: true });
    assert.deepEqual([next.items[0].id, next.withheldItems[0].id], ["WORK-002", "WORK-001"]);
    assert.match(
      next.withheldItems[0].reason,
      /^Conflict markers in lines \d+ to \d+: plan.merge$/,
    );
    const { items, note } = await ok("plan_claim", { assignee: "ada" });
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
      const items = itemsOf(await ok("plan_list", { claimed: true }));
      assert.deepEqual(items.map(({ id }: { id: string }) => id), ["WORK-001", "WORK-002"]);
      const [first, second] = items;
      assert.equal(first.claim.owner, "ada");
      assert.match(first.claim.since, /^2026-02-01/);
      assert.match(first.claim.lastActivity, /^2026-02-03/);
      assert.match(first.claim.idle, /^\d+d$/);
      assert.equal(second.claim.idle, "0m");
    });
    await test.step("claimed: false lists items that nobody has claimed", async () => {
      assert.equal((await ok("plan_list", { claimed: false })).total, 2);
    });
  });
});

Deno.test("without an assignee, each server process claims under a name of its own", async () => {
  const cwd = plan(3);
  const session = (other: Asked) =>
    inProcess(cwd, async ({ ok, call }) => {
      const [mine, theirs] = [await ok("plan_claim", {}), await other.ok("plan_claim", {})];
      assert.notEqual(mine.items[0].id, theirs.items[0].id);
      assert.match(mine.assignee, /^inspector-cli-[0-9a-f]{8}$/);
      assert.match(theirs.assignee, /^inspector-cli-[0-9a-f]{8}$/);
      assert.notEqual(mine.assignee, theirs.assignee);
      const [{ id }] = mine.items;
      assert.equal((await ok("plan_get", { id })).attributes.assignee, mine.assignee);

      const refused = await other.call("plan_claim", { id, release: true });
      assert.equal(refused.errorCode, "CONFLICT");
      assert.ok(refused.content[0].text.includes(`pass assignee: "${mine.assignee}"`));
      assert.equal((await ok("plan_claim", { id, release: true })).released.id, id);
      const name = { id: theirs.items[0].id, assignee: theirs.assignee };
      assert.equal((await ok("plan_claim", { ...name, release: true })).released.id, name.id);
      assert.equal((await call("plan_claim", { id, assignee: " " })).isError, true);
    });
  await withServer(cwd, session);
});

Deno.test("a client's name becomes a plain name", async () => {
  const cwd = plan(1);
  await withClients({ cwd }, async (connect) => {
    const names = ["Claude: Code 2.1", "\u202e漢字", "2026-01-02"].entries();
    for (const [n, name] of names) {
      for (const era of ERAS) {
        await connect(async (client) => {
          const claim = { id: "WORK-001" };
          const { structuredContent } = await client.callTool({
            name: "plan_claim",
            arguments: claim,
          });
          const { assignee } = structuredContent as { assignee: string };
          assert.match(assignee, [/^claude-code-[0-9a-f]{8}$/, /^agent-[0-9a-f]{8}$/][n && 1]!);
          const release = { ...claim, assignee, release: true, note: "Stopped" };
          const answer = await client.callTool({ name: "plan_claim", arguments: release });
          assert.ok(!answer.isError, JSON.stringify(answer.content));
        }, { name, era });
      }
    }
  });
});
