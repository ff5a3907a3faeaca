import assert from "node:assert/strict";
import { join } from "node:path";
import { exists } from "../support/project.ts";
import { ROOT } from "../support/server.ts";

const TEXT = await Deno.readTextFile(join(ROOT, "SECURITY.md"));

const [, PROMISED = ""] = /^## What is promised$([^]*?)^## /m.exec(TEXT)!;

Deno.test("SECURITY.md starts with who is trusted, and is short", () => {
  assert.match(TEXT, /^# Security\n\nTrusted is the scope `@refrakt-md` as npm publishes it/);
  assert.ok(new TextEncoder().encode(TEXT).length <= 9000, "five minutes");
});

Deno.test("each section and promise of SECURITY.md references existing tests", async () => {
  const promised = PROMISED.split(/^- /m).slice(1);
  assert.ok(promised.length >= 10);
  const [said = ""] = TEXT.split("\n## What is promised");
  for (const [, section] of said.matchAll(/^## (.*)$/gm)) {
    assert.ok(promised.some((row) => row.startsWith(`**${section}**: `)), section);
  }
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
