import assert from "node:assert/strict";
import { join } from "node:path";
import type { FileRow } from "../../../../plugins/plan/store/file_rows.ts";
import { PlanTable } from "../../../../plugins/plan/store/table.ts";
import type { StoredEntity } from "../../../../plugins/plan/store/stored_entity.ts";
import { makeProject, writeFiles } from "../../../support/project.ts";

/** A table of a plan whose entities are the texts themselves, and the files that were read. */
function tableOf(root: string) {
  const read: string[] = [];
  const table = new PlanTable(root, join(root, "plan"), (source, file) => {
    read.push(file);
    return source.startsWith("#") ? null : { source } as unknown as StoredEntity;
  });
  const look = (): FileRow[] => {
    const looking = table.look();
    for (;;) {
      const { done, value } = looking.next();
      if (done) return value;
    }
  };
  const files = () => look().map(({ file }) => file);
  return { table, read, look, files };
}

Deno.test("a look lists the Markdown files by path, and reads what has changed alone", () => {
  const root = makeProject({
    "plan/work/b.md": "b",
    "plan/work/a.md": "a",
    "plan/work/deep/c.md": "c",
    "plan/notes.txt": "no",
    "plan/README.md": "# none",
  });
  const { table, read, look, files } = tableOf(root);
  const all = ["README.md", "work/a.md", "work/b.md", "work/deep/c.md"];
  assert.deepEqual(files(), all);
  assert.deepEqual(read.splice(0).sort(), [...all].sort());
  const { generation } = table;
  assert.deepEqual(files(), all);
  writeFiles(root, { "plan/work/a.md": "another text" });
  const rows = look();
  assert.ok(read.includes("work/a.md"));
  assert.ok(table.generation > generation);
  const [row] = rows.filter(({ file }) => file === "work/a.md");
  assert.deepEqual(row!.entity, { source: "another text" });
  assert.equal(rows.find(({ file }) => file === "README.md")!.entity, null);
});

Deno.test("what is gone is gone, what is moved is found, and a plan that is gone is an error", () => {
  const root = makeProject({ "plan/work/a.md": "a", "plan/bugs/b.md": "b" });
  const { files } = tableOf(root);
  assert.deepEqual(files(), ["bugs/b.md", "work/a.md"]);
  Deno.renameSync(join(root, "plan/bugs"), join(root, "plan/old"));
  assert.deepEqual(files(), ["old/b.md", "work/a.md"]);
  Deno.removeSync(join(root, "plan/work/a.md"));
  assert.deepEqual(files(), ["old/b.md"]);
  Deno.removeSync(join(root, "plan"), { recursive: true });
  assert.throws(() => files(), Deno.errors.NotFound);
});

Deno.test("links are followed inside the project, not out of it and not in circles", () => {
  const outside = makeProject({ "secret.md": "secret" });
  const root = makeProject({ "plan/work/a.md": "a", "elsewhere/c.md": "c", "one.md": "one" });
  const link = (target: string, path: string) => Deno.symlinkSync(target, join(root, path));
  link(join(outside, "secret.md"), "plan/work/secret.md");
  link(outside, "plan/outside");
  link("../elsewhere", "plan/inside");
  link("../../one.md", "plan/work/one.md");
  link("..", "plan/work/circle");
  link("nowhere.md", "plan/work/dangling.md");
  const { table, files } = tableOf(root);
  assert.deepEqual(files(), ["inside/c.md", "work/a.md", "work/one.md"]);
  assert.deepEqual([...table.unreadable()], []);
  writeFiles(root, { "one.md": "another one" });
  assert.deepEqual(files(), ["inside/c.md", "work/a.md", "work/one.md"]);
});

Deno.test("each folder is looked at once, however many links lead to it", () => {
  const root = makeProject({ "plan/work/a.md": "a", "elsewhere/29/c.md": "c" });
  for (let depth = 0; depth < 29; depth++) {
    for (const folder of ["plan/", "elsewhere/"]) {
      Deno.mkdirSync(join(root, `${folder}${depth}`));
      for (const name of ["x", "y"]) {
        Deno.symlinkSync(`../${depth + 1}`, join(root, `${folder}${depth}/${name}`));
      }
    }
  }
  Deno.symlinkSync("../elsewhere/0", join(root, "plan/link"));
  const { files } = tableOf(root);
  assert.deepEqual(files(), [`link/${"x/".repeat(29)}c.md`, "work/a.md"]);
});

Deno.test("a file that cannot be read costs that one alone, and our own temporary files are known", () => {
  const root = makeProject({
    "plan/work/a.md": "a",
    "plan/work/large.md": "x".repeat(1_100_000),
    "plan/work/.a.md.0123abcd.tmp": "",
    "plan/work/.a.md.swp": "",
  });
  const { table, look } = tableOf(root);
  const rows = look();
  assert.deepEqual(rows.map(({ file, entity }) => [file, entity !== null]), [
    ["work/a.md", true],
    ["work/large.md", false],
  ]);
  const [unreadable, ...others] = table.unreadable();
  assert.deepEqual([unreadable!.file, others], ["work/large.md", []]);
  assert.match(unreadable!.reason, /too large/);
  assert.deepEqual([...table.temporaries()], [join(root, "plan/work/.a.md.0123abcd.tmp")]);
});
