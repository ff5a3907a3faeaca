import assert from "node:assert/strict";
import { COMMANDS, findCommand } from "../../../src/cli/commands/mod.ts";

Deno.test("every command has a usage and examples that begin with its name", () => {
  for (const { name, usage, help, examples } of COMMANDS) {
    assert.match(name, /^[a-z]+$/);
    assert.ok(usage.startsWith(name) && help.length > 10 && examples.length > 0, name);
    for (const example of examples) assert.match(example, new RegExp(`^${name}\\b`));
  }
  assert.equal(new Set(COMMANDS.map(({ name }) => name)).size, COMMANDS.length);
});

Deno.test("findCommand() finds by name, and names the nearest of one that is not there", () => {
  assert.equal(findCommand("warm").name, "warm");
  assert.throws(() => findCommand("wram"), (error: Error & { hint?: string }) => {
    assert.equal(error.message, "Unknown command: wram");
    return /Did you mean "warm"/.test(error.hint!);
  });
  assert.throws(() => findCommand("constructor"), /Unknown command/);
});
