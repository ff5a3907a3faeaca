import assert from "node:assert/strict";
import { commitAll } from "../support/project.ts";
import { copyExample } from "../support/run.ts";
import { testUnless } from "../support/skip.ts";
import { NO_TERMINAL, onTerminal } from "../support/terminal.ts";

testUnless(
  NO_TERMINAL,
  "output fits the terminal's width, and is coloured unless NO_COLOR is set",
  async () => {
    const cwd = copyExample("plan");
    for (const [columns, most] of [[60, 60], [0, 100]] as const) {
      const { code, shown } = await onTerminal(cwd, ["list", "tools"], { columns });
      assert.equal(code, 0, shown);
      assert.ok(shown.includes("\x1b[1mplan.next\x1b[0m"));
      // deno-lint-ignore no-control-regex -- the codes are what a terminal does not show
      const lines = shown.replaceAll(/\x1b\[\d+m/g, "").split("\n");
      const longest = Math.max(...lines.map((line) => line.length));
      assert.ok(longest <= most && longest > most / 2, `${columns}: ${longest}`);
    }
    const plain = await onTerminal(cwd, ["list", "tools"], { env: { NO_COLOR: "1" } });
    assert.ok(!plain.shown.includes("\x1b["));
  },
);

testUnless(NO_TERMINAL, "call prints a table on a terminal, and JSON with --json", async () => {
  const cwd = copyExample("plan");
  commitAll(cwd, "Start");
  const table = await onTerminal(cwd, ["call", "plan.validate"], { env: { NO_COLOR: "1" } });
  assert.throws(() => JSON.parse(table.shown));
  assert.match(table.shown, /^counts\n {2}\w+ +\d/m);
  const json = await onTerminal(cwd, ["call", "plan.validate", "--json"]);
  assert.ok(JSON.parse(json.shown).counts);
});

testUnless(NO_TERMINAL, "the server says on a terminal that it waits for a client", async () => {
  const { shown } = await onTerminal(copyExample("plan"), [], { until: /\n/ });
  assert.match(shown, /^Waiting for an MCP client on stdin\. .*help.*config.*Ctrl-C/);
});
