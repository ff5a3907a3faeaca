import assert from "node:assert/strict";
import { git } from "../../../support/project.ts";
import { inOwnHome, origin, withClone } from "./origin.ts";

inOwnHome();

Deno.test("an item that somebody has on the remote keeps its id until it is released", async () => {
  const { bare, clone } = origin(2);
  const here = clone();
  await withClone(here, bare, (ada) =>
    withClone(clone(), bare, async (bob) => {
      const claim = { id: "WORK-001", assignee: "bob" };
      await bob.ok("plan_claim", claim);
      const id = { kind: "id", from: "work-001" };
      const renames = [[ada, id], [bob, id], [bob, {
        kind: "assignee",
        from: "bob",
        to: "rob",
      }]] as const;
      for (const [{ call }, args] of renames) {
        const { errorCode, content, hint } = await call("plan_rename", args);
        assert.equal(errorCode, "CONFLICT");
        assert.match(content[0].text, /WORK-001 is claimed on the remote by "bob" in clone/);
        assert.match(hint!, /Nothing was written.*release: true.*takeOver: "bob"/);
      }
      assert.equal(git(here, "status", "--porcelain"), "");
      assert.doesNotMatch(git(bare, "for-each-ref"), /\/ids\//);
      await ada.ok("plan_rename", { kind: "id", from: "WORK-002" });
      await bob.ok("plan_claim", { ...claim, release: true });
      assert.equal((await ada.ok("plan_rename", id)).unchecked, undefined);
    }));
  await withClone(clone(), "https://127.0.0.1:1/r.git", async ({ ok }) => {
    const { unchecked } = await ok("plan_rename", { kind: "id", from: "WORK-001" });
    assert.match(unchecked, /Claims on the remote: .* did not answer/);
  });
});

Deno.test("a write that gives an item back frees its claim, and its undo claims it again", async () => {
  const { bare, clone } = origin(3);
  await withClone(clone(), bare, (amy) =>
    withClone(clone(), bare, async (bob) => {
      const owners = () =>
        git(bare, "for-each-ref", "--format=%(contents)", "refs/refrakt/claims/").split("\n")
          .flatMap((line) => /"claimed".*"owner":"(\w+)"/.exec(line)?.[1] ?? []);
      const id = "WORK-001";
      const back = { id, status: "ready", assignee: "" };
      await amy.ok("plan_claim", { id, assignee: "amy" });
      await amy.ok("plan_update", { ...back, preview: true });
      assert.deepEqual(owners(), ["amy"]);
      const { undo, warnings } = await amy.ok("plan_update", back);
      assert.equal(warnings, undefined);
      assert.deepEqual(owners(), []);
      const { undo: again } = await amy.ok("plan_undo", { token: undo });
      assert.deepEqual(owners(), ["amy"]);
      await amy.ok("plan_undo", { token: again });
      assert.deepEqual(owners(), []);
      const ids = [id, "WORK-002"];
      for (const one of ids) await amy.ok("plan_claim", { id: one, assignee: "amy" });
      const given = await amy.ok("plan_update", { ids, status: "ready", assignee: "" });
      await bob.ok("plan_claim", { id: "WORK-002", assignee: "bob" });
      const late = await amy.call("plan_undo", { token: given.undo });
      assert.equal(late.errorCode, "CONFLICT", "bob has one of them now");
      assert.deepEqual(owners(), ["bob"], "and amy none");
    }));
});

Deno.test("a claim that a write cannot free is said, with what to do", async () => {
  const { bare, clone } = origin(3);
  await withClone(clone(), bare, (amy) =>
    withClone(clone(), bare, async (bob) => {
      const ids = ["WORK-001", "WORK-002"];
      for (const id of ids) await amy.ok("plan_claim", { id, assignee: "amy" });
      await bob.ok("plan_claim", { id: "WORK-001", assignee: "bob", takeOver: "amy" });
      const { warnings: [stays] } = await amy.ok("plan_update", {
        id: "WORK-001",
        status: "ready",
      });
      assert.match(stays, /^WORK-001 stays claimed by "bob" in clone .*takeOver: "bob"/);
      const still = await amy.call("plan_claim", { id: "WORK-001", assignee: "amy" });
      assert.equal(still.errorCode, "CONFLICT");
      const own = { id: "WORK-003", assignee: "amy" };
      const { undo } = await amy.ok("plan_claim", own);
      Deno.renameSync(bare, `${bare}.away`);
      const { errorCode, hint } = await amy.call("plan_undo", { token: undo });
      assert.equal(errorCode, "REMOTE_UNREACHABLE");
      assert.match(hint!, /plan_claim with localOnly: true .*releases/);
      await amy.ok("plan_claim", { ...own, release: true, localOnly: true });
      const back = await amy.ok("plan_update", { ids, status: "ready", assignee: "" });
      assert.equal(back.changed, 2);
      assert.match(back.warnings.join(), /^WORK-002 may still be claimed on the remote: .*release/);
    }));
});
