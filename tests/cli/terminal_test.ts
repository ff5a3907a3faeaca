import assert from "node:assert/strict";
import { commitAll, makeProject } from "../support/project.ts";
import { copyExample, example } from "../support/run.ts";
import { testUnless } from "../support/skip.ts";
import { HIDDEN, hostileTexts } from "../support/hostile_text.ts";
import { NO_TERMINAL, onTerminal } from "../support/terminal.ts";

// deno-lint-ignore no-control-regex -- the codes are what a terminal does not show
const COLOURS = /\x1b\[\d+m/g;

testUnless(
  NO_TERMINAL,
  "call prints a table on a terminal, without colours for NO_COLOR, in its width",
  async () => {
    const cwd = copyExample("plan");
    commitAll(cwd, "Start");
    const narrow = { columns: 40, env: { NO_COLOR: "1" } };
    const { left: text } = await onTerminal(cwd, ["call", "plan_status"], narrow);
    assert.ok(!text.includes("\x1b["));
    // Status and blockers stay in 40 columns, in words.
    assert.match(text, /WORK-003[^]*status +ready\n +blocked by +WORK-002/);
    assert.ok(text.split("\n").every((line) => line.length <= 40), text);
    assert.doesNotMatch(text, /blockedBy {2}|inProgress/);
    // A terminal of unknown width has 100 columns.
    const { left } = await onTerminal(cwd, ["list", "tools"], { columns: 0 });
    assert.ok(left.includes("\x1b[1mplan_next\x1b[0m"));
    const widths = left.replaceAll(COLOURS, "").split("\n").map((line) => line.length);
    assert.ok(Math.max(...widths) <= 100 && Math.max(...widths) > 60, left);
  },
);

testUnless(
  NO_TERMINAL,
  "a terminal gets the program's escape sequences, never the repository's",
  async () => {
    const { shown } = await onTerminal(hostileTexts(), ["doctor"]);
    assert.ok(shown.includes("\x1b[31mFAIL\x1b[0m"), shown);
    // deno-lint-ignore no-control-regex -- the program's own
    const others = shown.replaceAll(/\x1b\[(?:0|1|2|31|32|33)m|\r\x1b\[K/g, "");
    assert.doesNotMatch(others.replaceAll("\r", ""), HIDDEN);
  },
);

testUnless(NO_TERMINAL, "check shows the severity of each finding by a colour", async () => {
  const cwd = makeProject({
    "refrakt.config.json": JSON.stringify({ site: { contentDir: "./content" } }),
    "content/a.md": "# A\n\n{% hnt %}\nx\n{% /hnt %}\n\n### Deep\n",
  });
  const { code, left } = await onTerminal(cwd, ["check"]);
  assert.equal(code, 1, left);
  assert.ok(left.includes("content/a.md:3:4 \x1b[31mrune-unknown\x1b[0m Unknown rune"), left);
  assert.ok(left.includes("content/a.md:7:1 \x1b[33mheading-jump\x1b[0m A heading"), left);
});

testUnless(NO_TERMINAL, "the server says on a terminal that it waits for a client", async () => {
  const { shown } = await onTerminal(example("plan"), [], { until: /\n/ });
  assert.match(shown, /^Waiting for an MCP client on stdin\. .*help.*config.*Ctrl-C/);
});
