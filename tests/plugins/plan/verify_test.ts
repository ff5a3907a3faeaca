import assert from "node:assert/strict";
import { read } from "../../../plugins/plan/entity/document.ts";
import { applyOutcome, editable } from "../../../plugins/plan/write/edits.ts";
import type { EditOutcome } from "../../../plugins/plan/write/edits.ts";

const SOURCE =
  '{% work id="WORK-001" status="ready" %}\n\n# A\n\n## Acceptance Criteria\n\n- [ ] One\n\n' +
  '## Dependencies\n- {% ref "WORK-002" /%}\n\n{% /work %}\n\nAfter.\n';

/** Replaces a text by another. */
function put(old: string, text: string, expected: Partial<EditOutcome> = {}): string {
  const start = SOURCE.indexOf(old);
  const splices = [{ start, end: start + old.length, text }];
  return applyOutcome(editable(read(SOURCE)), { splices, ...expected }).text;
}

Deno.test("an edit with unintended changes is rejected, and the error describes them", () => {
  assert.equal(put("[ ]", "[x]"), SOURCE.replace("[ ]", "[x]"));
  assert.ok(put("# A", "# B", { title: "B" }).includes("# B"));
  assert.ok(put("## Dep", "## New\n\n## Dep", { levels: [2, 2] }).includes("## New"));
  for (
    const [old, text, told, expected] of [
      ['"ready"', '"done"', /attribute "status"/],
      ["# A", "# B", /title/, { title: "C" }],
      ["## Dep", "## New\n\n## Dep", /section/],
      ["## Dep", "### Dep", /section/, { levels: [2] }],
      ["One\n", "One\n- [ ] Two\n", /criteria/, { criteria: 0 }],
      ["One\n", "One\n\n```\n", /not closed/],
      ["\n\n# A", "\n\n<<<<<<< a\n=======\n>>>>>>> b\n\n# A", /conflict markers/],
      ["{% /work %}", "", /not closed/],
      ["work ", "bug ", /tag would become unreadable/],
      ["After.", '{% bug id="B" %}\n{% /bug %}', /the end of the entity/],
      ["One\n\n", "One\n\n{% /hint %}\n\n", /Markdoc would report/],
    ] as const
  ) {
    assert.throws(() => put(old, text, expected), {
      code: "VALIDATION_ERROR",
      message: told,
    }, text);
  }
});
