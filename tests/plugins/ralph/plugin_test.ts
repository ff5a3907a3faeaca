/** A fuzz test of all tools. */

import assert from "node:assert/strict";
import { ralphPlugin } from "../../../plugins/ralph/plugin.ts";
import { RefraktError } from "../../../src/errors.ts";
import { isTextResult } from "../../../src/tools/result.ts";
import { defineSchema } from "../../../src/tools/schema.ts";
import { checkOutput, inLab } from "./support.ts";

/** A seeded random generator, so that failures are reproducible. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

const FRAGMENTS = [
  "- [ ] 1.1 A\n",
  "-  [ ] 1.6 odd\n",
  "<!--\n",
  "-->\n",
  "- [x] 1.2 [P] B\n",
  "* [X] V1 [VERIFY] C\n",
  "- [ ] 1.3 [P] D\n",
  "- [ ] 1.4 [P] E\n",
  "- [ ] VE1 Start\n",
  "- [ ] VE2 Clean up\n",
  "- [ ] no number\n",
  "  - **Files**: `a`\n",
  "```\n",
  "~~~~\n",
  "---\n",
  "> quoted\n",
  "## Learnings\n",
  "### Phase 2\n",
  "# Title\r\n",
  "\uFEFF",
  "\0",
  "\ud800",
  "<!-- ralph:status -->\n",
  "<!-- /ralph:status -->\n",
  "| FR-1 | x |\n",
  "- [ ] AC-1.1: fast\n",
];
const VALUES = [
  null,
  1,
  -1,
  1.5,
  1e308,
  "x",
  "__proto__",
  [],
  {},
  true,
  [1, "a", null],
  ["research"],
  { taskIndices: [0, 1, "x"] },
  { key: "1.1", done: 0, text: "x", reason: "y" },
  { "1.1": null, "1.2": 3 },
];
const KEYS = (
  "taskIndex totalTasks taskIteration globalIteration maxGlobalIterations " +
  "parallelGroup taskResults handedOut taskAttempts redoPhases awaitingApproval " +
  "completedAt quickMode goal workflow fixTaskMap modificationMap revision " +
  "openAtCompletion blockedTask approvalFor name"
).split(" ");
const PHASES = ["research", "requirements", "design", "tasks", "execution", "execution", "other"];
const FILES = [
  ".ralph-state.json",
  ".ralph-state.json",
  "tasks.md",
  "tasks.md",
  ".progress.md",
  "research.md",
  "requirements.md",
  ".progress-task-0.md",
];
const NAMES = ["a", "b", "A", "..", "", ".x", " ", "c|d"];

Deno.test("random states, documents and arguments yield a valid answer or an error with the next tool", () =>
  inLab(async (lab) => {
    const random = dice(4);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
    const chance = (likely: number) => random() < likely;
    const text = () =>
      Array.from({ length: Math.floor(random() * 12) }, () => pick(FRAGMENTS)).join("");
    const state = () => {
      if (chance(0.1)) return text();
      const fields: Record<string, unknown> = { phase: pick(PHASES) };
      for (const key of KEYS) if (chance(0.3)) fields[key] = pick(VALUES);
      return JSON.stringify(fields);
    };
    const argumentsFor = (name: string): Record<string, unknown> => {
      const args: Record<string, unknown> = {};
      if (name === "start" || name === "switch") {
        if (chance(0.8)) args["name"] = pick(["a", "b", "x y", "new"]);
        if (name === "start") {
          if (chance(0.5)) args["goal"] = text() || "g";
          args["resume"] = chance(0.4);
          args["quick"] = chance(0.3);
        }
      } else if (name !== "help" && chance(0.6)) args["spec_name"] = pick(NAMES);
      if (name === "complete_phase") {
        Object.assign(args, { phase: pick(PHASES), summary: text() || "s", force: chance(0.3) });
      }
      if (name === "implement") {
        args["max_iterations"] = pick([2, 5]);
        if (chance(0.3)) args["task"] = pick(["1.1", "V1", "zz"]);
      }
      if (name === "task_result") {
        Object.assign(args, {
          task: pick(["1.1", "1.2", "V1", "VE1"]),
          outcome: pick(["done", "failed", "split", "blocked"]),
          evidence: text() || "e",
          tasks: text(),
          ...(chance(0.6) ? { command: text() || "x", exit_code: pick([0, 0, 1]) } : {}),
        });
      }
      if (["research", "requirements", "design", "tasks"].includes(name)) {
        args["redo"] = chance(0.5);
      }
      if (name === "cancel") args["delete_files"] = chance(0.5);
      return args;
    };
    let answers = 0;
    const codes = new Set<string>();
    for (let round = 0; round < 1_200; round++) {
      if (chance(0.5)) {
        const file = pick(FILES);
        const content = file === ".ralph-state.json" ? state() : text();
        lab.write(`specs/${pick(["a", "b", "c|d"])}/${file}`, content);
      }
      if (chance(0.2)) lab.write("specs/.current-spec", pick(NAMES));
      const command = pick(ralphPlugin.commands);
      const args = argumentsFor(command.name);
      const what = `round ${round}: ${command.name} ${JSON.stringify(args)}`;
      try {
        const input = await defineSchema(command.inputSchema!).parse(args);
        const result = await command.mcpHandler!(input, {
          cwd: lab.cwd,
          signal: new AbortController().signal,
          progress: () => {},
          log: () => {},
        });
        assert.ok(isTextResult(result), what);
        const field = result.field === undefined ? {} : { [result.field]: result.text };
        checkOutput(what, command.outputSchema, { ...result.data, ...field });
        assert.ok(result.text.length <= 24_000, `${what}: ${result.text.length}`);
        answers++;
      } catch (error) {
        assert.ok(error instanceof RefraktError, `${what}: ${error}`);
        codes.add(error.code);
        if (error.code !== "INVALID_ARGS") {
          assert.match(`${error.message} ${error.hint}`, /ralph_\w+/, what);
        }
      }
    }
    assert.ok(answers > 300, `${answers} answers`);
    assert.ok(codes.size >= 6, [...codes].join());
  }));
