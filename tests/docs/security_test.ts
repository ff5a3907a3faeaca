import assert from "node:assert/strict";
import { join } from "node:path";
import { exists } from "../support/project.ts";
import { ROOT } from "../support/server.ts";

const TEXT = await Deno.readTextFile(join(ROOT, "SECURITY.md"));

/** The rows of the tables of promises: the promise, and what holds it. */
function promises(): [string, string][] {
  const rows: [string, string][] = [];
  let isPromise = false;
  for (const line of TEXT.split("\n")) {
    const cells = line.startsWith("|") ? line.split(" | ").map((cell) => cell.trim()) : [];
    if (cells.length !== 2) isPromise = false;
    else if (cells[0]!.startsWith("| promise")) isPromise = true;
    else if (isPromise && !/^\|? *-/.test(cells[0]!)) rows.push([cells[0]!, cells[1]!]);
  }
  return rows;
}

Deno.test("each promise of SECURITY.md names tests, and they are there", async () => {
  const rows = promises();
  assert.ok(rows.length >= 20, `${rows.length}`);
  for (const [promise, tests] of rows) {
    const names = [...tests.matchAll(/`(tests\/[^`]+)`/g)].map(([, path]) => path!);
    assert.ok(names.length > 0, `${promise} names no test`);
    for (const name of names) {
      assert.ok(exists(join(ROOT, name)), `${promise}: ${name} is missing`);
      const source = await Deno.readTextFile(join(ROOT, name));
      assert.match(source, /\b(?:Deno\.test|testUnless)\(/, `${name} has no tests`);
    }
  }
  const named = [...TEXT.matchAll(/`(tests\/[^`]+)`/g)].map(([, path]) => path!);
  for (const name of named) assert.ok(exists(join(ROOT, name)), name);
});

Deno.test("SECURITY.md says for each actor what is promised and what is not", () => {
  const sections = TEXT.split(/^## /m);
  for (const actor of ["The client", "The repository, as data", "The repository, as code"]) {
    const section = sections.find((each) => each.startsWith(actor)) ?? "";
    assert.match(section, /\| promise/, actor);
    assert.match(section, /^Not promised:/m, actor);
  }
});
