import assert from "node:assert/strict";
import type * as fs from "node:fs";
import { join } from "node:path";
import { writeFolder } from "../../../../src/io/write_folder.ts";
import { runAsCall, withInterceptor } from "../../../../src/packages/stand_in_call.ts";
import { installStandIns } from "../../../../src/packages/stand_ins.ts";
import { errorOf } from "../../../support/calls.ts";
import { linkTo, makeProject, readTree } from "../../../support/project.ts";

installStandIns();

/** The file functions of a plugin, which the interceptor sees. */
const { pluginFs } = await importAsPlugin();

async function importAsPlugin(): Promise<{ pluginFs: typeof fs }> {
  const folder = makeProject({ "plugin.mjs": 'export * as pluginFs from "node:fs";\n' });
  return await import(`file://${folder}/plugin.mjs`);
}

/** Runs plugin code that may write in the plan of a project. */
async function run(root: string, work: () => unknown): Promise<void> {
  const folder = writeFolder(root, join(root, "plan"));
  await runAsCall(root, () => withInterceptor({ folder }, work));
}

Deno.test("a plugin writes by no function through a link out of its folder, nor in .git", async () => {
  const root = makeProject({
    "plan/a.md": "a",
    "plan/old.md": "old",
    "src/a.ts": "a",
    ".git/HEAD": "ref",
  });
  for (const [path, target] of [["src", "../src"], ["git", "../.git"], ["new.md", "../src/new"]]) {
    linkTo(target!, join(root, "plan", path!));
  }
  const path = (name: string) => join(root, name);
  const targets = ["plan/src/new.ts", "plan/git/new", "plan/src/d/new", ".git/new", "src/new"];
  const writes: ((target: string) => unknown)[] = [
    (target) => pluginFs.writeFileSync(target, "x"),
    (target) => pluginFs.writeFileSync(target, "x", { flag: "wx" }),
    (target) => pluginFs.appendFileSync(target, "x"),
    (target) => pluginFs.mkdirSync(target, { recursive: true }),
    (target) => pluginFs.mkdtempSync(target),
    (target) => pluginFs.openSync(target, "w"),
    (target) => pluginFs.createWriteStream(target),
    (target) => pluginFs.copyFileSync(path("plan/a.md"), target),
    (target) => pluginFs.cpSync(path("plan/a.md"), target),
    (target) => pluginFs.linkSync(path("plan/a.md"), target),
    (target) => pluginFs.renameSync(path("plan/old.md"), target),
    (target) => pluginFs.promises.writeFile(target, "x"),
    (target) => pluginFs.promises.mkdir(target),
  ];
  const changes: ((target: string) => unknown)[] = [
    (target) => pluginFs.rmSync(target),
    (target) => pluginFs.unlinkSync(target),
    (target) => pluginFs.truncateSync(target),
    (target) => pluginFs.chmodSync(target, 0o600),
    (target) => pluginFs.utimesSync(target, 0, 0),
    (target) => pluginFs.renameSync(target, path("plan/taken.md")),
    (target) => pluginFs.linkSync(target, path("plan/taken.md")),
    (target) => pluginFs.writeFileSync(target, "x"),
  ];
  const read = () => [readTree(root), readTree(join(root, ".git"))];
  const before = read();
  const tries = [
    ...writes.flatMap((write) => targets.map((target) => () => write(path(target)))),
    () => pluginFs.writeFileSync(path("plan/new.md"), "x"),
    ...changes.flatMap((change) =>
      ["plan/src/a.ts", "plan/git/HEAD", ".git/HEAD"].map((target) => () => change(path(target)))
    ),
  ];
  for (const attempt of tries) {
    await errorOf(run(root, attempt));
    assert.deepEqual(read(), before, String(attempt));
  }
  await run(root, () => pluginFs.renameSync(path("plan/old.md"), path("plan/moved.md")));
  assert.equal(Deno.readTextFileSync(path("plan/moved.md")), "old");
});
