import assert from "node:assert/strict";
import type { Warning } from "../../src/project/project.ts";
import { groupedWarnings } from "../../src/workspace/group_warnings.ts";

const missing = (name: string): Warning => ({
  code: "PLUGIN_LOAD_FAILED",
  message: `Plugin ${name} is not available: "${name}" is not installed`,
  hint: `Install it (npm install ${name}).`,
  package: name,
});

const leftOut = (name: string): Warning => ({
  code: "CODE_NOT_TRUSTED",
  message: `${name} is left out`,
  hint: `Start the server with --trust ${name}.`,
  package: name,
});

Deno.test("packages with one reason are one warning, in the place of the first", () => {
  const other: Warning = { code: "LAUNCH_MODE", message: "Something else" };
  const alone = { ...missing("@acme/c"), hint: "Do something else." };
  assert.deepEqual(
    groupedWarnings([missing("@acme/a"), other, missing("@acme/b"), alone, leftOut("@acme/a")]),
    [
      {
        code: "PLUGIN_LOAD_FAILED",
        message: "2 plugins are not available (@acme/a, @acme/b): each is not installed",
        hint: "Install it (npm install @acme/a @acme/b).",
      },
      other,
      alone,
      leftOut("@acme/a"),
    ],
  );
});

Deno.test("a path in a reason keeps the name of its package", () => {
  const broken = (name: string): Warning => ({
    code: "PLUGIN_LOAD_FAILED",
    message: `Plugin ${name} is not available: ${name} needs /x/node_modules/@acme/a/y`,
    package: name,
  });
  const [grouped] = groupedWarnings([broken("@acme/a"), broken("@acme/b")]);
  assert.match(grouped!.message, /each needs \/x\/node_modules\/@acme\/a\/y$/);
});

Deno.test("a flag that takes one package is named for each, and what is tried again stays apart", () => {
  const [grouped, ...rest] = groupedWarnings([
    leftOut("@acme/a"),
    leftOut("@acme/b"),
    { ...leftOut("@acme/c"), retry: true },
  ]);
  assert.equal(grouped!.message, "2 packages (@acme/a, @acme/b): each is left out");
  assert.equal(grouped!.hint, "Start the server with --trust @acme/a --trust @acme/b.");
  assert.deepEqual(rest.map((warning) => warning.package), ["@acme/c"]);
});

Deno.test("names without their scope are suggested with it, each by itself", () => {
  const meant = (name: string) => ({ ...missing(name), hint: `Did you mean "@scope/${name}"?` });
  const [grouped] = groupedWarnings([meant("left.pad"), meant("right-pad")]);
  assert.equal(grouped!.hint, 'Did you mean "@scope/left.pad", "@scope/right-pad"?');
});
