import assert from "node:assert/strict";
import { DOCUMENTS, isUntouched, templateFor } from "../../../../plugins/ralph/documents/mod.ts";
import { DOCUMENT_PHASES } from "../../../../plugins/ralph/phases.ts";
import { inLab, putSpec } from "../support.ts";

Deno.test("templateFor() fills in every value, the name on one line", () => {
  for (const phase of DOCUMENT_PHASES) {
    const text = templateFor(phase, 'a"\n---\nphase: x', true);
    assert.doesNotMatch(text, /\{\{\w+\}\}/);
    assert.match(text, /^---\nspec: a\\"\\n---\\nphase: x\nphase: \w+\ncreated: \d{4}-/);
    assert.match(text, /\ngenerated: auto\n---\n/);
  }
});

Deno.test("isUntouched() ignores front matter, line endings and a byte order mark", () => {
  for (const phase of DOCUMENT_PHASES) {
    const text = templateFor(phase, "auth", true);
    assert.ok(isUntouched(phase, "auth", text), phase);
    assert.ok(isUntouched(phase, "auth", `\uFEFF${text.replaceAll("\n", "\r\n")}\r\n`), phase);
    assert.equal(isUntouched(phase, "auth", `${text}\n- One finding\n`), false, phase);
  }
});

Deno.test("the linter accepts the syntax of the templates", () =>
  inLab(async (lab) => {
    for (const phase of DOCUMENT_PHASES) {
      lab.write(`specs/auth/${phase}.md`, `${DOCUMENTS[phase].template}\nMeets FR-1.\n`);
    }
    putSpec(lab, "auth", { phase: "execution" });
    const { findings, coverage } = await lab.call("ralph_check");
    assert.deepEqual(
      findings.map((each: { rule: string; message: string }) => `${each.rule} ${each.message}`),
      ["uncovered no task names NFR-1", "uncovered no task names AC-1.2"],
    );
    assert.deepEqual(coverage.uncovered, ["NFR-1", "AC-1.2"]);
    assert.equal((await lab.call("ralph_status"))["specs"][0].total, 4);
  }));
