import assert from "node:assert/strict";
import { join } from "node:path";
import { inProcess } from "../../../support/in_process.ts";
import { entity, makeProject, planFile, readTree, writeFiles } from "../../../support/project.ts";

type Called = Parameters<Parameters<typeof inProcess>[1]>[0]["ok"];

const PLAN = {
  "plan/specs/SPEC-001-way.md": entity(
    "spec",
    { id: "SPEC-001", status: "draft", tags: "core" },
    "Way",
    "",
  ),
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
  "plan/notes.md": 'WORK-001, and 日本WORK-001\n\n{% ref "WORK-001" /%}\n',
};

Deno.test("plan_rename changes an id in the tag, the file's name and every reference", async (test) => {
  const cwd = makeProject(PLAN);
  const before = readTree(cwd);
  await inProcess(cwd, async ({ ok, call }) => {
    const failed = async (args: Record<string, unknown>, code: string, message: RegExp) => {
      const answer = await call("plan_rename", { kind: "id", ...args });
      assert.equal(answer.errorCode, code, answer.content[0].text);
      assert.match(answer.content[0].text, message);
      assert.deepEqual(readTree(cwd), before);
    };
    await test.step("what cannot be is refused, and nothing is written", async () => {
      await failed({ from: "WORK-009" }, "NOT_FOUND", /WORK-009/);
      await failed({ from: "WORK-001", to: "WORK-002" }, "VALIDATION_ERROR", /already exists/);
      await failed({ from: "WORK-001", to: "../x" }, "VALIDATION_ERROR", /Invalid id/);
      await failed({ from: "WORK-001", to: "BUG-7" }, "VALIDATION_ERROR", /not an id of a work/);
      await failed({ from: "WORK-001", file: "../x.md" }, "NOT_FOUND", /does not contain WORK-001/);
      await failed({ from: "v1", kind: "milestone" }, "INVALID_ARGS", /"to": required/);
      await failed({ from: "core", to: "a,b", kind: "tag" }, "INVALID_ARGS", /Invalid tag/);
      await failed({ from: "cor", to: "a", kind: "tag" }, "NOT_FOUND", /No tag "cor"[^]*"core"/);
      await failed({ from: "WORK-001", to: "v2", kind: "milestone" }, "VALIDATION_ERROR", /a work/);
      const markers = '<<<<<<< a\n{% ref "WORK-001" /%}\n=======\nx\n>>>>>>> b\n';
      writeFiles(cwd, { "plan/notes.md": PLAN["plan/notes.md"] + markers });
      const answer = await call("plan_rename", { kind: "id", from: "WORK-001" });
      assert.equal(answer.errorCode, "CONFLICT");
      writeFiles(cwd, { "plan/notes.md": PLAN["plan/notes.md"] });
      assert.deepEqual(readTree(cwd), before);
    });
    await test.step("texts, comments and code stay, and are named", async () => {
      const preview = await ok("plan_rename", { kind: "id", from: "work-001", preview: true });
      assert.deepEqual(readTree(cwd), before);
      const { undo, ...answer } = await ok("plan_rename", { kind: "id", from: "work-001" });
      assert.match(undo, /^[\w-]{24}$/);
      assert.deepEqual({ ...answer, path: preview.path, preview: true }, preview);
      assert.deepEqual(answer, {
        from: "WORK-001",
        to: "WORK-003",
        path: "plan/work/WORK-003-2nd.md",
        uses: 4,
        changed: 3,
        in: "notes.md, WORK-001, WORK-002",
        mentions: "notes.md, WORK-001, WORK-002",
      });
      const wanted = Object.entries(before).map(([path, text]) => [
        path.replace("WORK-001-2nd", "WORK-003-2nd"),
        text.replace('work id="WORK-001"', 'work id="WORK-003"')
          .replace('source="WORK-001,', 'source="WORK-003,')
          .replace('supersedes="WORK-001"', 'supersedes="WORK-003"')
          .replace(/^\{% ref "WORK-001" \/%\}/gm, '{% ref "WORK-003" /%}')
          .replace("(./WORK-001-2nd.md)", "(./WORK-003-2nd.md)"),
      ]);
      assert.deepEqual(readTree(cwd), Object.fromEntries(wanted));
      const { references } = await ok("plan_get", { id: "WORK-002", fields: ["references"] });
      assert.deepEqual(references.map(({ id }: { id: string }) => id), ["WORK-003"]);
      assert.equal((await ok("plan_validate", { severity: "error" })).counts.errors, 0);
      await ok("plan_undo", { token: undo });
      assert.deepEqual(readTree(cwd), before);
    });
    await test.step("the old name of the tool says the new one", async () => {
      const { hint } = await call("plan_renumber", { id: "WORK-001" });
      assert.match(hint!, /plan_rename/);
    });
  });
});

Deno.test("plan_rename renames tags, assignees and milestones, and moves references", async (test) => {
  const item = (id: string, attributes: Record<string, string>, text = "") =>
    planFile(id, { status: "ready", ...attributes }, text);
  const cwd = makeProject({
    ...item(
      "WORK-001",
      { tags: "core, old,x", assignee: "ada", milestone: "v1.0" },
      "core ada v1.0\n",
    ),
    ...item("WORK-002", { tags: "old,core", assignee: "ada-b", milestone: "v1.0" }),
    ...item(
      "WORK-003",
      { tags: "cores", milestone: "v1.0.1" },
      '{% ref "v1.0" /%} `{% ref "v1.0" /%}`\n',
    ),
    ...item("WORK-004", { source: "WORK-001" }, '## Dependencies\n\n- {% ref "WORK-001" /%}\n'),
    ...item("WORK-005", {}, '```\n{% ref "WORK-001" /%}\n```\n\n{% ref "WORK-001" /%}\n'),
    "plan/milestones/v1.0.md":
      '{% milestone name="v1.0" status="active" %}\n\n# v1.0 — First\n\n{% /milestone %}\n',
  });
  const before = readTree(cwd);
  const changedBy = async (
    ok: Called,
    args: Record<string, unknown>,
    edits: readonly (readonly [file: string, from: string, to: string])[],
    moves: Readonly<Record<string, string>> = {},
  ) => {
    const { undo, uses } = await ok("plan_rename", args);
    const wanted = { ...before };
    for (const [file, from, to] of edits) wanted[file] = wanted[file]!.replace(from, () => to);
    for (const [from, to] of Object.entries(moves)) {
      wanted[to] = wanted[from]!;
      delete wanted[from];
    }
    assert.deepEqual(readTree(cwd), wanted);
    await ok("plan_undo", { token: undo });
    assert.deepEqual(readTree(cwd), before);
    return uses;
  };
  const work = (number: number) => `plan/work/WORK-00${number}.md`;
  await inProcess(cwd, async ({ ok, call }) => {
    await test.step("a tag, which is nowhere twice", async () => {
      const uses = await changedBy(ok, { kind: "tag", from: "old", to: "core" }, [
        [work(1), "core, old,x", "core,x"],
        [work(2), "old,core", "core"],
      ]);
      assert.equal(uses, 2);
    });
    await test.step("an assignee", () =>
      changedBy(ok, { kind: "assignee", from: "ada", to: "Ada L." }, [
        [work(1), 'assignee="ada"', 'assignee="Ada L."'],
      ]));
    await test.step("a milestone, with its file and title", async () => {
      const uses = await changedBy(ok, { kind: "milestone", from: "v1.0", to: "v2" }, [
        [work(1), 'milestone="v1.0"', 'milestone="v2"'],
        [work(2), 'milestone="v1.0"', 'milestone="v2"'],
        [work(3), '{% ref "v1.0" /%} `', '{% ref "v2" /%} `'],
        ["plan/milestones/v1.0.md", 'name="v1.0"', 'name="v2"'],
        ["plan/milestones/v1.0.md", "# v1.0 —", "# v2 —"],
      ], { "plan/milestones/v1.0.md": "plan/milestones/v2.md" });
      assert.equal(uses, 3);
    });
    await test.step("references alone, without a cycle", async () => {
      const move = { kind: "id", from: "WORK-001", references: true };
      const uses = await changedBy(ok, { ...move, to: "WORK-002" }, [
        [work(4), 'source="WORK-001"', 'source="WORK-002"'],
        [work(4), '- {% ref "WORK-001" /%}', '- {% ref "WORK-002" /%}'],
        [work(5), '\n\n{% ref "WORK-001" /%}', '\n\n{% ref "WORK-002" /%}'],
      ]);
      assert.equal(uses, 3);
      const self = await call("plan_rename", { ...move, to: "WORK-001" });
      assert.match(self.content[0].text, /the same entity/);
      await ok("plan_update", { id: "WORK-002", dependsOn: ["WORK-004"] });
      const cycle = await call("plan_rename", { ...move, to: "WORK-002" });
      assert.match(cycle.content[0].text, /form a cycle/);
    });
    await test.step("the case of a name alone", async () => {
      for (const [from, to] of [["WORK-002", "work-002"], ["work-002", "WORK-002"]]) {
        const { path } = await ok("plan_rename", { kind: "id", from, to });
        assert.match(path, new RegExp(`/${to}\\.md$`));
      }
    });
    await test.step("of two dependencies that become one, one stays", async () => {
      await ok("plan_create", { type: "work", title: "Six", id: "WORK-006" });
      const one = { type: "work", title: "Both", dependsOn: ["WORK-002", "WORK-006"] };
      const { id, path } = await ok("plan_create", one);
      const move = { kind: "id", from: "WORK-002", to: "WORK-006", references: true };
      const before = Deno.readTextFileSync(join(cwd, path));
      for (
        const [mark, rest, kept] of [
          ["-", "", 1],
          ["*", "", 1],
          ["1.", "", 1],
          ["-", " because it is slow", 2],
          ["-", "\n  - A detail", 2],
        ] as const
      ) {
        const items = before.replace(/^- (.*WORK-002.*)/m, `${mark} $1${rest}`)
          .replace(/^- (.*WORK-006.*)/m, `${mark} $1 first`);
        Deno.writeTextFileSync(join(cwd, path), items);
        await ok("plan_rename", move);
        const text = Deno.readTextFileSync(join(cwd, path));
        assert.equal(text.match(/ref "WORK-006"/g)?.length, kept, `${mark}${rest}`);
        assert.ok(text.includes(rest) && !text.includes("WORK-002"));
      }
      const sql = `select id, to_id from refs where kind = 'depends' and id = '${id}'`;
      assert.deepEqual((await ok("refrakt_query", { sql })).rows, [[id, "WORK-006"]]);
    });
  });
});

Deno.test("plan_rename keeps the name of a link, and that of its target", async () => {
  const cwd = makeProject({
    "plan/texts/one.txt": entity("work", { id: "WORK-001", status: "ready" }, "One", ""),
    "plan/work/.keep": "",
  });
  Deno.symlinkSync("../texts/one.txt", join(cwd, "plan/work/WORK-001-one.md"));
  await inProcess(cwd, async ({ ok }) => {
    const { path } = await ok("plan_rename", { kind: "id", from: "WORK-001", to: "WORK-007" });
    assert.equal(path, "plan/work/WORK-001-one.md");
  });
  assert.match(Deno.readTextFileSync(join(cwd, "plan/texts/one.txt")), /id="WORK-007"/);
  assert.ok(Deno.lstatSync(join(cwd, "plan/work/WORK-001-one.md")).isSymlink);
});
