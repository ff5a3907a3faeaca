import assert from "node:assert/strict";
import {
  isBefore,
  isDocumentPhase,
  isPhase,
  phaseAfter,
  PHASES,
  toolOf,
} from "../../../plugins/ralph/phases.ts";
import { ralphPlugin } from "../../../plugins/ralph/plugin.ts";

Deno.test("phases follow each other in order, and the last one stays", () => {
  assert.deepEqual(PHASES.map(phaseAfter), [
    "requirements",
    "design",
    "tasks",
    "execution",
    "execution",
  ]);
  assert.ok(isBefore("research", "execution"));
  assert.ok(!isBefore("design", "design"));
});

Deno.test("only the name of a phase is one, whatever a state file holds", () => {
  for (const value of ["Research", "", "constructor", null, 1, ["research"], undefined]) {
    assert.equal(isPhase(value), false, String(value));
  }
  assert.ok(isPhase("execution") && !isDocumentPhase("execution"));
});

Deno.test("every phase has a tool of the plugin", () => {
  const tools = ralphPlugin.commands.map(({ toolName }) => toolName);
  for (const phase of PHASES) assert.ok(tools.includes(toolOf(phase)), phase);
});
