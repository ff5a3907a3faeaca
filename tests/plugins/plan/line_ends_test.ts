import assert from "node:assert/strict";
import { join } from "node:path";
import { createServer } from "../../../mod.ts";
import { commitAll, writeFiles } from "../../support/project.ts";
import { copyExample } from "../../support/run.ts";

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
  const history = await server.callTool("plan_history", { id: "WORK-002" });
  const text = JSON.stringify(history);
  assert.ok(text.includes("Arrow keys move through the results"), text);
  assert.ok(!text.includes("The field opens with the slash key\\r"), text);
  assert.ok(!text.includes("\\r"), text);
});
