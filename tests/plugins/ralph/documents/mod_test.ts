import assert from "node:assert/strict";
import { DOCUMENTS } from "../../../../plugins/ralph/documents/mod.ts";
import { DOCUMENT_PHASES } from "../../../../plugins/ralph/phases.ts";
import { inLab, putSpec } from "../support.ts";

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
