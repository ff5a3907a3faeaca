import assert from "node:assert/strict";
import {
  type Entry,
  FILE,
  writeCommit,
  writeObject,
  writeTree,
} from "../../../support/git_objects.ts";
import { git } from "../../../support/project.ts";
import { NOT_LINUX, testUnless } from "../../../support/skip.ts";
import { inOwnHome, origin, withClone } from "./origin.ts";

inOwnHome();

function setClaim(bare: string, name: string, hash: string): void {
  git(bare, "update-ref", `refs/refrakt/claims/${name}`, hash);
}

testUnless(NOT_LINUX, "a claim that is too large is named, and hides no others", async () => {
  const { bare, clone } = origin(3);
  await withClone(clone(), bare, ({ ok }) => ok("plan_claim", { id: "WORK-001", assignee: "ada" }));
  const message = new Uint8Array(40_000_000).fill(0x78);
  const large = writeCommit(bare, writeTree(bare, []), [], message);
  for (const name of ["AAA", "WORK-002", "ZZZ"]) setClaim(bare, name, large);
  await withClone(clone(), bare, async ({ ok }) => {
    const { items, unchecked } = await ok("plan_next", { count: 3 });
    assert.match(unchecked, /The claim of WORK-002 on the remote is too large to be one/);
    assert.deepEqual(items.map(({ id }: { id: string }) => id), ["WORK-002", "WORK-003"]);
    for (const id of ["WORK-003", "WORK-002"]) {
      assert.equal((await ok("plan_claim", { id, assignee: "bob" })).remote, "confirmed");
    }
  });
  await withClone(clone(), bare, async ({ call, ok }) => {
    assert.deepEqual((await ok("plan_next", { count: 3 })).items, []);
    const { errorCode } = await call("plan_claim", { id: "WORK-002", assignee: "eva" });
    assert.equal(errorCode, "CONFLICT");
  });
});

testUnless(
  NOT_LINUX,
  "files and folders below claims, and too many refs, are no claims",
  async () => {
    const { bare, clone } = origin(3);
    const blob = writeObject(bare, "blob", crypto.getRandomValues(new Uint8Array(65_536)));
    const entryOf = (at: number): Entry => [FILE!, `${at}`.padStart(4, "0"), blob];
    const folder = writeTree(bare, Array.from({ length: 600 }, (_, at) => entryOf(at)));
    setClaim(bare, "AAA", blob);
    setClaim(bare, "BBB", folder);
    setClaim(bare, "CCC", writeCommit(bare, folder, [], new Uint8Array(2)));
    await withClone(clone(), bare, async ({ ok }) => {
      const { remote } = await ok("plan_claim", { id: "WORK-001", assignee: "ada" });
      assert.equal(remote, "confirmed");
    });
    const packed = Deno.readTextFileSync(`${bare}/packed-refs`);
    const refs = Array.from({ length: 20_001 }, (_, at) => `${blob} refs/refrakt/claims/X-${at}\n`);
    Deno.writeTextFileSync(`${bare}/packed-refs`, packed + refs.sort().join(""));
    await withClone(clone(), bare, async ({ call, ok }) => {
      const { errorCode, content } = await call("plan_claim", { id: "WORK-002", assignee: "ada" });
      assert.equal(errorCode, "REMOTE_UNREACHABLE");
      assert.match(content[0].text, /has 20,00\d claims and ids, at most 20,000/);
      const { unchecked } = await ok("plan_next");
      assert.match(unchecked, /Claims on the remote: .* has 20,00\d claims and ids/);
    });
  },
);
