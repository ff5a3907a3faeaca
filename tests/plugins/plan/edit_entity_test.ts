import assert from "node:assert/strict";
import { join } from "node:path";
import { createServer } from "../../../mod.ts";
import { askCli } from "../../support/real_plan.ts";
import { entity, makeProject, readTree, SMALL_PLAN, writeFiles } from "../../support/project.ts";

const FIRST = "plan/work/WORK-001-first.md";

/** Starts a server for a project with one entity. */
async function planWith(source: string) {
  const cwd = makeProject({ ...SMALL_PLAN, [FIRST]: source });
  const server = await createServer({ cwd });
  const update = (input: Record<string, unknown>) =>
    server.callTool("plan_update", { id: "WORK-001", ...input });
  return {
    cwd,
    update,
    call: server.callTool,
    text: () => Deno.readTextFileSync(join(cwd, FIRST)),
  };
}

const WORK = (body: string) => entity("work", { id: "WORK-001", status: "ready" }, "First", body);

Deno.test("an entity whose end the plugin does not find can be changed", async () => {
  const open = '{% work id="WORK-001" status="ready" %}\n\n# First\n\n- [ ] One\n- [ ] Two\n';
  const inner = WORK("About {% sandbox %} tags.\n\n- [ ] One\n- [ ] Two\n");
  for (const source of [open, inner]) {
    const { update, text } = await planWith(source);
    await update({ check: "One", status: "done", resolve: "It is so." });
    assert.match(
      text(),
      /status="done"[^]*- \[x\] One\n- \[ \] Two\n[^]*## Resolution[^]*It is so\./,
    );
    assert.equal(text().includes("{% /work %}"), source.includes("{% /work %}"));
    if (source === inner) assert.ok(text().endsWith("{% /work %}\n"));
  }
  const { update, cwd } = await planWith(WORK("- [ ] One\n\n```\nopen\n"));
  const before = readTree(cwd);
  await assert.rejects(update({ sections: { Notes: "x" } }), {
    code: "VALIDATION_ERROR",
    message: /code fence that opens in line 7 is not closed/,
    hint: /by hand/,
  });
  assert.deepEqual(readTree(cwd), before);
});

Deno.test("an update cannot make an entity too large to read", async () => {
  const { update, call, cwd } = await planWith(WORK("- [ ] One\n"));
  const text = `${"\u00e9".repeat(999)}\n\n`.repeat(60);
  await update({ sections: { Notes: text } });
  await update({ append: { Notes: text } });
  const before = readTree(cwd);
  const long = { code: "VALIDATION_ERROR", message: /would have [\d,]+ bytes, at most 262,144/ };
  await assert.rejects(update({ append: { Notes: text } }), long);
  assert.deepEqual(readTree(cwd), before);
  assert.match(JSON.stringify(await call("plan_list", {})), /WORK-001/);
});

Deno.test("a save during the rename is kept, even if the change then fails", async () => {
  const { update, text, cwd } = await planWith(WORK("- [ ] One\n"));
  const theirs = WORK("- [ ] One, and more\n\nTheirs.\n");
  const withSave = async (work: () => Promise<unknown>, saved: string) => {
    const rename = Deno.renameSync;
    let saves = 0;
    // An editor writes to the file that is about to be replaced.
    Deno.renameSync = (from, to) => {
      if (saves++ === 0) Deno.writeTextFileSync(to, saved);
      rename(from, to);
    };
    try {
      return await work();
    } finally {
      Deno.renameSync = rename;
      assert.ok(saves > 0);
    }
  };
  await withSave(() => update({ status: "done" }), theirs);
  assert.equal(text(), theirs.replace('"ready"', '"done"'));
  // The saved text no longer contains the criterion: the save stays unchanged.
  const without = WORK("- [ ] Another\n");
  await assert.rejects(withSave(() => update({ check: "One, and more" }), without), {
    code: "VALIDATION_ERROR",
  });
  assert.equal(text(), without);
  assert.deepEqual(
    [...Deno.readDirSync(join(cwd, "plan/work"))].map(({ name }) => name).sort(),
    ["WORK-001-first.md", "WORK-002-second.md"],
  );
});

Deno.test("a read-only file and one that is not UTF-8 are rejected and stay unchanged", async () => {
  const { update, cwd } = await planWith(WORK(""));
  const path = join(cwd, FIRST);
  Deno.chmodSync(path, 0o444);
  await assert.rejects(update({ status: "done" }), {
    code: "PERMISSION_DENIED",
    message: /Read-only/,
  });
  Deno.chmodSync(path, 0o644);
  const bytes = new Uint8Array([...new TextEncoder().encode(WORK("Caf")), 0xe9, 0x0a]);
  Deno.writeFileSync(path, bytes);
  await assert.rejects(update({ status: "done" }), { code: "NOT_FOUND", hint: /UTF-8/ });
  assert.deepEqual(Deno.readFileSync(path), bytes);
});

Deno.test("the next write removes only the temporary files that a killed server left", async () => {
  const { update, cwd } = await planWith(WORK(""));
  const others = ["plan/work/.a.md.swp", "plan/work/.folder.md.0123abcd.tmp/a.md"];
  writeFiles(cwd, {
    "plan/work/.WORK-001-first.md.0123abcd.tmp": "",
    ...Object.fromEntries(others.map((path) => [path, ""])),
  });
  await update({ status: "done" });
  const left = Object.keys(readTree(cwd)).filter((path) => !(path in SMALL_PLAN));
  assert.deepEqual(left.sort(), others);
});

Deno.test("no update that the CLI acknowledged is lost during other updates of the entity", async () => {
  const theirs = Array.from({ length: 1 }, (_, index) => `Theirs ${index};`);
  const ours = Array.from({ length: 40 }, (_, index) => `- [ ] Ours ${index};\n`).join("");
  const { update, cwd, text } = await planWith(
    WORK(theirs.map((text) => `- [ ] ${text}\n`).join("") + ours),
  );
  let running = true;
  // One process per call, as users run it: a save during a rename is restored within a few
  // milliseconds, and a command in the same process may read the file before that.
  const acknowledged = (async () => {
    for (const text of theirs) await askCli(cwd, "update", "WORK-001", "--check", text);
  })().finally(() => running = false);
  for (let index = 0; running; index++) {
    const kind = Math.floor(index / 40) % 2 === 0 ? "check" : "uncheck";
    await update({ [kind]: `Ours ${index % 40};` }).catch((error) => {
      assert.ok(["CONFLICT", "VALIDATION_ERROR"].includes(error.code), String(error));
    });
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  await acknowledged;
  assert.equal(text().match(/- \[x\] Theirs/g)?.length, theirs.length, text());
});
