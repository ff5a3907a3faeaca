import assert from "node:assert/strict";
import { read } from "../../../../plugins/plan/document.ts";
import { type BodyEdit, editable, editDocument } from "../../../../plugins/plan/edits.ts";
import { editsLeft } from "../../../../plugins/plan/edits/made.ts";

const SOURCE = `{% work id="WORK-001" %}

# Title

## Acceptance Criteria
- [ ] One
- [ ] Two
- [x] Three
- [ ] Gone

## Notes
Before.

{% /work %}
`;

const EDITS: readonly BodyEdit[] = [
  { kind: "append", heading: "Notes", text: "More." },
  { kind: "uncheck", which: ["Three"] },
  { kind: "check", which: ["One", 2] },
  { kind: "removeCriteria", which: [4] },
  { kind: "addCriteria", texts: ["Four"] },
  { kind: "resolve", text: "Done." },
];

const before = editable(read(SOURCE));

Deno.test("an update that is made again does not repeat what an editor has saved with its own", () => {
  const { document } = editDocument(before, {}, EDITS);
  const saved = editable(read(document.text.replace("Before.", "Before, by the editor.")));
  const again = editDocument(saved, {}, editsLeft(EDITS, before, saved)).document.text;
  assert.equal(again, saved.text);
});

Deno.test("an update that an editor has overwritten is made again", () => {
  const saved = editable(read(SOURCE.replace("Before.", "Before, by the editor.")));
  assert.deepEqual(
    editDocument(saved, {}, editsLeft(EDITS, before, saved)).document.text,
    editDocument(before, {}, EDITS).document.text.replace("Before.", "Before, by the editor."),
  );
});

Deno.test("what was there before is not taken for what was made", () => {
  const twice: BodyEdit[] = [{ kind: "append", heading: "Notes", text: "Before." }];
  assert.deepEqual(editsLeft(twice, before, before), twice);
});
