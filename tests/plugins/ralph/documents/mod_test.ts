import assert from "node:assert/strict";
import { isUntouched, templateFor } from "../../../../plugins/ralph/documents/mod.ts";
import { DOCUMENT_PHASES } from "../../../../plugins/ralph/phases.ts";

Deno.test("every template is filled in, its name on one line", () => {
  for (const phase of DOCUMENT_PHASES) {
    const text = templateFor(phase, 'a"\n---\nphase: x', true);
    assert.doesNotMatch(text, /\{\{\w+\}\}/);
    assert.match(text, /^---\nspec: a\\"\\n---\\nphase: x\nphase: \w+\ncreated: \d{4}-/);
    assert.match(text, /\ngenerated: auto\n---\n/);
  }
});

Deno.test("a template counts as untouched whatever its front matter, line ends and mark say", () => {
  for (const phase of DOCUMENT_PHASES) {
    const text = templateFor(phase, "auth", true);
    assert.ok(isUntouched(phase, "auth", text), phase);
    assert.ok(isUntouched(phase, "auth", `\uFEFF${text.replaceAll("\n", "\r\n")}\r\n`), phase);
    assert.equal(isUntouched(phase, "auth", `${text}\n- One finding\n`), false, phase);
  }
});
