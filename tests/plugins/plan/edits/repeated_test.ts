import assert from "node:assert/strict";
import { read } from "../../../../plugins/plan/document.ts";
import { type BodyEdit, editDocument, editsLeft } from "../../../../plugins/plan/edits.ts";

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
  { kind: "remove", which: [4] },
  { kind: "addCriteria", texts: ["Four"] },
  { kind: "resolve", text: "Done." },
];

const first = editDocument(read(SOURCE), {}, EDITS);

Deno.test("an update that is made again does not repeat what an editor has saved with its own", () => {
  const saved = first.document.text.replace("Before.", "Before, by the editor.");
  assert.deepEqual(editsLeft(first.steps, saved), []);
});

Deno.test("an update that an editor has overwritten is made again", () => {
  const saved = SOURCE.replace("Before.", "Before, by the editor.");
  assert.deepEqual(
    editDocument(read(saved), {}, editsLeft(first.steps, saved)).document.text,
    first.document.text.replace("Before.", "Before, by the editor."),
  );
});

Deno.test("what was there before is not taken for what was made", () => {
  const twice: BodyEdit[] = [{ kind: "append", heading: "Notes", text: "Before." }];
  const { steps } = editDocument(read(SOURCE), {}, twice);
  assert.deepEqual(editsLeft(steps, SOURCE), twice);
});
