import assert from "node:assert/strict";
import { isOnlyCriteria, sectionsOf } from "../../../../plugins/plan/queries/sections.ts";

Deno.test("sections are those of the entity, outside fences, and what precedes them has no heading", () => {
  const source =
    '{% work\n  id="WORK-001"\n%}\n\n# Title\n\nIntro.\n\n## One\n\na\n\n```\n## Not one\n' +
    "{% /work %}\n```\n### Deeper\n\n## Empty\n{% /work %}\n\n## After\nx\n";
  assert.deepEqual(sectionsOf(source, "work"), [
    { heading: "", text: "Intro." },
    { heading: "One", text: "a\n\n```\n## Not one\n{% /work %}\n```\n### Deeper" },
    { heading: "Empty", text: "" },
  ]);
});

Deno.test("a tag of a longer name is another tag", () => {
  assert.deepEqual(sectionsOf("{% workflow %}\n## One\n{% /workflow %}\n", "work"), []);
  const [section] = sectionsOf("{% work %}\n## One\nx\n{% /workflow %}\n{% /work %}\n", "work");
  assert.equal(section?.text, "x\n{% /workflow %}");
});

Deno.test("a list of check boxes and nothing else is told from other text", () => {
  assert.ok(isOnlyCriteria("- [ ] a\n\n  - [X] b"));
  for (const text of ["", "- [ ] a\nand more", "- a", "- [ ]"]) {
    assert.ok(!isOnlyCriteria(text), text);
  }
});
