import assert from "node:assert/strict";
import { join } from "node:path";
import { makeProject, readTree, SMALL_PLAN } from "../../support/project.ts";
import { inProcess } from "../../support/in_process.ts";
import { withServer } from "../../support/server.ts";

const SECRET = "A SECRET OUTSIDE THE PROJECT";

Deno.test("plan resources are found by type and id", async (test) => {
  const cwd = makeProject({
    ...SMALL_PLAN,
    "plan/work/WORK-010-ten.md": '{% work id="WORK-010" status="done" %}\n\n# Ten\n\n{% /work %}\n',
    "plan/work/unusual name.md": '{% work id="W 1/ä" status="done" %}\n\n# Odd\n\n{% /work %}\n',
    "plan/INSTRUCTIONS.md": '# How\n\n```\n{% spec id="X" status="draft" %}\n```\n',
    "SECRET-notes.md": SECRET,
    "node_modules/x/README.md": SECRET,
  });
  const before = readTree(cwd);
  await inProcess(cwd, async ({ read, readError, client, ok }) => {
    await test.step("each resource returns its file", async () => {
      for (
        const [uri, path] of [
          ["work/WORK-001", "work/WORK-001-first.md"],
          ["bug/BUG-001", "bugs/BUG-001-crash.md"],
          ["spec/SPEC-001", "specs/SPEC-001-idea.md"],
          ["decision/ADR-001", "decisions/ADR-001-way.md"],
          ["milestone/v1.0.0", "milestones/first-release.md"],
          ["work/W%201%2F%C3%A4", "work/unusual name.md"],
        ] as const
      ) assert.equal(await read(`refrakt://plan/${uri}`), before[`plan/${path}`], uri);
      const { contents } = await client.readResource({ uri: "refrakt://plan/work/WORK-001" });
      assert.equal(contents[0]!.mimeType, "text/markdown");
    });
    await test.step("anything else is an error with a code, a hint and the URI", async () => {
      const cases = [
        ["plan/work/WORK-1", "NOT_FOUND"],
        ["plan/work/BUG-001", "NOT_FOUND"],
        ["plan/work/..%2F..%2F..%2FSECRET-notes.md", "NOT_FOUND"],
        ["plan/work/__proto__", "NOT_FOUND"],
        ["plan/work/WORK-001?x=1", "INVALID_ARGS"],
        ["plan/work/%", "INVALID_ARGS"],
      ] as const;
      for (const [uri, code] of cases) {
        const error = await readError(`refrakt://${uri}`);
        assert.equal(error.data["errorCode"], code, uri);
        assert.equal(error.code, code === "NOT_FOUND" ? -32002 : -32602);
        assert.equal(error.data["uri"], `refrakt://${uri}`);
        assert.ok(error.data["hint"], uri);
        assert.match(error.message, /Failed to read resource/);
        assert.ok(!error.message.includes(SECRET));
      }
      assert.match(
        String((await readError("refrakt://plan/work/BUG-001")).data["hint"]),
        /plan\/bug\/BUG-001/,
      );
    });
    await test.step("the index lists every entity, but no examples in code fences", async () => {
      const { entities } = JSON.parse(await read("refrakt://plan/index"));
      assert.equal(entities.length, 8);
      assert.ok(!entities.some((entry: { file: string }) => entry.file === "INSTRUCTIONS.md"));
      assert.deepEqual(
        entities.find((entry: { id: string }) => entry.id === "v1.0.0"),
        {
          id: "v1.0.0",
          type: "milestone",
          status: "active",
          title: "v1.0.0 — First release",
          file: "milestones/first-release.md",
        },
      );
      assert.deepEqual(JSON.parse(await read("refrakt://plan/status")), await ok("plan_status"));
    });
    await test.step("the index continues from a cursor", async () => {
      const { entities, total, next } = JSON.parse(await read("refrakt://plan/index"));
      assert.deepEqual([total, next], [8, undefined]);
      assert.equal(
        entities.find(({ id }: { id: string }) => id === "WORK-001").milestone,
        "v1.0.0",
      );
      const rest = JSON.parse(await read("refrakt://plan/index?cursor=6"));
      assert.deepEqual(rest.entities, entities.slice(6));
      assert.equal(
        (await readError("refrakt://plan/index?cursor=x")).data["errorCode"],
        "INVALID_ARGS",
      );
    });
  });
  assert.deepEqual(readTree(cwd), before);
});

Deno.test("links that leave the project are not listed, read or written", async () => {
  const outside = makeProject({
    "secret.md": `{% work id="WORK-666" status="ready" %}\n\n# ${SECRET}\n\n{% /work %}\n`,
    "folder/WORK-667-secret.md":
      `{% work id="WORK-667" status="ready" %}\n\n# ${SECRET}\n\n{% /work %}\n`,
  });
  const secrets = readTree(outside);
  const cwd = makeProject({
    ...SMALL_PLAN,
    "elsewhere/WORK-300-inside.md":
      '{% work id="WORK-300" status="ready" %}\n\n# Inside\n\n{% /work %}\n',
  });
  const link = (target: string, path: string) => Deno.symlinkSync(target, join(cwd, path));
  link(join(outside, "secret.md"), "plan/work/WORK-666-secret.md");
  link(join(outside, "folder"), "plan/outside");
  link(join(cwd, "nowhere.md"), "plan/work/WORK-777-dangling.md");
  link("WORK-778-b.md", "plan/work/WORK-778-a.md");
  link("WORK-778-a.md", "plan/work/WORK-778-b.md");
  link("..", "plan/work/loop");
  link("../../elsewhere/WORK-300-inside.md", "plan/work/WORK-300-inside.md");
  link(join(outside, "secret.md"), "resolution.md");
  Deno.removeSync(join(cwd, "plan/bugs"), { recursive: true });
  link(join(outside, "folder"), "plan/bugs");
  await withServer(cwd, async ({ ok, call, read, readError }) => {
    const ids = async () =>
      JSON.parse(await read("refrakt://plan/index")).entities
        .map((entry: { id: string }) => entry.id);
    assert.ok((await ids()).includes("WORK-300"));
    assert.ok((await ids()).includes("WORK-001"));
    for (const id of ["WORK-666", "WORK-667", "WORK-777", "WORK-778"]) {
      assert.ok(!(await ids()).includes(id), id);
      assert.equal((await readError(`refrakt://plan/work/${id}`)).data["errorCode"], "NOT_FOUND");
      assert.equal((await call("plan_update", { id, status: "done" })).errorCode, "NOT_FOUND");
    }
    const all = JSON.stringify([
      await ok("plan_next", { count: 100 }),
      await ok("plan_status"),
      await ok("plan_validate"),
      await ok("refrakt_detect"),
      await call("plan_migrate", { subcommand: "filenames" }),
    ]);
    assert.ok(!all.includes(SECRET) && !/WORK-66[67]/.test(all));
    const file = await call("plan_update", { id: "WORK-001", resolveFile: "resolution.md" });
    assert.equal(file.errorCode, "PERMISSION_DENIED");
    assert.match(file.content[0].text, /leads out of the project/);
    // Inside the project, but outside the plan.
    const inside = await call("plan_update", { id: "WORK-300", status: "done" });
    assert.equal(inside.errorCode, "PERMISSION_DENIED");
    assert.match(inside.hint!, /leads to "elsewhere\/WORK-300-inside\.md"/);
    assert.equal((await ok("plan_create", { type: "work", title: "After" })).id, "WORK-301");
    const escapes = await call("plan_create", { type: "bug", title: "Escapes" });
    assert.equal(escapes.errorCode, "PERMISSION_DENIED", JSON.stringify(escapes));
  });
  assert.deepEqual(readTree(outside), secrets);
});

Deno.test("a plan folder that links out of the project is rejected", async () => {
  const outside = makeProject(SMALL_PLAN);
  const before = readTree(outside);
  const cwd = makeProject({ "README.md": "x\n" });
  Deno.symlinkSync(join(outside, "plan"), join(cwd, "plan"));
  await inProcess(cwd, async ({ ok, call, readError, tools }) => {
    const found = await ok("refrakt_detect");
    assert.equal(found.plan, null);
    assert.match(found.warnings[0].message, /leads out of the project/);
    assert.ok(!(await tools()).includes("plan_next"));
    const cases = [["plan_next", {}], ["plan_init", {}], ["plan_create", {
      type: "work",
      title: "x",
    }]] as const;
    for (const [name, input] of cases) {
      const answer = await call(name, input);
      assert.ok(["PLAN_DIR_MISSING", "PERMISSION_DENIED"].includes(answer.errorCode!), name);
    }
    assert.ok((await readError("refrakt://plan/index")).data["errorCode"]);
  });
  assert.deepEqual(readTree(outside), before);
});
