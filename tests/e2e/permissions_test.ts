import assert from "node:assert/strict";
import { isErrorCode } from "../../src/errors.ts";
import { commitAll, makeProject, readTree, SMALL_PLAN } from "../support/project.ts";
import { type Answer, withServer } from "../support/server.ts";

/** Sets of permissions: almost all but a file, and few but two files. */
const SETS: readonly (readonly string[])[] = [
  [
    "--allow-read=.",
    "--allow-write=plan,specs,.gitignore",
    "--deny-write=plan/work/WORK-001-first.md",
    "--allow-run=git",
  ],
  [
    "--allow-read=.",
    "--deny-read=plan/work/WORK-001-first.md,refrakt.config.json",
    "--allow-write=plan/work/WORK-002-second.md",
  ],
];

const READS: readonly (readonly [string, Record<string, unknown>])[] = [
  ["plan_next", {}],
  ["plan_list", {}],
  ["plan_get", { id: "WORK-001" }],
  ["plan_status", {}],
  ["plan_validate", {}],
  ["plan_history", {}],
];

/** Calls that write, unless they are rejected. */
const WRITES: readonly (readonly [string, Record<string, unknown>])[] = [
  ["plan_update", { id: "WORK-001", status: "in-progress" }],
  ["plan_create", { type: "work", id: "WORK-009", title: "A new one" }],
  ["plan_migrate", { subcommand: "filenames", apply: true }],
  ["ralph_start", { goal: "Something to do", name: "made" }],
];

/** Checks an error; for a deny rule it must not suggest a permission. */
function checkError(answer: Answer, what: string, isDenied = false): void {
  assert.ok(isErrorCode(answer.errorCode), `${what}: ${JSON.stringify(answer)}`);
  assert.notEqual(answer.content[0].text, "", what);
  const text = `${answer.content[0].text} ${answer.hint ?? ""}`;
  if (answer.errorCode === "PERMISSION_DENIED") {
    assert.match(text, /--(allow|deny)-(read|write|run)/, `${what}: ${text}`);
    if (isDenied) assert.match(text, /--deny-write flag takes precedence/, `${what}: ${text}`);
  }
}

for (const grants of SETS) {
  Deno.test(`with ${grants.join(" ")} each call does what it says, or says what is missing`, async () => {
    const { "plan/bugs/BUG-001-crash.md": bug, ...rest } = SMALL_PLAN;
    const cwd = makeProject({
      ...rest,
      "plan/bugs/crash.md": bug!,
      "package.json": "{}",
      "refrakt.config.json": '{"plan":{"dir":"plan"},"site":{"contentDir":"content"}}',
    });
    commitAll(cwd, "one");
    await withServer(cwd, async ({ call, ok }) => {
      for (const name of ["refrakt_detect", "refrakt_version", "refrakt_plugins_list"]) {
        await ok(name);
      }
      for (const [name, input] of READS) {
        const answer = await call(name, input);
        if (answer.isError) checkError(answer, `${name} with ${grants}`);
      }
      for (const [name, input] of WRITES) {
        const before = readTree(cwd);
        const answer = await call(name, input);
        const what = `${name} ${JSON.stringify(input)} with ${grants}`;
        const changed = JSON.stringify(readTree(cwd)) !== JSON.stringify(before);
        if (answer.isError) {
          const isDenied = name === "plan_update" &&
            grants.some((each) => /^--deny-write/.test(each));
          checkError(answer, what, isDenied);
          assert.notEqual(answer.errorCode, "INVALID_ARGS", what);
        }
        // An earlier call may have moved everything.
        const planned = (answer.structuredContent as { planned?: unknown[] } | undefined)?.planned;
        if (!answer.isError && planned?.length !== 0) {
          assert.ok(
            changed,
            `${what} says success, and changed nothing: ${JSON.stringify(answer)}`,
          );
        }
      }
      const { tools } = await ok("refrakt_detect");
      assert.ok(tools.includes("refrakt_more"));
    }, { grants: ["--no-prompt", ...grants], args: ["--plugin", "ralph"] });
  });
}
