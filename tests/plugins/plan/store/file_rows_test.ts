import assert from "node:assert/strict";
import { listFolder, newRow } from "../../../../plugins/plan/store/file_rows.ts";
import { temporaryName } from "../../../../src/io/files.ts";
import { makeProject } from "../../../support/project.ts";

Deno.test("a folder is listed by name: its Markdown files, folders and links, and what was left behind", () => {
  const root = makeProject({
    "work/b.md": "",
    "work/a.md": "",
    "work/c.txt": "",
    "work/in/d.md": "",
  });
  Deno.symlinkSync(`${root}/work/a.md`, `${root}/work/link.md`);
  const left = temporaryName(`${root}/work/a.md`);
  Deno.writeTextFileSync(left, "");
  const row = newRow("work/b.md", `${root}/work/b.md`, false);
  const { entries, hasLinks, temporaries } = listFolder(`${root}/work`, "work", [
    { kind: "file", row },
  ]);
  assert.deepEqual(
    entries.map((entry) => [entry.kind, entry.kind === "file" ? entry.row.file : entry.way]),
    [["file", "work/a.md"], ["file", "work/b.md"], ["folder", "work/in"], ["link", "work/link.md"]],
  );
  assert.ok(entries.some((entry) => entry.kind === "file" && entry.row === row), "it is kept");
  assert.equal(hasLinks, true);
  assert.deepEqual(temporaries.map((name) => `${root}/work/${name}`), [left]);
});
