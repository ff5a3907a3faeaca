import assert from "node:assert/strict";
import { inLab, putSpec } from "./support.ts";

const TASK = `- [ ] 1.1 Write the parser
  - **Do**:
    1. Read the grammar
    2. Write the parser
  - **Files**: \`src/parse.ts\`
  - **Done when**: it parses the examples
  - **Verify**: \`deno test\`
  - **Commit**: \`feat(parse): add the parser\`
  - _Requirements: FR-1_
`;

Deno.test("an answer for a small spec is shorter than 2,200 characters", () =>
  inLab(async (lab) => {
    putSpec(lab, "a-spec-of-ordinary-name", { phase: "execution" }, TASK);
    const { text: _text, ...data } = await lab.call("ralph_implement");
    const size = JSON.stringify(data).length;
    assert.ok(size < 2_200, `${size}`);
  }, { git: true }));

Deno.test("ralph_implement assigns the verifier role to checks, and the executor role to other tasks", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 A\n- [ ] 1.2 [VERIFY] B\n- [ ] V1 C\n");
    const work = await lab.call("ralph_implement", { task: "1.1" });
    assert.equal(work["task"].verify, false);
    assert.match(work["text"], /You are the executor/);
    for (const task of ["1.2", "V1"]) {
      const check = await lab.call("ralph_implement", { task });
      assert.equal(check["task"].verify, true);
      assert.match(check["text"], /You are the verifier/);
    }
  }));
