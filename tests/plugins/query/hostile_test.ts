import assert from "node:assert/strict";
import { join } from "node:path";
import { inProcess } from "../../support/in_process.ts";
import { makeProject, SMALL_PLAN } from "../../support/project.ts";
import { withServer } from "../../support/server.ts";

const NUMBERS = "with recursive n(i) as (select 1 union all select i + 1 from n) ";

/** Statements that must fail, and a part of the error. */
const HOSTILE: readonly (readonly [sql: string, error: RegExp])[] = [
  ["attach 'plan/x.db' as x", /Only SELECT/],
  ["vacuum into 'plan/x.db'", /Only SELECT/],
  ["pragma table_info(entities)", /Only SELECT/],
  ["select * from pragma_table_info('entities')", /not available/],
  ["select * from sqlite_schema", /not available/],
  ["select * from dbstat", /not available/],
  ["select sqlite_compileoption_get(1)", /not available/],
  ["insert into entities (id) values ('X')", /Only SELECT/],
  ["with x as (select 1) delete from entities", /Only SELECT/],
  ["update entities set id = 1 returning id", /Only SELECT/],
  ["create temp table x as select 1", /Only SELECT/],
  ["select 1; select 2", /second statement/],
  ["select 1 /* ; */; -- ; \n delete from entities", /second statement/],
  ["select load_extension('x')", /No such function/],
  ["", /no statement/],
  ["select 1\u0000; delete from entities", /NUL/],
  [`select ${"(".repeat(5000)}1${")".repeat(5000)}`, /Recursion limit/],
  [`select '${"x".repeat(60_000)}'`, /too big/],
  [`${NUMBERS}select count(*) from n`, /longer than 1.5 seconds/],
  ["select randomblob(1000000000)", /too big/],
  [
    "select instr(replace(hex(zeroblob(2000000)), '0', 'a'), " +
    "replace(hex(zeroblob(1000000)), '0', 'a') || 'b')",
    /too big/,
  ],
  ...["instr(a, b)", "replace(a, b, '')"].map((sql) =>
    [
      "select " + sql + " from (select replace(hex(zeroblob(500000)), '0', 'a') as a, " +
      "replace(hex(zeroblob(250000)), '0', 'a') || 'b' as b)",
      /takes 500,001,000,000 comparisons of characters, at most 200,000,000/,
    ] as const
  ),
  ["select json_patch('{}', '{}')", /json_patch is not available/],
  ["select unhex('61', ' ')", /unhex is not available/],
  // Where memory is slow, the time ends first.
  [
    `select ${Array(1000).fill("hex(zeroblob(1000000))")}`,
    /too much memory|longer than 1.5 seconds/,
  ],
  ["select 'a' regexp 'a(?=b)'", /REGEXP: .*`\(\?=` \(RE2 has no lookahead/],
  ["select 'a' regexp '(a)\\1'", /REGEXP: .*`\\1` \(RE2 has no lookahead/],
  [
    `select hex(zeroblob(900000)) regexp '${"(?:.{0,100}a){0,9}".repeat(4)}'`,
    /REGEXP: .* reads at most \d+ characters/,
  ],
  [`select json('${"[".repeat(20_000)}${"]".repeat(20_000)}')`, /Malformed JSON/],
  [Array(600).fill("select n from lines").join(" union "), /Too many terms/],
  ["select 'a' regexp '('", /REGEXP: missing closing \)/],
  ["select 'a' like replace(hex(zeroblob(2000)), '0', '%a')", /LIKE/],
];

Deno.test("a hostile statement is an error within seconds, and the next one is answered", async () => {
  const cwd = makeProject(SMALL_PLAN);
  await withServer(cwd, async ({ call, ok }) => {
    const count = async () =>
      (await ok("refrakt_query", { sql: "select count(*) from entities" })).rows[0][0];
    const all = await count();
    assert.ok(all > 0);
    for (const [sql, expected] of HOSTILE) {
      const start = performance.now();
      const answer = await call("refrakt_query", { sql });
      const text = answer.content[0].text;
      assert.equal(answer.isError, true, `${sql.slice(0, 100)}: ${text}`);
      assert.match(text, expected, `${sql.slice(0, 100)}: ${text}`);
      assert.ok(performance.now() - start < 180_000, `${performance.now() - start} ms: ${sql}`);
      assert.equal(await count(), all, sql.slice(0, 100));
    }
  });
  assert.throws(() => Deno.statSync(join(cwd, "plan/x.db")), Deno.errors.NotFound);
});

Deno.test("errors name the nearest table or column, and the columns of the tables used", async () => {
  await inProcess(makeProject(SMALL_PLAN), async ({ call }) => {
    const errors: [string, RegExp][] = [
      ["select titel from entities", /Did you mean "title"\? The tables used: entities\(id, type,/],
      ["select * from criterias", /Did you mean "criteria"\? The tables are entities, /],
      ["select text from entities", /criteria and sections and lines have the column text/],
      [
        'select id from entities where status = "done"',
        /is a column, not a text[^]*Write 'done' for the text/,
      ],
      ['select id from entities where "done" <> "Title"', /Write 'Title' for/],
      ["select * from pages", /no site, so the tables of pages are missing/],
      ["select id from entities e join criteria c on c.id = e.id", /[Aa]mbiguous column name: id/],
    ];
    const quoted = 'select "open" from entities where not "done" and "id" = \'"done"\'';
    assert.notEqual((await call("refrakt_query", { sql: quoted })).isError, true);
    for (const [sql, expected] of errors) {
      const { isError, content } = await call("refrakt_query", { sql });
      assert.equal(isError, true, sql);
      assert.match(content[0].text, expected, sql);
    }
  });
});

Deno.test("a limit ends an endless statement, and the answer says that there is more", () =>
  inProcess(makeProject(SMALL_PLAN), async ({ ok }) => {
    const first = [[1], [2], [3], [4], [5]];
    const five = await ok("refrakt_query", { sql: `${NUMBERS}select i from n`, limit: 5 });
    assert.deepEqual(five.rows, first);
    assert.match(five.notes.join(), /More than \d+ rows/);
    const capped = await ok("refrakt_query", { sql: `${NUMBERS}select i from n where i % 2` });
    assert.equal(capped.rows.length, 100);
    assert.ok(capped.total > 100);
    const exact = await ok("refrakt_query", { sql: `${NUMBERS}select i from n limit 5` });
    assert.deepEqual([exact.rows, exact.total, exact.notes], [first, 5, undefined]);
    const counted = await ok("refrakt_query", {
      sql: `${NUMBERS}select i from n limit 5000`,
      limit: 5,
    });
    assert.deepEqual([counted.total, counted.notes], [5000, undefined]);
    assert.equal((await ok("refrakt_query", { sql: "select 1", limit: 1 })).total, 1);
  }));

Deno.test("functions that have a bound answer as SQLite's own, and patterns take linear time", () =>
  inProcess(makeProject(SMALL_PLAN), async ({ ok }) => {
    const row = async (sql: string) =>
      (await ok("refrakt.query", { sql: `select ${sql}` })).rows[0];
    assert.deepEqual(
      await row(
        "instr('a😀bc', 'bc'), instr('abc', 'x'), instr('abc', ''), instr(null, 'a'), " +
          "replace('a.b.c', '.', '$&'), replace('abc', '', 'x'), replace('abc', 'b', null), " +
          "trim('##a#b##', '#'), ltrim('  😀 a', ' 😀'), rtrim('abc', 'cb'), trim('  a '), trim('a', '')",
      ),
      [3, 0, 1, null, "a$&b$&c", "abc", null, "a#b", "a", "a", "a", "a"],
    );
    assert.deepEqual(
      await row(
        `'${
          "a".repeat(1000)
        }b' regexp '^(a+)+$', 'Ab' regexp '(?i)^aB$', 'é1' regexp '^\\p{L}\\d$', ` +
          "'a/b' regexp '^\\w\\/\\w$', 'x' regexp null, 'A' regexp '\\u0041'",
      ),
      [0, 1, 1, 1, null, 1],
    );
  }));
