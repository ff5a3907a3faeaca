import assert from "node:assert/strict";
import { errorOf } from "../../../support/calls.ts";
import { renderPrompt } from "../../../support/plan.ts";
import { makeProject, readTree } from "../../../support/project.ts";
import { WIDE_PLAN } from "../tools/plan.ts";

const cwd = makeProject(WIDE_PLAN);
const spec = (title: string) => renderPrompt(cwd, "plan_spec", { title });

Deno.test("a spec begins with its id and the template, and nothing is written", async () => {
  const before = readTree(cwd);
  const { texts } = await spec("Sorting");
  assert.match(texts, /Write the spec "Sorting"\. It becomes SPEC-002/);
  assert.match(texts, /\{% spec id="SPEC-002"[^]*# Sorting[^]*## Overview/);
  assert.match(texts, /No spec or decision of the plan has these words/);
  assert.deepEqual(readTree(cwd), before);
});

Deno.test("related specs and decisions are embedded: by all words, else by the longer ones", async () => {
  const related = async (title: string) => (await spec(title)).embedded.map(({ uri }) => uri);
  assert.deepEqual(await related("scanner hand"), ["refrakt://plan/decision/ADR-001"]);
  assert.deepEqual(await related("Tables with a header"), ["refrakt://plan/spec/SPEC-001"]);
  assert.deepEqual(await related("Header of a row"), [], "no word of more than four letters hits");
});

Deno.test("a title that is none is refused", async () => {
  assert.equal((await errorOf(spec(" "))).code, "INVALID_ARGS");
});
