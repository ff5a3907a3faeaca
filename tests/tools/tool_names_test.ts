import assert from "node:assert/strict";
import { isToolName, respelled, underscored } from "../../src/tools/tool_names.ts";

Deno.test("isToolName() accepts only names that clients can list", () => {
  for (const name of ["plan.next", "ralph_start", "a", "A-1", "a".repeat(64)]) {
    assert.ok(isToolName(name));
  }
  for (const name of ["", "1a", ".a", "a b", "a/b", "ä", "a".repeat(65), "a\n"]) {
    assert.ok(!isToolName(name), JSON.stringify(name));
  }
});

Deno.test("respelled() changes names of tools, and nothing of paths, ids or quotations", () => {
  const spell = (text: string) =>
    respelled(text, (name) => ["plan.next", "plan.next-id"].includes(name), underscored);
  const changed = ["plan.next", "Call plan.next.", "`plan.next`", "(plan.next)", "plan.next, then"];
  for (const text of changed) assert.equal(spell(text), text.replace("plan.next", "plan_next"));
  assert.equal(spell("plan.next { a: 1 }; plan.next-id: x"), "plan_next { a: 1 }; plan_next_id: x");
  const kept = [
    ...[
      "docs/plan.next",
      "plan.next/work",
      "./plan.next",
      "plan.next.md",
      "my-plan.next",
      "a:plan.next",
    ],
    ...[
      '"plan.next"',
      '"Explain plan.next to \\"users\\", please"',
      "C:\\plan.next",
      "xplan.next",
      "plan.nexts",
      "plan.other",
      "refrakt://plan.next",
    ],
  ];
  for (const text of kept) assert.equal(spell(text), text);
});
