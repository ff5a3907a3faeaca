import assert from "node:assert/strict";
import { editText } from "../../../support/edit_text.ts";
import type { CriterionPick } from "../../../../plugins/plan/edits/criteria.ts";

const SOURCE = '{% work id="W-1" %}\n\n# A\n\n- [ ] Fast\n- [x] Fast enough\n- [ ] Small\n' +
  "```\n- [ ] In a fence\n```\n{% /work %}\n- [ ] Behind the end\n";

const tick = (kind: "check" | "uncheck", which: CriterionPick, source = SOURCE) =>
  editText(source, {}, [{ kind, which }]);

Deno.test("all means those of the entity, outside fences", () => {
  const { text, changes } = tick("check", "all");
  assert.equal(text, SOURCE.replace("[ ] Fast", "[x] Fast").replace("[ ] Small", "[x] Small"));
  assert.deepEqual(changes.map(({ new: now }) => now), ["[x] Fast", "[x] Small"]);
  assert.deepEqual(tick("check", "all", text).changes, []);
});

Deno.test("a criterion is named by number or text, twice is once", () => {
  assert.equal(tick("check", [3, "Small"]).text, SOURCE.replace("[ ] Small", "[x] Small"));
  // By its number it may be ticked already; by its text that would be a mistake.
  assert.equal(tick("check", [2]).text, SOURCE);
  assert.throws(() => tick("check", ["Fast enough"]), /No unchecked criterion matching/);
});

Deno.test("what is not there is refused with what is", () => {
  for (const which of [[0], [4], [1.5], [-1], ["In a fence"], ["Behind"], [" "]]) {
    assert.throws(() => tick("check", which), { name: "RefraktError" }, String(which));
  }
  assert.throws(() => tick("uncheck", [9]), { hint: /1 to 3/ });
  assert.throws(() => tick("check", ["a"]), (error: Error & { hint: string }) => {
    assert.match(`${error.message} ${error.hint}`, /Ambiguous: 2 .*1 \[ \] Fast; 3 \[ \] Small/);
    return true;
  });
  assert.throws(() => tick("check", "all", '{% work id="W-1" %}\n{% /work %}\n'), /no criteria/);
});
