/** Random states, documents and arguments for all tools. */

import assert from "node:assert/strict";
import { ralphTools } from "../../../plugins/ralph/entries.ts";
import { RefraktError } from "../../../src/errors.ts";
import fc from "../../support/npm/fast_check.ts";
import { inLab } from "./support.ts";

const of = <Value>(...values: Value[]) => fc.constantFrom(...values);
const some = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(fields, { requiredKeys: [] });

const FRAGMENT = of(
  ...[
    "- [ ] 1.1 A\n",
    "-  [ ] 1.6 odd\n",
    "<!--\n",
    "-->\n",
    "- [x] 1.2 [P] B\n",
    "```\n",
    "---\n",
  ],
  ...["* [X] V1 [VERIFY] C\n", "- [ ] 1.3 [P] D\n", "- [ ] VE1 Start\n", "- [ ] VE2 Clean up\n"],
  ...["- [ ] no number\n", "  - **Files**: `a`\n", "~~~~\n", "> quoted\n", "## Learnings\n", "\0"],
  ...["### Phase 2\n", "# Title\r\n", "\uFEFF", "\ud800", "| FR-1 | x |\n", "- [ ] AC-1.1: fast\n"],
  ...["<!-- ralph:status -->\n", "<!-- /ralph:status -->\n"],
);
const TEXT = fc.array(FRAGMENT, { maxLength: 12 }).map((parts) => parts.join(""));
const PHASE = of("research", "requirements", "design", "tasks", "execution", "execution", "other");
const KEYS =
  ("taskIndex totalTasks taskIteration globalIteration handedOut taskAttempts redoPhases " +
    "awaitingApproval completedAt quickMode goal workflow fixTaskMap modificationMap revision " +
    "openAtCompletion blockedTask approvalFor name").split(" ");
const ODD = fc.oneof(fc.jsonValue(), of({ key: "1.1", done: 0, text: "x" }, { "1.1": null }));
const STATE = fc.oneof(
  TEXT,
  some({ phase: PHASE, ...Object.fromEntries(KEYS.map((key) => [key, ODD])) })
    .map((state) => JSON.stringify(state)),
);
const FILE = fc.oneof(
  fc.tuple(of(".ralph-state.json"), STATE),
  fc.tuple(of("tasks.md", ".progress.md", "research.md", "requirements.md"), TEXT),
);
const NAME = of("a", "b", "A", "..", "", ".x", " ", "c|d");
const SPEC = { spec_name: NAME };
const REDO = some({ ...SPEC, redo: fc.boolean() });

/** Arguments by tool; the others take the name of a spec. */
const ARGS: Readonly<Record<string, fc.Arbitrary<Record<string, unknown>>>> = {
  help: fc.constant({}),
  start: some({ name: NAME, goal: TEXT, resume: fc.boolean(), quick: fc.boolean() }),
  switch: some({ name: NAME }),
  ...Object.fromEntries(
    ["research", "requirements", "design", "tasks"].map((each) => [each, REDO]),
  ),
  complete_phase: some({ ...SPEC, phase: PHASE, summary: TEXT, force: fc.boolean() }),
  implement: some({ ...SPEC, max_iterations: of(2, 5), task: of("1.1", "V1", "zz") }),
  task_result: some({
    ...SPEC,
    task: of("1.1", "1.2", "V1", "VE1"),
    outcome: of("done", "failed", "split", "blocked"),
    evidence: TEXT,
    tasks: TEXT,
    command: TEXT,
    exit_code: of(0, 0, 1),
  }),
  cancel: some({ ...SPEC, delete_files: fc.boolean() }),
};
const CALL = fc.oneof(
  ...ralphTools.map(({ name }) =>
    fc.tuple(of(name), ARGS[name.slice("ralph_".length)] ?? some(SPEC))
  ),
);

Deno.test("made-up states and arguments yield a valid answer, or an error with the next tool", () =>
  inLab(async (lab) => {
    const rounds = fc.tuple(of("a", "b", "c|d"), FILE, fc.option(NAME), CALL);
    const codes = new Map<string, number>();
    const cases = fc.sample(rounds, {
      seed: 4,
      numRuns: 200,
    });
    for (const [spec, [file, text], pointer, [tool, args]] of cases) {
      lab.write(`specs/${spec}/${file}`, text);
      if (pointer !== null) lab.write("specs/.current-spec", pointer);
      const what = `${tool} ${JSON.stringify(args)}`;
      let code = "ok";
      try {
        assert.ok((await lab.text(tool, args)).length <= 24_000, what);
      } catch (error) {
        assert.ok(error instanceof RefraktError, `${what}: ${error}`);
        code = error.code;
        if (code !== "INVALID_ARGS") {
          assert.match(`${error.message} ${error.hint}`, /ralph_\w+/, what);
        }
      }
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    assert.ok(codes.get("ok")! > 30 && codes.size >= 6, JSON.stringify([...codes]));
  }));
