import assert from "node:assert/strict";
import { join } from "node:path";
import { copyExample } from "../../../support/run.ts";
import { inProcess } from "../../../support/in_process.ts";

const TABLE = `8 entities

| status | all | work | spec | decision | bug | milestone |
| --- | --- | --- | --- | --- | --- | --- |
| draft | 1 | 1 | 0 | 0 | 0 | 0 |
| accepted | 2 | 0 | 1 | 1 | 0 | 0 |
| ready | 2 | 2 | 0 | 0 | 0 | 0 |
| done | 1 | 1 | 0 | 0 | 0 | 0 |
| confirmed | 1 | 0 | 0 | 0 | 1 | 0 |
| active | 1 | 0 | 0 | 0 | 0 | 1 |`;

Deno.test("plan.board counts by status and type, and its stamp changes with the files", async () => {
  const cwd = copyExample("plan");
  await inProcess(cwd, async ({ call, ok }) => {
    const before = await ok("plan.board");
    const { rows } = await ok("refrakt.query", {
      sql: "select status, count(*) from entities group by 1 order by 1",
    });
    assert.deepEqual(
      before.columns.map(({ status, count }: Record<string, unknown>) => [status, count]).sort(),
      rows,
    );
    for (const { count, types } of before.columns) {
      const sum = Object.values(types as Record<string, number>).reduce((a, b) => a + b, 0);
      assert.equal(sum, count);
    }
    assert.equal((await call("plan.board")).content[0].text, TABLE);
    assert.equal((await ok("plan.board")).stamp, before.stamp);
    const path = join(cwd, "plan/work/WORK-002-query-box.md");
    const text = Deno.readTextFileSync(path);
    Deno.writeTextFileSync(path, text.replace('status="ready"', 'status="done"'));
    const after = await ok("plan.board");
    assert.notEqual(after.stamp, before.stamp);
    const done = ({ columns }: typeof before) =>
      columns.find(({ status }: { status: string }) => status === "done").count;
    assert.equal(done(after), done(before) + 1);
  });
});
