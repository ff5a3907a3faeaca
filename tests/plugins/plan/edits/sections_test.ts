import assert from "node:assert/strict";
import type { Edit } from "../../../../plugins/plan/edits.ts";
import { editText } from "../../../support/edit_text.ts";

const SOURCE = `{% work id="WORK-001" status="ready" %}

# Title

What it is about.

## Acceptance Criteria
- [ ] One
- [x] Two

## Approach

Old text.

\`\`\`md
## References
\`\`\`

## References
- {% ref "SPEC-001" /%}

{% /work %}

After it.
`;

const edit = (...edits: Edit[]) => editText(SOURCE, {}, edits).text;
const section = (heading: string, text: string): Edit => ({ kind: "section", heading, text });

Deno.test("a section is replaced whole, in any case of its heading, and nothing else changes", () => {
  const text = edit(section("approach", "New text.\n\n### Part\nMore."));
  assert.equal(
    text,
    SOURCE.replace("Old text.\n\n```md\n## References\n```", "New text.\n\n### Part\nMore."),
  );
});

Deno.test("a missing section is added where the template has it", () => {
  assert.ok(
    edit(section("Dependencies", "- None")).includes(
      "- [x] Two\n\n## Dependencies\n- None\n\n## Approach\n",
    ),
  );
  assert.ok(
    edit(section("Verification", "Run it.")).includes(
      "```\n\n## Verification\nRun it.\n\n## References\n",
    ),
  );
  assert.ok(
    edit(section("Notes", "Mine.")).endsWith(
      '- {% ref "SPEC-001" /%}\n\n## Notes\nMine.\n\n{% /work %}\n\nAfter it.\n',
    ),
  );
});

Deno.test("a section is added before the resolution, which stays the last", () => {
  const source = SOURCE.replace("{% /work %}", "## Resolution\n\nDone.\n\n{% /work %}");
  const { text } = editText(source, {}, [section("Notes", "Mine.")]);
  assert.ok(text.includes("## Notes\nMine.\n\n## Resolution\n\nDone.\n"));
});

Deno.test("an empty text removes a section", () => {
  const text = edit(section("Approach", ""));
  assert.ok(text.includes("- [x] Two\n\n## References\n"));
  assert.equal(edit(section("Nothing", "")), SOURCE);
});

Deno.test("the description is what stands between the title and the first section", () => {
  assert.equal(
    edit(section("description", "Something else.")),
    SOURCE.replace("What it is about.", "Something else."),
  );
});

Deno.test("a text may repeat its own heading, and no other of its level", () => {
  assert.ok(
    edit(section("Approach", "## Approach\nNew.")).includes("## Approach\n\nNew.\n\n## Ref"),
  );
  for (const text of ["x\n## Other\ny", "# Title", "a\n\n  ## B ##"]) {
    assert.throws(() => edit(section("Approach", text)), { code: "VALIDATION_ERROR" }, text);
  }
  assert.ok(edit(section("Approach", "No heading here\n---")).includes("No heading here\n---"));
  assert.ok(edit(section("Approach", "```\n# Not a heading\n```")).includes("# Not a heading"));
});

Deno.test("a text cannot end the entity, and a heading is one line of words", () => {
  assert.throws(() => edit(section("Approach", "See {% /work %} there.")), {
    code: "VALIDATION_ERROR",
  });
  assert.ok(edit(section("Approach", "See {% if there.")).includes("See {% if there."));
  for (const heading of ["", "A\nB", "# A", "{% work %}", "x".repeat(200)]) {
    assert.throws(() => edit(section(heading, "x")), { code: "INVALID_ARGS" }, heading);
  }
});

Deno.test("append adds to the end of a section, to a list without a gap", () => {
  const append = (heading: string, text: string) => edit({ kind: "append", heading, text });
  assert.ok(
    append("References", '- {% ref "ADR-001" /%}').includes(
      '- {% ref "SPEC-001" /%}\n- {% ref "ADR-001" /%}\n\n{% /work %}',
    ),
  );
  assert.ok(append("Approach", "And more.").includes("```\n\nAnd more.\n\n## References\n"));
  assert.ok(append("description", "And why.").includes("about.\n\nAnd why.\n\n## Acceptance"));
  assert.ok(append("Edge Cases", "None.").includes("## Edge Cases\nNone.\n\n## References\n"));
  assert.throws(() => append("Approach", " "), { code: "INVALID_ARGS" });
});

Deno.test("a body replaces all below the title", () => {
  const text = edit({ kind: "body", text: "Just this.\n\n## Notes\nAnd that." });
  assert.equal(
    text,
    '{% work id="WORK-001" status="ready" %}\n\n# Title\n\nJust this.\n\n## Notes\nAnd that.\n\n' +
      "{% /work %}\n\nAfter it.\n",
  );
  assert.throws(() => edit({ kind: "body", text: "# Another title" }), {
    code: "VALIDATION_ERROR",
  });
});

Deno.test("a section of a text with CRLF is written with CRLF", () => {
  const { text } = editText(SOURCE.replaceAll("\n", "\r\n"), {}, [section("Notes", "a\nb")]);
  assert.ok(!/(?<!\r)\n/.test(text));
  assert.equal(text.replaceAll("\r\n", "\n"), edit(section("Notes", "a\nb")));
});
