import assert from "node:assert/strict";
import type { Edit } from "../../../../plugins/plan/edits.ts";
import { editText } from "../../../support/edit_text.ts";

const SOURCE = `{% work id="WORK-001" %}

# Title

## Acceptance Criteria
- [ ] One
  that goes on
- [x] Two

## Approach
- [ ] Not of the list

{% /work %}
`;

const edit = (source: string, ...edits: Edit[]) => editText(source, {}, edits).text;

Deno.test("criteria are added after those of their section", () => {
  assert.equal(
    edit(SOURCE, { kind: "addCriteria", texts: ["Three", "- [ ] Four"] }),
    SOURCE.replace("- [x] Two\n", "- [x] Two\n- [ ] Three\n- [ ] Four\n"),
  );
});

Deno.test("the section is made where there is none, and filled where it is empty", () => {
  const none = '{% work id="W" %}\n\n# T\n\n## Approach\nSo.\n\n{% /work %}\n';
  assert.ok(
    edit(none, { kind: "addCriteria", texts: ["A"] }).includes(
      "# T\n\n## Acceptance Criteria\n- [ ] A\n\n## Approach\n",
    ),
  );
  const empty = '{% work id="W" %}\n\n# T\n\n## AC\n\n## Approach\nSo.\n\n{% /work %}\n';
  assert.ok(edit(empty, { kind: "addCriteria", texts: ["A"] }).includes("## AC\n- [ ] A\n"));
});

Deno.test("criteria are removed by text or number, with the lines that belong to them", () => {
  assert.equal(
    edit(SOURCE, { kind: "remove", which: [1] }),
    SOURCE.replace("- [ ] One\n  that goes on\n", ""),
  );
  assert.equal(
    edit(SOURCE, { kind: "remove", which: ["Two", 3] }),
    SOURCE.replace("- [x] Two\n", "").replace("- [ ] Not of the list\n", ""),
  );
  assert.throws(() => edit(SOURCE, { kind: "remove", which: [9] }), {
    code: "VALIDATION_ERROR",
  });
});

Deno.test("a criterion is one line of text, which is not empty", () => {
  for (const text of ["", "- [ ] ", "a\nb"]) {
    assert.throws(() => edit(SOURCE, { kind: "addCriteria", texts: [text] }), /criterion/);
  }
});
