import assert from "node:assert/strict";
import { commitAll, makeProject } from "../support/project.ts";
import { copyExample } from "../support/run.ts";
import { testUnless } from "../support/skip.ts";
import { NO_TERMINAL, onTerminal } from "../support/terminal.ts";

testUnless(
  NO_TERMINAL,
  "output fits the terminal's width, and is coloured",
  async () => {
    const cwd = copyExample("plan");
    for (const [columns, most] of [[60, 60], [0, 100]] as const) {
      const { code, left } = await onTerminal(cwd, ["list", "tools"], { columns });
      assert.equal(code, 0, left);
      assert.ok(left.includes("\x1b[1mplan.next\x1b[0m"));
      // deno-lint-ignore no-control-regex -- the codes are what a terminal does not show
      const lines = left.replaceAll(/\x1b\[\d+m/g, "").split("\n");
      const longest = Math.max(...lines.map((line) => line.length));
      assert.ok(longest <= most && longest > most / 2, `${columns}: ${longest}`);
    }
  },
);

testUnless(
  NO_TERMINAL,
  "call prints a table on a terminal, without colours for NO_COLOR, and JSON with --json",
  async () => {
    const cwd = copyExample("plan");
    commitAll(cwd, "Start");
    const table = await onTerminal(cwd, ["call", "plan.validate"], { env: { NO_COLOR: "1" } });
    assert.ok(!table.left.includes("\x1b["));
    assert.match(table.left, /^counts +errors \d+, warnings/m);
    const json = await onTerminal(cwd, ["call", "plan.validate", "--json"]);
    assert.ok(JSON.parse(json.left).counts);
  },
);

testUnless(
  NO_TERMINAL,
  "status and blockers stay in 40 columns, in words",
  async () => {
    const cwd = copyExample("plan");
    commitAll(cwd, "Start");
    const { shown } = await onTerminal(cwd, ["call", "plan.status"], { columns: 40 });
    // deno-lint-ignore no-control-regex -- the codes are what a terminal does not show
    const text = shown.replaceAll(/\x1b\[\d*[A-Za-z]|.*\r/g, "");
    assert.match(text, /WORK-003[^]*status +ready\n +blocked by +WORK-002/);
    assert.ok(text.split("\n").every((line) => line.length <= 40), text);
    assert.doesNotMatch(text, /blockedBy {2}|inProgress/);
  },
);

testUnless(NO_TERMINAL, "check shows each finding in its line, with a caret below", async () => {
  const cwd = makeProject({
    "refrakt.config.json": JSON.stringify({ site: { contentDir: "./content" } }),
    "content/a.md": `# A\n\n${"word ".repeat(20)}{% hnt %}\nx\n{% /hnt %}\n`,
    "content/b.md": "# B\n\n### Deep\n",
  });
  const { code, left } = await onTerminal(cwd, ["check"], { columns: 60 });
  assert.equal(code, 1, left);
  assert.ok(left.includes("\x1b[31merror\x1b[0m Unknown rune"));
  assert.ok(left.includes("\x1b[33mwarning\x1b[0m A heading"));
  // deno-lint-ignore no-control-regex -- the codes are what a terminal does not show
  const plain = left.replaceAll(/\x1b\[\d+m/g, "");
  const text = plain.slice(plain.indexOf("content/a.md\n"));
  assert.match(text, /^content\/a\.md\n {2}3:104 {2}error "hnt" is not closed/);
  assert.match(text, /\n\ncontent\/b\.md\n {2}3:1 {2}warning A heading/);
  const [, source = "", caret = ""] = /( +3 \| .*hnt %\})\n(.*\^\^\^)\n/.exec(text) ?? [];
  assert.equal(source.indexOf("hnt"), caret.indexOf("^"));
  assert.ok(text.split("\n").every((line) => line.length <= 60), text);
});

testUnless(NO_TERMINAL, "the server says on a terminal that it waits for a client", async () => {
  const { shown } = await onTerminal(copyExample("plan"), [], { until: /\n/ });
  assert.match(shown, /^Waiting for an MCP client on stdin\. .*help.*config.*Ctrl-C/);
});
