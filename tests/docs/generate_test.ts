import assert from "node:assert/strict";
import { join } from "node:path";
import { generate } from "../../.ci/docs.ts";
import { ROOT } from "../support/server.ts";

const files = await generate();

Deno.test("the reference pages and snapshots match the declarations", () => {
  for (const [path, text] of files) {
    const committed = Deno.readTextFileSync(join(ROOT, path));
    assert.equal(committed, text, `${path} is stale: run deno task docs, and review the change`);
  }
});
