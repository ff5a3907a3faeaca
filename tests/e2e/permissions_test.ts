import assert from "node:assert/strict";
import { isErrorCode } from "../../src/errors.ts";
import { commitAll, makeProject, readTree, SMALL_PLAN } from "../support/project.ts";
import { withServer } from "../support/server.ts";

/** Almost all but a file, and few but two files. */
const SETS = [
  "--allow-read=. --allow-write=plan,specs,.gitignore --allow-run=git " +
  "--deny-write=plan/work/WORK-001-first.md",
  "--allow-read=. --deny-read=plan/work/WORK-001-first.md,refrakt.config.json " +
  "--allow-write=plan/work/WORK-002-second.md",
];

const CALLS: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  ...["next", "list", "status", "validate", "history"].map((name) => [`plan_${name}`, {}] as const),
  ["plan_get", { id: "WORK-001" }],
  ["plan_update", { id: "WORK-001", status: "in-progress" }],
  ["plan_create", { type: "work", id: "WORK-009", title: "A new one" }],
  ["plan_migrate", { subcommand: "filenames", apply: true }],
  ["ralph_start", { goal: "Something to do", name: "made" }],
];
const WRITES = /update|create|migrate|start/;

for (const grants of SETS) {
  Deno.test(`with ${grants} each call does what it says, or says what is missing`, async () => {
    const { "plan/bugs/BUG-001-crash.md": bug, ...others } = SMALL_PLAN;
    const config = '{"plan":{"dir":"plan"},"site":{"contentDir":"content"}}';
    const files = { ...others, "plan/bugs/crash.md": bug!, "refrakt.config.json": config };
    const cwd = makeProject({ ...files, "package.json": "{}" });
    commitAll(cwd, "one");
    await withServer(cwd, async ({ call, ok }) => {
      for (const name of ["detect", "version", "plugins_list"]) await ok(`refrakt_${name}`);
      for (const [name, args] of CALLS) {
        const before = JSON.stringify(readTree(cwd));
        const answer = await call(name, args);
        const said = `${name}: ${JSON.stringify(answer)}`;
        const isChanged = JSON.stringify(readTree(cwd)) !== before;
        if (!answer.isError) {
          // An earlier call may have moved everything.
          const isDone = answer.structuredContent?.planned?.length === 0;
          assert.equal(isChanged, WRITES.test(name) && !isDone, said);
          continue;
        }
        assert.ok(isErrorCode(answer.errorCode) && answer.errorCode !== "INVALID_ARGS", said);
        if (answer.errorCode !== "PERMISSION_DENIED") continue;
        assert.match(said, /--(?:allow|deny)-(?:read|write|run)/);
        const isDenied = name === "plan_update" && grants.includes("--deny-write");
        if (isDenied) assert.match(said, /--deny-write flag takes precedence/);
      }
    }, { grants: ["--no-prompt", ...grants.split(" ")], args: ["--plugin", "ralph"] });
  });
}
