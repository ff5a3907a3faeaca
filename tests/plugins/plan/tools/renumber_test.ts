import assert from "node:assert/strict";
import { join } from "node:path";
import { inProcess } from "../../../support/in_process.ts";
import { entity, makeProject, readTree, writeFiles } from "../../../support/project.ts";

const PLAN = {
  "plan/specs/SPEC-001-way.md": entity("spec", { id: "SPEC-001", status: "draft" }, "Way", ""),
  "plan/work/WORK-001-2nd.md": entity(
    "work",
    { id: "WORK-001", status: "ready", source: "SPEC-001" },
    "2nd item of WORK-001",
    "## Acceptance Criteria\n\n- [x] `WORK-001` runs\n",
  ),
  "plan/work/WORK-002-next.md": entity(
    "work",
    { id: "WORK-002", status: "ready", source: "WORK-001,SPEC-001", supersedes: "WORK-001" },
    "After WORK-001",
    [
      '{% ref "WORK-001" /%} and [it](./WORK-001-2nd.md), _WORK-001_, WORK-001. <!-- WORK-001 -->',
      "Not WORK-0011, XWORK-001, WORK-001-2 or WORK-001.5.",
      "",
      "```sh",
      'git commit -m "WORK-001: done"',
      "```",
      "",
    ].join("\n"),
  ).replaceAll("\n", "\r\n"),
  "plan/notes.md": "WORK-001, and 日本WORK-001\n",
};

Deno.test("plan_renumber changes the tag, the file's name and every reference", async (test) => {
  const cwd = makeProject(PLAN);
  const before = readTree(cwd);
  await inProcess(cwd, async ({ ok, call }) => {
    const failed = async (args: Record<string, unknown>, code: string, message: RegExp) => {
      const answer = await call("plan_renumber", args);
      assert.equal(answer.errorCode, code);
      assert.match(answer.content[0].text, message);
      assert.deepEqual(readTree(cwd), before);
    };
    await test.step("what cannot be is refused, and nothing is written", async () => {
      await failed({ id: "WORK-009" }, "NOT_FOUND", /WORK-009/);
      await failed({ id: "WORK-001", to: "WORK-002" }, "VALIDATION_ERROR", /already exists/);
      await failed({ id: "WORK-001", to: "../x" }, "VALIDATION_ERROR", /Invalid id/);
      await failed({ id: "WORK-001", to: "BUG-7" }, "VALIDATION_ERROR", /not an id of a work/);
      await failed({ id: "WORK-001", file: "../x.md" }, "NOT_FOUND", /does not contain WORK-001/);
      const markers = "<<<<<<< a\nWORK-001\n=======\nx\n>>>>>>> b\n";
      writeFiles(cwd, { "plan/notes.md": PLAN["plan/notes.md"] + markers });
      const answer = await call("plan_renumber", { id: "WORK-001" });
      assert.equal(answer.errorCode, "CONFLICT");
      // An id in the place of an attribute's name is no reference.
      const odd = '{% work id="WORK-009" WORK-001="x" %}\n\n# Odd\n\n{% /work %}\n';
      writeFiles(cwd, { "plan/notes.md": odd });
      const wrong = await call("plan_renumber", { id: "WORK-001" });
      assert.match(wrong.content[0].text, /would change how "notes\.md" parses/);
      writeFiles(cwd, { "plan/notes.md": PLAN["plan/notes.md"] });
      assert.deepEqual(readTree(cwd), before);
    });
    await test.step("one call", async () => {
      const { undo, ...answer } = await ok("plan_renumber", { id: "WORK-001" });
      assert.match(undo, /^[\w-]{24}$/);
      assert.deepEqual(answer, {
        id: "WORK-003",
        was: "WORK-001",
        type: "work",
        file: "work/WORK-003-2nd.md",
        path: "plan/work/WORK-003-2nd.md",
        uri: "refrakt://plan/work/WORK-003",
        changed: ["notes.md", "work/WORK-002-next.md"],
      });
      const moved = (text: string) => text.replace(/(?<![A-Z])WORK-001(?!1|-2 |\.5)/g, "WORK-003");
      const wanted = Object.entries(before).map(([path, text]) => [moved(path), moved(text)]);
      assert.deepEqual(readTree(cwd), Object.fromEntries(wanted));
      assert.equal((await ok("plan_get", { id: "WORK-003" })).title, "2nd item of WORK-003");
      assert.equal((await ok("plan_validate", { severity: "error" })).counts.errors, 0);
    });
  });
});

Deno.test("plan_renumber takes a file's name literally, and its work is bounded", async () => {
  const name = "WORK-001-$&-$'-$`-$1.md";
  const links = `[it](./${name}) `.repeat(4000);
  const large = (id: string) => entity("work", { id, status: "ready" }, id, `${links}\n`);
  const files = { [`plan/work/${name}`]: large("WORK-001"), "plan/work/b.md": large("WORK-002") };
  const cwd = makeProject(files);
  await inProcess(cwd, async ({ ok, call }) => {
    const start = performance.now();
    await ok("plan_renumber", { id: "WORK-001", to: "WORK-100" });
    assert.ok(performance.now() - start < 10_000);
    const rename = ([path, text]: [string, string]) =>
      [path, text].map((one) => one.split("WORK-001").join("WORK-100"));
    const renamed = Object.fromEntries(Object.entries(files).map(rename));
    assert.deepEqual(readTree(cwd), renamed);
    const to = `WORK-${"1".repeat(50)}`;
    const answer = await call("plan_renumber", { id: "WORK-100", to });
    assert.equal(answer.errorCode, "VALIDATION_ERROR");
    assert.match(answer.content[0].text, /larger than/);
    assert.deepEqual(readTree(cwd), renamed);
  });
});

Deno.test("plan_renumber keeps the name of a link, and that of its target", async () => {
  const cwd = makeProject({
    "plan/texts/one.txt": entity("work", { id: "WORK-001", status: "ready" }, "One", ""),
    "plan/work/.keep": "",
  });
  Deno.symlinkSync("../texts/one.txt", join(cwd, "plan/work/WORK-001-one.md"));
  await inProcess(cwd, async ({ ok }) => {
    const { path } = await ok("plan_renumber", { id: "WORK-001", to: "WORK-007" });
    assert.equal(path, "plan/work/WORK-001-one.md");
  });
  assert.match(Deno.readTextFileSync(join(cwd, "plan/texts/one.txt")), /id="WORK-007"/);
  assert.ok(Deno.lstatSync(join(cwd, "plan/work/WORK-001-one.md")).isSymlink);
});
