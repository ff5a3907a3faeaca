/** Notes: dated, signed lines of whoever works on an entity. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { inProcess } from "../../../support/in_process.ts";
import { git, makeProject } from "../../../support/project.ts";
import { childEnvironment, withServer } from "../../../support/server.ts";
import { itemsOf } from "../../../support/rows.ts";

const item = (id: string, attributes: string, notes = "") =>
  `{% work id="${id}" status="in-progress" ${attributes} %}\n\n# ${id}\n\n## Approach\n\nText.\n` +
  `${notes}\n{% /work %}\n`;

Deno.test("a note is a dated line, signed by whoever works on the item or is named, and the newest is shown", async () => {
  const day = new Date().toLocaleDateString("sv");
  const older = "\n## Notes\n\n- 2030-01-02 eve: Newest by its date\n- 2020-01-02 eve: Old\n";
  const cwd = makeProject({
    "plan/work/WORK-001-a.md": item("WORK-001", 'assignee="ada"'),
    "plan/work/WORK-002-b.md": item("WORK-002", 'assignee="bob"', older),
    "plan/work/WORK-003-c.md": item("WORK-003", 'assignee="ada"').replace(
      "## App",
      "## notes\n\nProse.\n\n## App",
    ),
  });
  const read = (name: string) => Deno.readTextFileSync(join(cwd, "plan/work", name));
  await inProcess(cwd, async ({ ok, call }) => {
    const { undo, lines: [changed] } = await ok("plan_update", {
      id: "WORK-001",
      note: " Parser\n done;  tests next ",
      by: "cleo",
    });
    const line = `${day} cleo: Parser done; tests next`;
    assert.match(changed, /^WORK-001: text \+2/);
    assert.match(
      read("WORK-001-a.md"),
      new RegExp(`\n## Notes\n- ${line}\n`),
    );
    const both = { ids: ["WORK-001", "WORK-003"], note: "Both", assignee: "bob" };
    await ok("plan_update", both);
    assert.match(read("WORK-001-a.md"), new RegExp(`next\n- ${day} ada: Both\n`));
    assert.match(read("WORK-003-c.md"), new RegExp(`Prose.\n\n- ${day} ada: Both\n`));
    const { newestNote } = await ok("plan_get", { id: "WORK-001" });
    assert.equal(newestNote, `${day} ada: Both`);
    assert.equal(
      (await ok("plan_get", { id: "WORK-002", fields: ["newestNote"] })).newestNote,
      "2030-01-02 eve: Newest by its date",
    );
    const items = itemsOf(await ok("plan_list", { fields: ["newestNote"] }));
    assert.equal(items.filter(({ newestNote }: { newestNote?: string }) => newestNote).length, 3);
    assert.equal((await call("plan_undo", { token: undo })).errorCode, "CONFLICT");
  });
});

Deno.test("a note on what nobody works on is signed with the name in git's settings, of the user or the repository", async () => {
  const cwd = makeProject({ "plan/work/WORK-001-a.md": item("WORK-001", "") });
  git(cwd, "init", "-q");
  const home = makeProject({ ".gitconfig": "[user]\n\tname = Ada Lovelace\n" });
  await withServer(cwd, async ({ ok }) => {
    const newest = async () => {
      await ok("plan_update", { id: "WORK-001", note: "Tried" });
      return (await ok("plan_get", { id: "WORK-001" })).newestNote.slice("2026-01-01 ".length);
    };
    assert.equal(await newest(), "Ada Lovelace: Tried");
    git(cwd, "config", "user.name", "Bob");
    assert.equal(await newest(), "Bob: Tried");
  }, { env: { ...childEnvironment(), GIT_CONFIG_GLOBAL: join(home, ".gitconfig") } });
});
