import assert from "node:assert/strict";
import { shellLine } from "../../src/npm/serve_command.ts";

Deno.test("shellLine() quotes arguments that a shell would interpret", async () => {
  const line = shellLine({ command: "printf", args: ["%s\n", "a b", "it's", "$HOME", "--x=y,z"] });
  const { stdout } = await new Deno.Command("sh", { args: ["-c", line] }).output();
  assert.equal(new TextDecoder().decode(stdout), "a b\nit's\n$HOME\n--x=y,z\n");
});
