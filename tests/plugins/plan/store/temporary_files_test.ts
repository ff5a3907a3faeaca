import assert from "node:assert/strict";
import { join } from "node:path";
import { sweepTemporaries } from "../../../../plugins/plan/store/temporary_files.ts";
import { makeProject, readTree } from "../../../support/project.ts";

Deno.test("a temporary file is removed when it is old, or when the lock is held", () => {
  const cwd = makeProject({ ".a.tmp": "", ".b.tmp": "", "c.md": "" });
  const at = (name: string) => join(cwd, name);
  Deno.utimeSync(at(".a.tmp"), 0, 0);
  sweepTemporaries([at(".a.tmp"), at(".b.tmp"), at(".gone.tmp")], false);
  assert.deepEqual(Object.keys(readTree(cwd)).sort(), [".b.tmp", "c.md"]);
  sweepTemporaries([at(".b.tmp")], true);
  assert.deepEqual(Object.keys(readTree(cwd)), ["c.md"]);
});

Deno.test("a link is removed itself, not what it leads to, and a full folder stays", () => {
  const cwd = makeProject({ "kept.md": "text", ".folder.tmp/a.md": "text" });
  Deno.symlinkSync(join(cwd, "kept.md"), join(cwd, ".link.tmp"));
  sweepTemporaries([join(cwd, ".link.tmp"), join(cwd, ".folder.tmp")], true);
  assert.deepEqual(readTree(cwd), { "kept.md": "text", ".folder.tmp/a.md": "text" });
});
