/** The program as clients start it: its own process and permissions, and the SDK's client. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { type Session, withServer, withServers } from "../support/server.ts";
import { type Files, makeProject, writeFiles } from "../support/project.ts";

// The tests do not depend on the lock file of the checkout.
const GRANTS = ["--no-lock", "--no-prompt", "--allow-read=.", "--allow-write=specs,.gitignore"];
const OPTIONS = { entry: "plugins/ralph/mod.ts", grants: GRANTS };
const READ_ONLY = {
  ...OPTIONS,
  grants: ["--no-lock", "--no-prompt", "--allow-read=.", "--deny-read=specs/locked"],
};

const inProject = (run: (cwd: string) => Promise<void>, files: Files = {}) =>
  run(makeProject(files));

/** Calls a tool that must fail, checks the hint, and returns the error code. */
async function codeOf(session: Session, name: string, args: Record<string, unknown> = {}) {
  const answer = await session.call(name, args);
  assert.equal(answer.isError, true, `${name} ${JSON.stringify(args)}`);
  const text = answer.content[0].text as string;
  assert.ok(answer.hint && text.includes(answer.hint), "the hint is also in the text");
  if (answer.errorCode !== "INVALID_ARGS") assert.match(text, /ralph_\w+/);
  return answer.errorCode;
}

Deno.test("the program serves only the Ralph tools and their undo, and looking creates nothing", () =>
  inProject((cwd) =>
    withServer(cwd, async ({ client }) => {
      const names = (await client.listTools()).tools.map(({ name }: { name: string }) => name);
      const others = names.filter((name: string) => !name.startsWith("ralph_"));
      assert.deepEqual([names.length, others], [14, ["refrakt_undo"]]);
      assert.equal((await client.listPrompts()).prompts.length, 5);
      assert.deepEqual([...Deno.readDirSync(cwd)], []);
    }, OPTIONS)
  ));

Deno.test("a whole spec is worked through by a client that shows the data or the text alone", () =>
  inProject((cwd) =>
    withServer(cwd, async ({ call }) => {
      // It knows nothing but what is shown: the next tool, documents, tasks and commands.
      const ask = async (name: string, input = {}) => {
        const { isError, structuredContent, content } = await call(name, input);
        assert.ok(!isError, JSON.stringify(content));
        const texts = content.map(({ text }) => text).join("");
        return [JSON.stringify(structuredContent).replaceAll('\\"', '"'), texts] as const;
      };
      type Shown = readonly [data: string, texts: string];
      const found = (shown: Shown, pattern: RegExp) => {
        const [match] = shown.map((text) => {
          const match = pattern.exec(text);
          assert.ok(match, `${pattern} in ${text.slice(-1500)}`);
          return match;
        });
        return match![1] ?? match![0];
      };
      let shown: Shown = await ask("ralph_start", { goal: "Add a greeting" });
      for (const phase of ["research", "requirements", "design", "tasks"]) {
        const tool = found(shown, new RegExp(`Next: [^\\n]*?(ralph_${phase})\\b`));
        const instructions = await ask(tool);
        for (const part of [/Add a greeting/, /### Agent Instructions/, /### Template for/]) {
          found(instructions, part);
        }
        const path = found(instructions, /Write (specs\/[\w-]+\/\w+\.md)/);
        const text = phase === "tasks" ? "- [ ] 1.1 Greet\n  - **Verify**: `true`\n" : "# Done\n";
        writeFiles(cwd, { [path]: text });
        const complete = found(instructions, /Call `(ralph_\w+)` with/);
        shown = await ask(complete, { phase, summary: `${phase} is written` });
        found(shown, /ask whether to continue/);
      }
      const task = await ask(found(shown, /Next: [^\n]*?(ralph_implement)/));
      found(task, /1\.1 Greet/);
      const command = found(task, /\*\*Verify\*\*: `(\w+)`/);
      const report = { task: found(task, /task: "([\d.]+)"/), outcome: "done", command };
      shown = await ask(found(task, /Next: [^\n]*?(ralph_task_result)/), {
        ...report,
        exit_code: 0,
      });
      found(shown, /ralph_complete_phase/);
      shown = await ask("ralph_complete_phase", { phase: "execution", summary: "It greets" });
      found(shown, /All phases are complete/);
      found(await ask("ralph_status"), /complete/);
    }, { ...OPTIONS, client: "any" })
  ));

Deno.test("three concurrent servers never conflict", () =>
  inProject(async (cwd) => {
    await withServers(cwd, 3, async (sessions) => {
      const started = await Promise.all(
        sessions.map(({ ok }) => ok("ralph_start", { name: "race" })),
      );
      assert.equal(new Set(started.map(({ name }) => name)).size, 3, "each has its own");
      const completed = { spec_name: "race", phase: "research", summary: "s", force: true };
      const answers = await Promise.all(
        sessions.map(({ call }) => call("ralph_complete_phase", completed)),
      );
      const codes = answers.map(({ errorCode }) => errorCode);
      const late = "PHASE_MISMATCH";
      assert.deepEqual(codes.sort(), [late, late, undefined], "one completes the phase");
      const ids = Array.from({ length: 15 }, (_, at) => `1.${at + 1}`);
      const taskAttempts = Object.fromEntries(ids.map((id) => [`${id}@`, 1]));
      writeFiles(cwd, {
        "specs/work/.ralph-state.json": JSON.stringify({
          ...{ phase: "execution", kept: true, taskAttempts },
        }),
        "specs/work/tasks.md": ids.map((id) => `- [ ] ${id} T\n`).join(""),
      });
      const result = { outcome: "done", command: "true", evidence: "It ran.", exit_code: 0 };
      await Promise.all(ids.map((task, at) =>
        sessions[at % 3]!.ok("ralph_task_result", { spec_name: "work", task, ...result })
      ));
      const tasks = Deno.readTextFileSync(join(cwd, "specs/work/tasks.md"));
      assert.equal(tasks.match(/\[x\]/g)?.length, 15, "no tick is lost");
      const state = JSON.parse(Deno.readTextFileSync(join(cwd, "specs/work/.ralph-state.json")));
      assert.deepEqual([state.revision, state.kept], [15, true]);
    }, OPTIONS);
  }));

Deno.test("without permission, writing fails, and so does reading a spec, but not others", () =>
  inProject(async (cwd) => {
    await withServer(cwd, async (session) => {
      const { ok } = session;
      const { specs } = await ok("ralph_status");
      const names = specs.map((row: { name: string }) => row.name);
      assert.deepEqual([names, specs[0].phase], [["auth", "bad", "locked", "other"], "research"]);
      await ok("ralph_help");
      await ok("ralph_check");
      const calls: [string, Record<string, unknown>][] = [
        ["ralph_start", { name: "new" }],
        ["ralph_start", { name: "auth", resume: true }],
        ["ralph_switch", { name: "other" }],
        ["ralph_cancel", {}],
        ["ralph_cancel", { delete_files: true, confirm: true }],
        ["ralph_complete_phase", { phase: "research", summary: "s" }],
        ["ralph_implement", { spec_name: "other" }],
      ];
      for (const [tool, args] of calls) {
        const answer = await session.call(tool, args);
        assert.equal(await codeOf(session, tool, args), "PERMISSION_DENIED", tool);
        assert.match(answer.content[0].text, /Failed to \w+ specs.*Check file permissions\./);
        assert.match(answer.content[0].text, /--allow-write=specs/);
      }
      assert.equal(await codeOf(session, "ralph_design", { spec_name: "bad" }), "INVALID_STATE");
      assert.equal(Deno.readTextFileSync(join(cwd, "specs/bad/.ralph-state.json")), "{");
      const locked = await session.call("ralph_cancel", { spec_name: "locked" });
      assert.equal(locked.errorCode, "PERMISSION_DENIED");
      // Calls that would fail anyway report their own reason.
      assert.equal(await codeOf(session, "ralph_switch", { name: "x" }), "SPEC_NOT_FOUND");
      assert.equal(await codeOf(session, "ralph_implement"), "PHASE_MISMATCH");
      const report = { task: "1.1", outcome: "done", command: "x", exit_code: 0, evidence: "e" };
      assert.equal(
        await codeOf(session, "ralph_task_result", { spec_name: "other", ...report }),
        "MISSING_PREREQUISITES",
      );
    }, READ_ONLY);
  }, {
    "specs/auth/.ralph-state.json": '{"phase":"research"}',
    "specs/bad/.ralph-state.json": "{",
    "specs/locked/.ralph-state.json": '{"phase":"research"}',
    "specs/other/.ralph-state.json": '{"phase":"execution"}',
    "specs/other/tasks.md": "- [ ] 1.1 A\n",
    "specs/.current-spec": "auth",
  }));
