/** The engine is asked by messages alone. */

import assert from "node:assert/strict";
import { projectRef } from "../../../src/site/engine/client.ts";
import { createEngine } from "../../../src/site/engine/mod.ts";
import { openProject } from "../../../src/project/project.ts";
import { callContext, errorOf, plain, TRUSTING } from "../../support/calls.ts";
import { LUMINA, MARKETING, PLAIN_RUNE, project } from "../projects.ts";

const QUESTIONS: Record<string, Record<string, unknown>> = {
  runeNames: {},
  listRunes: { variants: true },
  inspectRune: { rune: "mood" },
  contract: {},
  describeRunes: {},
  auditStyles: { rune: "hint" },
  validateTheme: {},
  lintPackage: { package: MARKETING },
  warm: {},
};

const site = () =>
  project({
    site: {
      contentDir: ".",
      theme: LUMINA,
      plugins: [MARKETING],
      runes: { local: { mood: "./mood.mjs" } },
    },
  }, { "mood.mjs": PLAIN_RUNE });

Deno.test("every method answers a message with the data that it answers in the process", async () => {
  const here = openProject(site(), TRUSTING);
  const engine = createEngine(TRUSTING.code);
  const channels = callContext(here);
  for (const [method, input] of Object.entries(QUESTIONS)) {
    const params = structuredClone({ project: projectRef(here), input });
    const answer = structuredClone(await engine.handle(method, params, channels));
    // deno-lint-ignore no-explicit-any -- the name is one of a list
    const direct = await engine.run(method as any, here, input as any, channels);
    assert.deepEqual(answer, direct === null ? null : plain(direct), method);
  }
});

Deno.test("a message for another state of the project is answered from that state", async () => {
  const dir = site();
  const engine = createEngine(TRUSTING.code);
  const ask = (method: string, input: Record<string, unknown>) => {
    const now = openProject(dir, TRUSTING);
    return engine.handle(method, { project: projectRef(now), input }, callContext(now));
  };
  assert.ok((await ask("runeNames", {}) as string[]).includes("hero"));
  await Deno.writeTextFile(
    `${dir}/refrakt.config.json`,
    JSON.stringify({ site: { contentDir: "." } }),
  );
  assert.ok(!(await ask("runeNames", {}) as string[]).includes("hero"));
});

Deno.test("a message that names no method of the engine is refused", async () => {
  const here = openProject(site(), TRUSTING);
  for (const method of ["constructor", "nothing"]) {
    const params = { project: projectRef(here), input: {} };
    const error = await errorOf(
      createEngine(TRUSTING.code).handle(method, params, callContext(here)),
    );
    assert.equal(error.code, "INVALID_ARGS");
  }
});
