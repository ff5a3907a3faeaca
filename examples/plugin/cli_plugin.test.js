import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import plugin from "./cli_plugin.js";

test("count() counts the words of Markdown files", () => {
  const cwd = mkdtempSync(join(tmpdir(), "words-"));
  writeFileSync(join(cwd, "a.md"), "# Two words\n");
  writeFileSync(join(cwd, "b.txt"), "Not a page");
  const [count] = plugin.commands;
  assert.deepEqual(count.mcpHandler({ folder: "." }, { cwd }), { pages: [{ page: "a.md", words: 2 }] });
  rmSync(cwd, { recursive: true });
});
