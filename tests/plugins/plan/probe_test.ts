import assert from "node:assert/strict";
import type { Original, PlanPlugin } from "../../../plugins/plan/commands.ts";
import { unfamiliarWarnings } from "../../../plugins/plan/probe.ts";
import { planPlugin } from "../../support/plan.ts";

const plugin = await planPlugin();

/** What is said of a plugin that differs from the installed one in this. */
const said = async (difference: Partial<PlanPlugin>): Promise<string[]> =>
  (await unfamiliarWarnings({ ...plugin, ...difference })).map(({ message }) =>
    /0\.25\.1 is not as 0\.25 to 0\.29 are: it (.*)$/.exec(message)?.[1] ?? message
  );

Deno.test("the installed plugin is as expected, and trying it writes nothing", async () => {
  assert.deepEqual(await said({}), []);
});

Deno.test("each thing in which a version differs is one warning, with what follows", async () => {
  const original = plugin.original;
  const without = (name: string): Partial<PlanPlugin> => ({
    original: (command) => {
      if (command === name) throw new TypeError("none");
      return original(command);
    },
  });
  assert.deepEqual(await said(without("init")), [
    "has no structured handler of one of create, init, migrate, next, next-id, status, validate",
  ]);
  assert.deepEqual(await said({ diff: { ...plugin.diff, isComplete: false } }), [
    "has other functions in its diff export",
  ]);
  const handler = (command: string, handle: () => Original<unknown>): Partial<PlanPlugin> => ({
    original: <Answer>(name: string) =>
      name === command ? handle() as Original<Answer> : original<Answer>(name),
  });
  assert.deepEqual(await said(handler("next", () => () => ({ items: [] }))), [
    "does not scan the plan by ../scanner.js",
  ]);
  const parser = { ...plugin.parser, parse: () => null };
  assert.deepEqual(await said({ parser }), [
    "does not parse an entity by parseFileContent of its scanner",
  ]);
  const [warning] = await unfamiliarWarnings({ ...plugin, parser });
  assert.deepEqual([warning!.code, warning!.package], ["PLUGIN_UNFAMILIAR", "@refrakt-md/plan"]);
  assert.ok(warning!.hint!.length > 0);
});
