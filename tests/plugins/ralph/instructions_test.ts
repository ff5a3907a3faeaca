import assert from "node:assert/strict";
import { inLab, putSpec } from "./support.ts";

const PHASES = ["research", "requirements", "design", "tasks"];
const LINE = 'A line with "quotes" and <tags>.\n';

Deno.test("answers have at most 24,000 characters, even for large documents", () =>
  inLab(async (lab) => {
    const size = 200_000;
    const huge = LINE.repeat(size / LINE.length);
    const rows = Array.from({ length: size / 100 }, (_, at) => `| FR-${at + 1} | ${LINE.trim()} |`);
    putSpec(lab, "auth", { phase: "tasks" });
    const progress = `# P\n\n## Original Goal\n\n${huge}\n\n## Learnings\n${huge}`;
    lab.write("specs/auth/.progress.md", progress);
    for (const file of PHASES) {
      lab.write(`specs/auth/${file}.md`, `## Technical Decisions\n${huge}`);
    }
    lab.write("specs/auth/requirements.md", rows.join("\n"));
    const { text, instructions, ...data } = await lab.call("ralph_tasks");
    assert.ok(text.length <= 24_000, String(text.length));
    assert.equal(instructions, text, "the data says the same");
    assert.ok(JSON.stringify(data).length < 2_000, "and nothing of it twice");
    assert.match(text, /### When Complete/);
    const task = `- [ ] 1.1 T\n  - ${huge.replaceAll("\n", "\n  ")}`;
    putSpec(lab, "auth", { phase: "execution" }, task);
    for (const tool of ["implement", "status", "check", "help"]) {
      assert.ok((await lab.text(`ralph_${tool}`)).length <= 24_000, tool);
    }
  }));

Deno.test("quick mode never asks the user, and no instruction requires CI", () =>
  inLab(async (lab) => {
    for (const quickMode of [true, false]) {
      for (const phase of PHASES) {
        putSpec(lab, "auth", { phase, quickMode }, "- [ ] 1.1 A\n");
        const text = await lab.text(`ralph_${phase}`);
        assert.equal(/do not ask the user/.test(text), quickMode, phase);
        if (quickMode) assert.doesNotMatch(text, /Ask the user|approv/, phase);
        for (const line of text.split("\n").filter((line) => /\bCI\b/.test(line))) {
          assert.match(line, /CI files|in CI, or "none"|names a CI/, line);
        }
      }
      putSpec(lab, "auth", { phase: "execution", quickMode }, "- [ ] 1.1 A\n");
      assert.equal(/only the user can decide/.test(await lab.text("ralph_implement")), !quickMode);
    }
  }));
