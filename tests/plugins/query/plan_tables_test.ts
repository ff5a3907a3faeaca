/** The plan's tables on a real plan, compared with git, the refrakt CLI and the files' text. */

import assert from "node:assert/strict";
import { callTool, findTool } from "../../../src/host/call.ts";
import { shapeResult } from "../../../src/host/shape.ts";
import { openWorkspace } from "../../../src/host/open_workspace.ts";
import { inProcess } from "../../support/in_process.ts";
import {
  commitAll,
  git,
  makeProject,
  planFile,
  readTree,
  writeFiles,
} from "../../support/project.ts";
import { realPlan } from "../../support/real_plan.ts";

type Rows = (string | number | null)[][];

const cwd = realPlan();

// One process for all tests, without a limit of rows.
const workspace = openWorkspace({ cwd, patient: true });

// deno-lint-ignore no-explicit-any -- answers of tools
async function ok(name: string, args: Record<string, unknown> = {}): Promise<any> {
  const { inventory, tool } = await findTool(workspace, name);
  const answer = await callTool(tool!, args, {
    agent: "test-1",
    project: inventory.project,
    signal: new AbortController().signal,
    budget: Infinity,
    tables: async () => (await workspace.inventory("all")).tables,
    progress: () => {},
    log: () => {},
  });
  return shapeResult(answer).structuredContent;
}

const rows = async (sql: string): Promise<Rows> => (await ok("refrakt_query", { sql })).rows;

const markdown = () =>
  new Map(
    Object.entries(readTree(cwd)).filter(([path]) => /^plan\/.*\.md$/.test(path)),
  );

/** Git's dates in UTC, as the tables have them. */
function utc(date: string): string {
  return new Date(date).toISOString().replace(".000Z", "Z");
}

Deno.test("lines, criteria, sections and references equal the text of the files", async () => {
  const files = markdown();
  const lines = Map.groupBy(await rows("select path, n, text from lines"), ([path]) => path);
  assert.deepEqual([...lines.keys()].sort(), [...files.keys()].sort());
  for (const [path, text] of files) {
    const found = lines.get(path)!.map(([, , line]) => line).join("\n");
    assert.equal(found, text.replace(/\r\n?/g, "\n").replace(/\n$/, ""), path);
  }
  const criteria = await rows(
    "select path, line, checked, text, n, id from criteria join entities using (id)",
  );
  assert.ok(criteria.length > 50);
  for (const [path, line, checked, text] of criteria) {
    const source = files.get(String(path))!.split(/\r?\n/)[Number(line) - 1]!;
    const [, mark, first] = /^\s*-\s+\[([ xX])\]\s+(.*?)\s*$/.exec(source) ?? [];
    assert.equal(Number(mark !== " "), checked, `${path}:${line}`);
    assert.ok(String(text).startsWith(first!), `${path}:${line} ${text}`);
  }
  const sums = "select sum(open), sum(done) from entities";
  const boxes = "select sum(1 - checked), sum(checked) from criteria";
  assert.deepEqual(await rows(sums), await rows(boxes));
  const sections = await rows(
    "select path, s.line, level, heading from sections s join entities using (id) where level = 2",
  );
  for (const [path, line, , heading] of sections) {
    const source = files.get(String(path))!.split(/\r?\n/)[Number(line) - 1]!;
    assert.match(source, /^##\s/);
    // Without the markup of the heading.
    const plain = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "");
    assert.ok(plain(source).includes(plain(String(heading))), `${path}:${line} ${heading}`);
  }
  const mentions = await rows(
    "select path, r.line, to_id from refs r join entities using (id) where kind = 'mentions'",
  );
  // Where a tag refers to an entity, an id in the text does not.
  const referred = mentions.filter(([path, , id]) =>
    files.get(String(path))!.includes(`{% ref "${id}"`)
  );
  assert.ok(referred.length > 10);
  for (const [path, line, id] of referred) {
    const source = files.get(String(path))!.split(/\r?\n/)[Number(line) - 1]!;
    assert.ok(source.includes(`{% ref "${id}"`), `${path}:${line} ${id}`);
  }
  const code = await rows("select count(*) from lines where in_code and text like '```%'");
  assert.ok(Number(code[0]![0]) > 10);
});

Deno.test("attributes equal those of the opening tags, with one row a tag", async () => {
  const files = markdown();
  const all = await rows("select path, name, value from attributes join entities using (id)");
  const byPath = Map.groupBy(all, ([path]) => String(path));
  for (const [path, own] of byPath) {
    const [tag] = /^\{%\s*\w+\s[^]*?%\}/m.exec(files.get(path)!)!;
    const expected = [...tag.matchAll(/([\w-]+)="((?:[^"\\]|\\.)*)"/g)].flatMap(
      ([, name, value]) =>
        name === "tags"
          ? value!.split(",").map((one) => ["tag", one.trim()]).filter(([, one]) => one !== "")
          : [[name!, value!]],
    );
    const order = (a: unknown[], b: unknown[]) => a.join() < b.join() ? -1 : 1;
    assert.deepEqual(
      own.map(([, name, value]) => [name, value]).sort(order),
      expected.sort(order),
      path,
    );
  }
});

Deno.test("commits, dates and hashes equal git's, and created is one event an entity", async () => {
  const log = git(cwd, "log", "--topo-order", "--format=%H%x09%cI%x09%aN%x09%s").trim().split("\n")
    .map((line) => line.split("\t"));
  const inPlan = new Set(
    git(cwd, "log", "--full-history", "-c", "--format=%H", "--", "plan").trim().split("\n"),
  );
  const commits = await rows("select hash, date, author, message, plan from commits order by n");
  assert.deepEqual(
    commits.map((row) => row.slice(0, 3).join(" ")),
    log.map(([hash, date, author]) => `${hash!.slice(0, 7)} ${utc(date!)} ${author}`),
  );
  const touching = commits.filter(([, , , , plan]) => plan === 1).map(([hash]) => hash);
  const known = new Set([...inPlan].map((hash) => hash.slice(0, 7)));
  assert.deepEqual(touching.filter((hash) => !known.has(String(hash))), []);
  const dates = await rows(
    "select path, created, modified from entities where created is not null",
  );
  const step = Math.ceil(dates.length / 40);
  for (const [path, created, modified] of dates.filter((_, at) => at % step === 0)) {
    const own = git(cwd, "log", "--format=%cI", "--", String(path)).trim().split("\n").map(utc);
    assert.equal(modified, own.toSorted().at(-1), `${path}`);
    // Renamed files are older than their path.
    assert.ok(String(created) <= own.toSorted()[0]!, `${path}`);
  }
  const [[entities]] = await rows("select count(*) from entities") as [[number]];
  const [[created, ids]] = await rows(
    "select count(*), count(distinct id) from events where kind = 'created'",
  ) as [[number, number]];
  assert.ok(created >= entities && created - ids <= 5, `${created} ${ids} ${entities}`);
  const { reached } = await ok("plan_history", { summary: true });
  const done = await rows(
    "select count(*) from events where field = 'status' and new = 'done'",
  );
  assert.deepEqual(done, [[reached.work.done]]);
  for (const table of ["events", "commits", "commit_entities"]) {
    assert.deepEqual(await rows(`select distinct length(hash) from ${table}`), [[7]], table);
  }
  const named = await rows("select hash, id from commit_entities where names = 1");
  const messages = new Map(
    git(cwd, "log", "--format=%x01%h%x02%B", "--abbrev=7").split("\x01").slice(1)
      .map((one) => one.split("\x02")).map(([hash, text]) => [hash!.slice(0, 7), text!]),
  );
  assert.ok(named.length > 20);
  for (const [hash, id] of named) {
    assert.ok(messages.get(String(hash))!.toUpperCase().includes(String(id).toUpperCase()));
  }
});

Deno.test("durations and numbers of items follow from commits, sources and milestones", async () => {
  const item = (id: string, status: string) =>
    planFile(id, { status, milestone: "v1", source: "SPEC-001" });
  const others = { ...planFile("SPEC-001", { status: "accepted" }), ...planFile("v1") };
  const cwd = makeProject(others);
  const commit = (day: number, one: string, other: string) => {
    writeFiles(cwd, { ...item("WORK-001", one), ...item("WORK-002", other) });
    commitAll(cwd, `Day ${day}`, `--date=2026-03-0${day}T12:00:00+02:00`);
  };
  commit(1, "ready", "ready");
  commit(2, "in-progress", "done");
  commit(5, "done", "in-progress");
  await inProcess(cwd, async ({ ok }) => {
    const rows = async (sql: string) => (await ok("refrakt_query", { sql })).rows;
    const [first, second, ...others] = await rows(
      "select id, date(started), date(finished), days is null from durations where id like 'W%' order by id",
    );
    assert.deepEqual([first[0], second[0], others.length], ["WORK-001", "WORK-002", 0]);
    assert.ok(first[1] !== null && first[2] !== null && first[3] === 0);
    // What is worked on again is not finished.
    assert.deepEqual([second[2], second[3]], [null, 1]);
    assert.deepEqual(
      await rows("select id, items, items_done from entities where items is not null order by id"),
      [["SPEC-001", 2, 1], ["v1", 2, 1]],
    );
  });
});
