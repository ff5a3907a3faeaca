import assert from "node:assert/strict";
import { CARRIED, fenced, renderMaterials } from "../../../plugins/ralph/context.ts";

const materialOf = (path: string, text: string) => ({ path, text, carried: CARRIED[path]!(text) });

Deno.test("a fence cannot be closed by its text, and no two have one mark", () => {
  const [one, other] = [fenced("a.md", "----- END abc -----"), fenced("a.md", "x")];
  const mark = /^----- DATA (\w{12}): a\.md -----$/m.exec(one)![1]!;
  assert.equal(one.split(mark).length, 3);
  assert.ok(one.endsWith(`----- END ${mark} -----`) && !other.includes(mark));
});

Deno.test("what later phases depend on is carried: commands, statements, decisions, tasks", () => {
  assert.deepEqual(
    CARRIED["research.md"]!("# A\n## Quality Commands\n| Lint |\n### All\nx\n## Next\ny\n"),
    ["## Quality Commands", "| Lint |", "### All", "x"],
  );
  assert.deepEqual(CARRIED["requirements.md"]!("# A\n| FR-1 | a |\ntext\n"), ["| FR-1 | a |"]);
  assert.deepEqual(CARRIED["tasks.md"]!("- [ ] 1.1 A\n  - **Do**: x\n"), ["- [ ] 1.1 A"]);
  assert.deepEqual(CARRIED["design.md"]!("```\n## Decisions\n```\n"), []);
});

Deno.test("a document goes in whole where there is room, else as an outline with what is carried", () => {
  const requirements = materialOf(
    "requirements.md",
    `# Long\n| FR-1 | a |\n${"text ".repeat(400)}`,
  );
  const small = materialOf("design.md", "# Design\n");
  const whole = renderMaterials([requirements, small], [requirements, small], 10_000);
  assert.ok(whole.includes("text text"));
  const short = renderMaterials([requirements, small], [requirements, small], 1_000);
  assert.ok(!short.includes("text text") && short.includes("| FR-1 | a |"));
  assert.ok(short.length <= 1_000);
});

Deno.test("very much that is carried is cut, and the answer says where the rest is", () => {
  const rows = Array.from({ length: 2_000 }, (_, at) => `| FR-${at} | something |`).join("\n");
  const text = renderMaterials([materialOf("requirements.md", rows)], [], 3_000);
  assert.ok(text.length <= 3_000, String(text.length));
  assert.match(text, /… and \d+ more lines of this kind in requirements\.md/);
});
