import assert from "node:assert/strict";
import { join } from "node:path";
import { commitAll, entity, type Files, makeProject } from "../support/project.ts";
import { readTree, SMALL_PLAN } from "../support/project.ts";
import { initialized, type RawServer } from "../support/raw.ts";
import {
  README_PERMISSIONS,
  type Session,
  type StartOptions,
  withServer,
} from "../support/server.ts";
import { NOT_UNIX, testUnless } from "../support/skip.ts";

const SERVER: StartOptions = {
  grants: [...README_PERMISSIONS, "--allow-write=plan,fresh,specs,.gitignore"],
  args: ["--plugin", "ralph"],
};

type Call = [string, Record<string, unknown>];

const TASKS = Array.from({ length: 12 }, (_, index) => `- [ ] 1.${index + 1} Task ${index}\n`);

/** A plan whose files a migration renames, and a Ralph spec in its execution phase. */
const FILES: Files = {
  ...SMALL_PLAN,
  ...Object.fromEntries(
    Array.from({ length: 6 }, (_, index) => [
      `plan/bugs/bug-${index}.md`,
      entity("bug", { id: `BUG-10${index}`, status: "reported" }, `Bug ${index}`, "Text.\n"),
    ]),
  ),
  "specs/auth/.ralph-state.json": JSON.stringify({ name: "auth", phase: "execution" }),
  "specs/auth/tasks.md": TASKS.join(""),
  "specs/gone/.ralph-state.json": JSON.stringify({ name: "gone", phase: "research" }),
  "specs/gone/research.md": "# Research\n",
  "specs/again/.ralph-state.json": JSON.stringify({ name: "again", phase: "execution" }),
  "specs/again/tasks.md": TASKS.join(""),
  "specs/broken/.ralph-state.json": "{",
  "specs/broken/research.md": "# Research\n",
  "package.json": '{"devDependencies":{"@refrakt-md/docs":"0.25.1","@refrakt-md/plan":"0.25.1"}}',
  "src/add.ts": "/** Adds. */\nexport function add(a: number): number {\n  return a;\n}\n",
  "specs/.current-spec": "auth",
};

const RESULT = { outcome: "done", command: "make check", exit_code: 0, evidence: "It passed" };
const TASK = { spec_name: "auth", ...RESULT };

function openTasks(cwd: string): number[] {
  const text = Deno.readTextFileSync(join(cwd, "specs/auth/tasks.md"));
  return [...text.matchAll(/^- \[ \] 1\.(\d+)/gm)].map(([, number]) => Number(number));
}

const many = <Made>(count: number, call: (index: number) => Made): Made[] =>
  Array.from({ length: count }, (_, index) => call(index));

const WRITES: readonly (readonly Call[])[] = [
  [
    ...many(20, (index): Call => ["plan_update", {
      id: "WORK-001",
      status: index % 2 === 0 ? "in-progress" : "ready",
      sections: { Notes: `Round ${index}` },
    }]),
    ["ralph_complete_phase", { spec_name: "gone", phase: "research", summary: "s", force: true }],
    ...many(10, (index): Call => ["plan_create", { type: "work", title: `Made ${index}` }]),
    ...many(10, (index): Call => ["ralph_start", { goal: `Goal ${index}`, name: `made-${index}` }]),
  ],
  [
    ["plan_init", { dir: "fresh" }],
    ["plan_migrate", { subcommand: "filenames", apply: true }],
    ["ralph_switch", { name: "gone" }],
    ["ralph_design", { spec_name: "again", redo: true }],
    ["docs_extract", { args: ["src"], output: "plan/api" }],
    ["ralph_start", { name: "broken", resume: true }],
    ["ralph_cancel", { spec_name: "again" }],
    ["ralph_cancel", { spec_name: "gone", delete_files: true, confirm: "gone" }],
  ],
  many(12, (index) => `1.${index + 1}`).flatMap((task): Call[] => [
    ["ralph_implement", { spec_name: "auth", task }],
    ["ralph_task_result", { ...TASK, task }],
  ]),
];

/** These start with a rename or removal, which needs no disk space, or need the call before. */
const OTHERS = /plan_migrate|ralph_cancel|"resume"|ralph_task_result/;

/** Checks that every file is complete: an entity has its end, a state file is valid JSON. */
function checkFiles(cwd: string): void {
  for (const [path, text] of Object.entries(readTree(cwd))) {
    if (/(?:^|\/)\.[^/]*\.tmp(?:\/|$)/.test(path)) continue;
    if (path === "plan/api/add.md") assert.match(text, /\{% \/symbol %\}\s*$/, text);
    else if (/^plan\/api\//.test(path)) continue;
    else if (/^(?:plan|fresh)\/.*\.md$/.test(path) && !/INDEX|INSTRUCTIONS/.test(path)) {
      assert.match(text, /^\{% (\w+) [^]*\{% \/\1 %\}\s*$/, `${path} is whole:\n${text}`);
    }
    if (/\.json$/.test(path) && text !== "{") {
      assert.doesNotThrow(() => JSON.parse(text), `${path}:\n${text}`);
    }
    if (path.endsWith("auth/tasks.md")) assert.equal(text.split("\n").length, TASKS.length + 1);
  }
}

/** Waits for a number of file changes, or until all calls are answered. */
async function changesIn(cwd: string, count: number, answered: Promise<unknown>): Promise<void> {
  const watcher = Deno.watchFs(cwd);
  const seen = (async () => {
    let left = count;
    for await (const { kind } of watcher) if (kind !== "access" && --left <= 0) return;
  })();
  await Promise.race([seen, answered]);
  watcher.close();
}

function sendAll(server: RawServer, calls: readonly Call[]): Promise<unknown> {
  return Promise.all(
    calls.map(([name, input]) => server.request("tools/call", { name, arguments: input })),
  );
}

Deno.test("a kill during any kind of write leaves complete files and a working project", async () => {
  const cwd = makeProject(FILES);
  commitAll(cwd, "one");
  for (const [index, calls] of WRITES.entries()) {
    const server = await initialized(cwd, SERVER);
    // The first answer comes after loading; the kill then hits the writes.
    await server.request("tools/call", { name: "plan_next", arguments: {} });
    const answered = sendAll(server, calls);
    await changesIn(cwd, 5 * index + 2, answered);
    Deno.kill(server.pid, "SIGKILL");
    await server.end();
    checkFiles(cwd);
  }
  await withServer(cwd, async ({ ok }) => {
    await ok("plan_update", { id: "WORK-001", status: "done" });
    await ok("plan_create", { type: "work", title: "After all" });
    await ok("plan_migrate", { subcommand: "filenames", apply: true });
    await ok("ralph_start", { goal: "After all", name: "after" });
    const task = `1.${openTasks(cwd)[0]}`;
    await ok("ralph_implement", { spec_name: "auth", task });
    await ok("ralph_task_result", { ...TASK, task });
  }, SERVER);
  checkFiles(cwd);
  const left = Object.keys(readTree(cwd)).filter((path) =>
    /^(?:plan|specs\/auth)\/.*\.tmp$|^specs\/\.[^/]*\.tmp/.test(path)
  );
  assert.deepEqual(left, [], "what a killed server left is swept");
});

async function checkRefused(
  { call }: Pick<Session, "call">,
  cwd: string,
  calls: readonly Call[],
  message: RegExp,
): Promise<void> {
  const before = readTree(cwd);
  for (const [name, input] of calls) {
    const answer = await call(name, input);
    assert.equal(answer.isError, true, `${name}: ${JSON.stringify(answer)}`);
    assert.equal(answer.errorCode, "FILE_OPERATION_FAILED", `${name}: ${JSON.stringify(answer)}`);
    assert.match(answer.content[0].text, message, name);
    const { "plan/.plan-cache.json": _cache, ...now } = readTree(cwd);
    for (const [path, text] of Object.entries(now)) {
      if (path.endsWith(".lock")) continue;
      assert.equal(text, before[path], `${name}: ${path}`);
    }
    assert.deepEqual(Object.keys(before).filter((path) => !(path in now)), [], name);
  }
}

const EACH = WRITES.flat().filter((call, index, all) =>
  all.findIndex(([name]) => name === call[0]) === index && !OTHERS.test(JSON.stringify(call))
);

testUnless(
  NOT_UNIX,
  "a limit for files of the process is an error for every kind of write, and leaves what was there",
  async () => {
    const cwd = makeProject(FILES);
    commitAll(cwd, "one");
    // No file can be written, as with a full disk or quota.
    const prefix = ["sh", "-c", 'trap "" XFSZ; ulimit -f 0; exec "$@"', "sh"];
    await withServer(
      cwd,
      (session) => checkRefused(session, cwd, EACH, /No room|Failed to write/),
      { ...SERVER, prefix },
    );
  },
);
