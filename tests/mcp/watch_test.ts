import assert from "node:assert/strict";
import { join } from "node:path";
import { type Look, lookAt, watchOf } from "../../src/mcp/watch.ts";
import { openWorkspace } from "../../src/workspace/mod.ts";
import { makeProject, SMALL_PLAN, writeFiles } from "../support/project.ts";

Deno.test("one look is made for all listeners, and one that fails keeps it from no other", async () => {
  const workspace = openWorkspace({ cwd: makeProject(SMALL_PLAN) });
  let opened = 0;
  const watch = watchOf({ ...workspace, project: () => (opened++, workspace.project()) });
  const looks: Look[] = [];
  const stops = [
    watch.add(() => Promise.reject(new Error("gone"))),
    watch.add((look) => Promise.resolve(void looks.push(look))),
    watch.add((look) => Promise.resolve(void looks.push(look))),
  ];
  await watch.check();
  assert.equal(looks.length, 2);
  assert.equal(looks[0], looks[1]);
  stops.pop()!();
  await watch.check();
  assert.equal(looks.length, 3);
  for (const stop of stops) stop();
  await watch.check();
  assert.deepEqual([looks.length, opened], [3, 2], "without listeners nothing is looked at");
});

Deno.test("what is asked for during a look is looked at after it, once for all that ask", async () => {
  const watch = watchOf(openWorkspace({ cwd: makeProject() }));
  const first = Promise.withResolvers<void>();
  let looks = 0;
  const stop = watch.add(async () => {
    if (++looks === 1) await first.promise;
  });
  const checks = [watch.check(), watch.check(), watch.check()];
  assert.equal(looks, 1);
  first.resolve();
  await Promise.all(checks);
  assert.equal(looks, 2);
  stop();
});

Deno.test("a look tells what has changed: the content, and each file", () => {
  const cwd = makeProject(SMALL_PLAN);
  const workspace = openWorkspace({ cwd });
  assert.equal(watchOf(workspace), watchOf(workspace));
  const [file, none] = ["plan/work/WORK-001-first.md", "none.md"].map((path) => join(cwd, path));
  const before = lookAt(workspace);
  const [content, stamp] = [before.content(), before.file(file!)];
  assert.equal(before.file(none!), "-", "nothing is there");
  writeFiles(cwd, { "plan/work/WORK-001-first.md": "Another\n", "none.md": "" });
  assert.deepEqual([before.content(), before.file(file!)], [content, stamp], "it stays as it was");
  const after = lookAt(workspace);
  assert.notEqual(after.content(), content);
  assert.notEqual(after.file(file!), stamp);
  assert.notEqual(after.file(none!), "-");
});
