import assert from "node:assert/strict";
import { makeProject, readTree, SMALL_PLAN } from "../../support/project.ts";
import { type Session, withServer } from "../../support/server.ts";

Deno.test("concurrent servers never assign an id twice or lose each other's changes", async () => {
  const cwd = makeProject(SMALL_PLAN);
  const created: string[] = [];
  const use = async ({ ok }: Session, server: number) => {
    await ok("plan.next");
    for (let round = 0; round < 8; round++) {
      const { id } = await ok("plan.create", { type: "work", title: `Item ${server} ${round}` });
      created.push(id);
      await ok("plan.update", { id: "WORK-001", attrs: { [FIELDS[server]!]: `r${round}` } });
    }
  };
  await Promise.all(FIELDS.map((_, server) => withServer(cwd, (session) => use(session, server))));
  assert.equal(new Set(created).size, FIELDS.length * 8, created.join());
  const [tag] = readTree(cwd)["plan/work/WORK-001-first.md"]!.split("\n");
  for (const field of FIELDS) assert.match(tag!, new RegExp(`${field}="r7"`));
  assert.deepEqual(Object.keys(readTree(cwd)).filter((path) => /lock|tmp/.test(path)), []);
});

const FIELDS = ["assignee", "milestone", "source", "tags"];
