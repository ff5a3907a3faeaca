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
      await bob.ok("plan.claim", claim);
      for (const { call } of [ada, bob]) {
        const { errorCode, content, hint } = await call("plan.renumber", { id: "work-001" });
        assert.equal(errorCode, "CONFLICT");
        assert.match(content[0].text, /WORK-001 is claimed on the remote by bob in clone/);
        assert.match(hint!, /Nothing was written.*release: true.*takeOver: "bob"/);
      }
      assert.equal(git(here, "status", "--porcelain"), "");
      assert.doesNotMatch(git(bare, "for-each-ref"), /\/ids\//);
      await ada.ok("plan.renumber", { id: "WORK-002" });
      await bob.ok("plan.claim", { ...claim, release: true });
      assert.equal((await ada.ok("plan.renumber", { id: "WORK-001" })).unchecked, undefined);
    }));
  await withClone(clone(), "https://127.0.0.1:1/r.git", async ({ ok }) => {
    const { unchecked } = await ok("plan.renumber", { id: "WORK-001" });
    assert.match(unchecked, /Claims on the remote: .* did not answer/);
  });
});
