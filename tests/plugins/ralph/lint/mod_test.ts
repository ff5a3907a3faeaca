import assert from "node:assert/strict";
import { lintSpec } from "../../../../plugins/ralph/lint/mod.ts";
import { resolveSpec } from "../../../../plugins/ralph/specs.ts";
import { look } from "../../../../plugins/ralph/view.ts";
import { inLab, putSpec } from "../support.ts";

Deno.test("the documents are checked together, in their order", () =>
  inLab((lab) => {
    putSpec(lab, "auth", { phase: "tasks" }, "- [ ] V1 [VERIFY] Checks\n  - FR-1\n");
    lab.write("specs/auth/requirements.md", "| FR-1 | a |\n| FR-2 | b |\n");
    lab.write("specs/auth/design.md", "FR-10 is met.\n");
    const { findings, checked, coverage } = lintSpec(look(resolveSpec(lab.cwd, "auth"), true));
    assert.deepEqual(checked, ["requirements.md", "design.md", "tasks.md"]);
    assert.deepEqual(findings.map(({ file, rule, message }) => `${file} ${rule} ${message}`), [
      "design.md not-designed FR-1 is not named by the design",
      "design.md not-designed FR-2 is not named by the design",
      "tasks.md uncovered FR-2 is named by no task",
    ]);
    assert.deepEqual(coverage.uncovered, ["FR-2"]);
  }));

Deno.test("an empty document and one that leads outside are errors, and the rest is still checked", () =>
  inLab((lab) => {
    putSpec(lab, "auth", { phase: "design" });
    lab.write("specs/auth/research.md", " \n");
    Deno.symlinkSync("/etc/hostname", `${lab.cwd}/specs/auth/design.md`);
    lab.write("specs/auth/requirements.md", "| FR-1 | a |\n| FR-1 | b |\n");
    const { findings, checked } = lintSpec(look(resolveSpec(lab.cwd, "auth"), true));
    assert.deepEqual(findings.map(({ file, rule }) => `${file} ${rule}`), [
      "research.md not-written",
      "design.md unreadable",
      "requirements.md duplicate-id",
    ]);
    assert.deepEqual(checked, ["research.md", "requirements.md"]);
  }));
