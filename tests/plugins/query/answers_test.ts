import assert from "node:assert/strict";
import { join } from "node:path";
import { commitAll, makeProject, planFile, SMALL_PLAN, writeFiles } from "../../support/project.ts";
import { copyExample, refrakt } from "../../support/run.ts";
import { ROOT } from "../../support/server.ts";
import { inProcess } from "../../support/in_process.ts";

const NUMBERS = "with recursive n(i) as (select 1 union all select i + 1 from n limit 1000) ";

Deno.test("an answer has a line of names and a line a row, whose cells can be told apart", async () => {
  await inProcess(makeProject(SMALL_PLAN), async ({ call }) => {
    const text = async (sql: string, args = {}) =>
      (await call("refrakt_query", { sql, ...args })).content[0].text;
    assert.equal(
      await text(
        "select 1 a, 1.5 b, null c, '' d, 'null' e, 'x | y' f, 'x' || char(10) || 'y' g, '\"' h, x'00ff' i",
      ),
      'a | b | c | d | e | f | g | h | i\n1 | 1.5 | null | "" | "null" | "x | y" | "x\\ny" | "\\"" | 00ff',
    );
    assert.equal(await text("select id from entities where 0"), "id\n(0 rows)");
    assert.match(
      await text(`${NUMBERS}select i from n`),
      /^i\n1\n[^]*\n100\n\(100 of 1000 rows: aggregate, LIMIT and OFFSET\)$/,
    );
    assert.equal((await text(`${NUMBERS}select i from n`, { limit: 3 })).split("\n").length, 5);
    const long = await text(`${NUMBERS}select i, hex(zeroblob(300)) from n`);
    assert.ok(long.length <= 12_100, String(long.length));
    assert.match(long, /\n\(\d+ of 1000 rows/);
    const one = await text("select hex(zeroblob(100000)) x, 'end' y");
    assert.ok(one.length <= 12_100, String(one.length));
    assert.match(one, /more characters: substr\) \| end$/);
    const { structuredContent } = await call("refrakt_query", { sql: "select 'a|b' x, null y" });
    assert.deepEqual(structuredContent, { columns: ["x", "y"], rows: [["a|b", null]], total: 1 });
    assert.equal(
      await text(`${NUMBERS}select median(i) m, count(i) n from n`),
      "m | n\n500.5 | 1000",
    );
  });
});

Deno.test("select * from tables lists every column of the description with its meaning", async () => {
  await inProcess(makeProject(SMALL_PLAN), async ({ client, ok }) => {
    const { tools } = await client.listTools();
    const { description = "" } = tools.find(({ name }: { name: string }) =>
      name === "refrakt_query"
    )!;
    assert.ok(description.length <= 1400, String(description.length));
    const { rows } = await ok("refrakt_query", { sql: "select * from tables", limit: 1000 });
    const found = Map.groupBy<string, string[]>(rows, ([table]) => table!);
    for (const [, table, columns] of description.matchAll(/(\w+)\(([\w,]+)\)/g)) {
      if (table === "tables") continue;
      const names = found.get(table!)?.map(([, column]) => column);
      // The plan's alone; tests of sites read the others.
      const ofPages = /pages|runes|uses|links|headings|findings|images|nav|attribute_values/;
      if (names === undefined) assert.match(table!, ofPages);
      const missing = columns!.split(",").filter((name: string) => names?.includes(name) === false);
      assert.deepEqual(missing, [], table);
    }
  });
});

Deno.test("every statement in skills, prompts and documentation runs", async () => {
  const cwd = copyExample("site-and-plan");
  commitAll(cwd, "Begin");
  await inProcess(cwd, async ({ client, ok, read }) => {
    const given = async (name: string, args: Record<string, string>) =>
      JSON.stringify((await client.getPrompt({ name, arguments: args })).messages);
    const skills = (await client.listResources()).resources
      .map(({ uri }: { uri: string }) => uri).filter((uri: string) => uri.startsWith("skill:"));
    assert.equal(skills.length, 3);
    const docs = Deno.readTextFileSync(`${ROOT}docs/query.md`);
    const texts = [
      ...await Promise.all(skills.map(read)),
      await given("plan_review", { milestone: "v1.0.0" }),
      await given("rune_write", { rune: "hint" }),
      Deno.readTextFileSync(`${ROOT}README.md`).replaceAll('"', "`"),
      docs.replaceAll(/--.*\n/g, "").replaceAll(/^(select[^;]+);/gm, "`$1`").replaceAll('"', "`"),
    ];
    const found = texts.map((text) =>
      [...text.matchAll(/`(select [^`…]+)`/g)].map(([, sql]) => sql!.replaceAll(/\s+/g, " "))
    );
    for (const sql of found.flat()) await ok("refrakt_query", { sql });
    assert.deepEqual(found.map(({ length }) => length >= 1), texts.map(() => true));
    assert.ok(found.flat().length >= 18, String(found.flat().length));
  });
});

Deno.test("tables follow the files, and without git the dates are null with a note", async () => {
  const cwd = makeProject(SMALL_PLAN);
  const path = Object.keys(SMALL_PLAN).find((name) => /work\/.*001/.test(name))!;
  await inProcess(cwd, async ({ ok }) => {
    // Each is the first to read its tables, and reads no column of one besides those of the join.
    const joins = ["join lines using (path)", "natural join attributes", "join refs using (id)"];
    for (const join of joins) {
      const joined = `select count(*), sum(open) from entities ${join}`;
      assert.ok((await ok("refrakt_query", { sql: joined })).rows[0][0] > 0, join);
    }
    const sql = "select status, created, modified from entities where id = 'WORK-001'";
    const first = await ok("refrakt_query", { sql });
    assert.deepEqual(first.rows[0].slice(1), [null, null]);
    assert.match(first.notes.join(), /not in a git repository/);
    assert.equal((await ok("refrakt_query", { sql: "select id from entities" })).notes, undefined);
    const changed = SMALL_PLAN[path]!.replace(/status="[^"]+"/, 'status="blocked"');
    writeFiles(cwd, { [path]: `${changed}\n<!-- -->\n` });
    assert.equal((await ok("refrakt_query", { sql })).rows[0][0], "blocked");
    const lines = "select count(*) from lines where path = 'plan/work/WORK-009.md'";
    assert.equal((await ok("refrakt_query", { sql: lines })).rows[0][0], 0);
    writeFiles(cwd, planFile("WORK-009", { status: "ready" }, "- [ ] A\n  whole\n"));
    assert.equal((await ok("refrakt_query", { sql: lines })).rows[0][0], 8);
    const criteria = "select text, line, checked from criteria where id = 'WORK-009'";
    assert.deepEqual((await ok("refrakt_query", { sql: criteria })).rows, [["A whole", 5, 0]]);
    Deno.removeSync(`${cwd}/plan/work/WORK-009.md`);
    assert.deepEqual((await ok("refrakt_query", { sql: criteria })).rows, []);
    assert.equal((await ok("refrakt_query", { sql: lines })).rows[0][0], 0);
  });
});

Deno.test("the command prints all rows as JSON or CSV in a pipe", async () => {
  const cwd = makeProject(SMALL_PLAN);
  const sql = `${NUMBERS}select i, 'a "b", c' t, null n from n`;
  const json = await refrakt(cwd, ["query", sql]);
  assert.equal(json.code, 0, json.stderr);
  const rows = JSON.parse(json.stdout);
  assert.equal(rows.length, 1000);
  assert.deepEqual(rows[0], { i: 1, t: 'a "b", c', n: null });
  const csv = await refrakt(cwd, ["query", sql, "--csv"]);
  assert.equal(csv.stdout.split("\n")[1], '1,"a ""b"", c",');
  assert.equal(csv.stdout.split("\n").length, 1002);
  const wrong = await refrakt(cwd, ["query", "selec 1"]);
  assert.deepEqual([wrong.code, wrong.stdout], [2, ""]);
  assert.match(wrong.stderr, /syntax error/);
});

Deno.test("what git knows of a removed entity is kept, its removal too, with dates in UTC", async () => {
  const cwd = makeProject(SMALL_PLAN);
  const path = Object.keys(SMALL_PLAN).find((name) => /work\/.*001/.test(name))!;
  commitAll(cwd, "Begin", "--date=2026-03-01T01:30:00+05:00");
  Deno.removeSync(join(cwd, path));
  commitAll(cwd, "Drop it", "--date=2026-03-02T23:30:00-03:00");
  await inProcess(cwd, async ({ ok }) => {
    const rows = async (sql: string) => (await ok("refrakt_query", { sql })).rows;
    assert.deepEqual(
      await rows("select date, kind, new from events where id = 'WORK-001' order by date"),
      [["2026-02-28T20:30:00Z", "created", "ready"], ["2026-03-03T02:30:00Z", "removed", null]],
    );
    assert.deepEqual(
      await rows(
        "select message, plan, changes from commits join commit_entities using (hash) where id = 'WORK-001' order by date",
      ),
      [["Begin", 1, 1], ["Drop it", 1, 1]],
    );
    assert.deepEqual(await rows("select count(*) from entities where id = 'WORK-001'"), [[0]]);
  });
});
