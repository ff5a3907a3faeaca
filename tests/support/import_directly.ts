/**
 * Redirects the imports of each scanner in the arguments, and prints what became of them: a
 * line of JSON. A program of its own, because a package that any test of the same process has
 * imported by `npm:` is found before the one in a made-up project.
 */

import { importDirectly } from "../../plugins/plan/direct_imports.ts";

const answers: Record<string, unknown>[] = [];
for (const scanner of Deno.args) {
  const functions = Object.entries(await importDirectly(scanner || undefined));
  answers.push(Object.fromEntries(
    functions.map(([name, value]) => [name, (value as (text: string) => unknown)("x")]),
  ));
}
Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(answers)));
