import assert from "node:assert/strict";
import { typedCommand } from "../../src/cli/terminal.ts";

Deno.test("the program is named as the user started it", () => {
  const cases = [
    ["https://jsr.io/@refrakt/mcp/0.1.0/src/bundle/mod.js", "deno run … jsr:@refrakt/mcp"],
    [
      "https://jsr.io/@refrakt/mcp/0.1.0/src/bundle/plugins/ralph/mod.js",
      "deno run … jsr:@refrakt/mcp/ralph",
    ],
    ["file:///home/ada/refrakt%20mcp/mod.ts", "deno run … /home/ada/refrakt mcp/mod.ts"],
  ] as const;
  for (const [main, command] of cases) assert.equal(typedCommand(main), command);
  assert.equal(typedCommand("file:///x", "/usr/bin/refrakt"), "refrakt");
});
