import assert from "node:assert/strict";
import { DOCUMENT_PHASES } from "../../../../plugins/ralph/phases.ts";
import { DOCUMENTS } from "../../../../plugins/ralph/documents.ts";
import { type Data, inLab, putSpec } from "../support.ts";

Deno.test("ralph_check finds problems in the documents, and uncovered requirements", () =>
  inLab(async (lab) => {
    putSpec(
      lab,
      "auth",
      { phase: "tasks" },
      `- [x] 1.1 Log in
  - **Do**: x
  - **Files**: \`a\`
  - **Done when**: y
  - **Verify**: \`deno test\`
  - _Requirements: FR-1, US-1_
- [ ] 1.2 Look at it
  - **Verify**: check the page manually
  - _Requirements: FR-9_
- [ ] 1.3 No verify
- [ ] V1 [VERIFY] All
`,
    );
    lab.write(
      "specs/auth/requirements.md",
      `### US-1: Log in
- [ ] AC-1.1: When the key is right, then 200
- [ ] AC-2.1: The page loads
| FR-1 | Log in | High | AC-1.1 |
| FR-2 | Log out | High | AC-1.1 |
| FR-2 | Twice | High | AC-1.1 |
`,
    );
    const data = await lab.call("ralph_check");
    const rules = new Set(data["findings"].map((finding: Data) => `${finding["rule"]}`));
    const wanted = "duplicate-id no-verify manual-verification unknown-reference uncovered";
    for (const rule of wanted.split(" ")) {
      assert.ok(rules.has(rule), `${rule} is missing of ${[...rules]}`);
    }
    assert.equal(data["ok"], false);
    assert.deepEqual(data["coverage"].uncovered, ["FR-2", "AC-2.1"]);
    assert.match(
      data["text"],
      /- Coverage: 1 of 2 requirements done, 1 of 2 criteria done; no task for FR-2, AC-2\.1/,
    );
    const manual = data["findings"].find((finding: Data) =>
      finding["rule"] === "manual-verification"
    );
    assert.equal(manual.line, 7);
  }));

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

Deno.test("a Verify that cannot fail is none", () =>
  inLab(async (lab) => {
    const verifies = {
      ...{ "true": true, ":": true, "exit 0": true, "echo done": true, "npm test || true": true },
      ...{ "npm test": false, "echo x | grep x": false, "test -f true": false },
    };
    for (const [verify, isFound] of Object.entries(verifies)) {
      putSpec(lab, "auth", { phase: "tasks" }, `- [ ] 1.1 A\n  - **Verify**: \`${verify}\`\n`);
      const { findings } = await lab.call("ralph_check");
      const rules = findings.map(({ rule }: Data) => rule);
      assert.equal(rules.includes("no-verify"), isFound, verify);
    }
  }));
