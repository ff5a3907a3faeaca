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

Deno.test("plan_board counts by status and type, and its stamp changes with the files", async () => {
  const cwd = copyExample("plan");
  await inProcess(cwd, async ({ call, ok }) => {
    const before = await ok("plan_board");
    assert.equal((await call("plan_board")).content[0].text, TABLE);
    const path = join(cwd, "plan/work/WORK-002-query-box.md");
    Deno.writeTextFileSync(path, `${Deno.readTextFileSync(path)}\n`);
    assert.notEqual((await ok("plan_board")).stamp, before.stamp);
  });
});
