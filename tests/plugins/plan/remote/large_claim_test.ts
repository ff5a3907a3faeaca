import assert from "node:assert/strict";
import { writeCommit, writeTree } from "../../../support/git_objects.ts";
import { git } from "../../../support/project.ts";
import { NOT_LINUX, testUnless } from "../../../support/skip.ts";
import { inOwnHome, origin, withClone } from "./origin.ts";

inOwnHome();

testUnless(NOT_LINUX, "a claim whose commit is too large for git hides no others", async () => {
  const { bare, clone } = origin(3);
  await withClone(clone(), bare, ({ ok }) => ok("plan_claim", { id: "WORK-001", assignee: "ada" }));
  // More than git may allocate for a remote.
  const message = new Uint8Array(270_000_000).fill(0x78);
  const large = writeCommit(bare, writeTree(bare, []), [], message);
  for (const name of ["AAA", "WORK-002", "ZZZ"]) {
    git(bare, "update-ref", `refs/refrakt/claims/${name}`, large);
  }
  await withClone(clone(), bare, async ({ ok }) => {
    const { items, unchecked } = await ok("plan_next", { count: 3 });
    assert.equal(unchecked, undefined);
    assert.deepEqual(items.map(({ id }: { id: string }) => id), ["WORK-002", "WORK-003"]);
  });
});
