import assert from "node:assert/strict";
import { join } from "node:path";
import { createServer } from "../../../mod.ts";
import { commitAll, readTree, writeFiles } from "../../support/project.ts";
import { copyExample } from "../../support/run.ts";

/** Creates a plan with CRLF line ends, like a checkout on Windows. */
function crlfExample(): string {
  const cwd = copyExample("plan");
  for (const [path, text] of Object.entries(readTree(cwd))) {
    Deno.writeTextFileSync(join(cwd, path), text.replace(/\r?\n/g, "\r\n"));
  }
  return cwd;
}

Deno.test("plan.create uses the line ends of the plan", async () => {
  const cases = [[crlfExample(), /(?<!\r)\n|\r\r/], [copyExample("plan"), /\r/]] as const;
  for (const [cwd, other] of cases) {
    const { callTool } = await createServer({ cwd });
    const inputs = [{ type: "work", title: "New", sections: { Notes: "One\r\nTwo" } }, {
      type: "milestone",
      id: "v9.0.0",
      title: "Nine",
    }];
    for (const input of inputs) {
      const { path } = await callTool("plan.create", input) as { path: string };
      const text = Deno.readTextFileSync(join(cwd, path));
      assert.ok(text.includes("\n"), text);
      assert.doesNotMatch(text, other, path);
    }
  }
});

Deno.test("the history ignores changes of line ends", async () => {
  const cwd = copyExample("plan");
  // Keep the bytes regardless of git's configuration.
  writeFiles(cwd, { ".gitattributes": "* -text\n" });
  commitAll(cwd, "Start");
  const path = join(cwd, "plan/work/WORK-002-query-box.md");
  const crlf = Deno.readTextFileSync(path).replace(/\r?\n/g, "\r\n");
  Deno.writeTextFileSync(path, crlf);
  commitAll(cwd, "Line ends");
  Deno.writeTextFileSync(path, crlf.replace("- [ ] Arrow", "- [x] Arrow"));
  commitAll(cwd, "Tick");
  const server = await createServer({ cwd });
  const history = await server.callTool("plan.history", { id: "WORK-002" });
  const text = JSON.stringify(history);
  assert.ok(text.includes("Arrow keys move through the results"), text);
  assert.ok(!text.includes("The field opens with the slash key\\r"), text);
  assert.ok(!text.includes("\\r"), text);
});
