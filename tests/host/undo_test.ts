/** `refrakt_undo`: takes back a write of any tool, whatever the project has. */

import assert from "node:assert/strict";
import { inProcess } from "../support/in_process.ts";
import { makeProject, readTree, writeFiles } from "../support/project.ts";

const PAGES = {
  "refrakt.config.json": JSON.stringify({ contentDir: "content" }),
  "content/index.md": "# Home\n\n[A](a.md)\n",
  "content/a.md": '# A\n\n[Home](index.md)\n\n{% hint type="note" %}\nX\n{% /hint %}\n',
};

const VALUE = { kind: "value", from: "note", to: "warning", rune: "hint", attribute: "type" };

const WRITES: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  ["refrakt_move", { path: "a.md", to: "deep/down/b.md" }],
  ["refrakt_rename", VALUE],
  ["ralph_start", { name: "auth", goal: "Show it" }],
  ["plan_init", {}],
];

Deno.test("refrakt_undo takes back a write of any tool in all of its files, and can be undone", async (t) => {
  for (const [tool, args] of WRITES) {
    await t.step(tool, async () => {
      const cwd = makeProject(PAGES);
      const before = readTree(cwd);
      await inProcess(cwd, async ({ ok, call, tools }) => {
        assert.ok((await tools()).includes("refrakt_undo"));
        const { undo: token } = await ok(tool, args);
        const after = readTree(cwd);
        assert.notDeepEqual(after, before);
        const preview = await ok("refrakt_undo", { token, preview: true });
        assert.deepEqual(readTree(cwd), after);
        const { undo: again, ...done } = await ok("refrakt_undo", { token });
        assert.deepEqual(done, preview);
        assert.equal(done.tool, tool);
        assert.deepEqual(readTree(cwd), before);
        assert.equal((await call("refrakt_undo", { token })).errorCode, "UNDO_EXPIRED");
        await ok("refrakt_undo", { token: again });
        assert.deepEqual(readTree(cwd), after);
      });
    });
  }
});

Deno.test("refrakt_undo writes nothing if one of the files was changed since", async () => {
  const cwd = makeProject(PAGES);
  await inProcess(cwd, async ({ ok, call }) => {
    const { undo: token } = await ok("refrakt_move", { path: "a.md", to: "b.md" });
    writeFiles(cwd, { "content/index.md": "# Other\n" });
    const before = readTree(cwd);
    const { errorCode, content } = await call("refrakt_undo", { token });
    assert.equal(errorCode, "CONFLICT");
    assert.match(content[0].text, /index\.md" was changed since/);
    assert.deepEqual(readTree(cwd), before);
  });
});
