import assert from "node:assert/strict";
import { join } from "node:path";
import { exists } from "../support/project.ts";
import { ROOT } from "../support/server.ts";

const TEXT = await Deno.readTextFile(join(ROOT, "SECURITY.md"));

Deno.test("SECURITY.md starts with who is trusted, and is short", () => {
  assert.match(TEXT, /^# Security\n\nTrusted is the scope `@refrakt-md` as npm publishes it/);
  // The lines of tables are no words.
  assert.ok(TEXT.match(/[^\s|]+/g)!.length < 1300, "six minutes");
});

Deno.test("each promise of SECURITY.md references existing tests", async () => {
  const promised = /\| promise[^]*?\n\n/.exec(TEXT)![0].trim().split("\n").slice(2);
  assert.ok(promised.length >= 10);
  for (const row of promised) {
    const names = [...row.matchAll(/`(tests\/[^`]+)`/g)].map(([, path]) => path!);
    assert.ok(names.length > 0, row);
    for (const name of names) {
      assert.ok(exists(join(ROOT, name)), name);
      const source = await Deno.readTextFile(join(ROOT, name));
      assert.match(source, /\b(?:Deno\.test|testUnless)\(/, `${name} has no tests`);
    }
  }
});
