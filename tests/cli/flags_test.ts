import assert from "node:assert/strict";
import { checkFlagsOf, flagRows, type Flags, parseFlags, SERVING } from "../../src/cli/flags.ts";
import { RefraktError } from "../../src/errors.ts";

const FLAGS: Flags = {
  cwd: { type: "string", value: "path", help: "Where" },
  plugin: { type: "string", multiple: true, help: "Which" },
  npx: { type: "boolean", help: "How", commands: ["config"] },
  help: { type: "boolean", short: "h", help: "This" },
};

Deno.test("parseFlags() takes flags in every place and spelling, and leaves the rest", () => {
  const { values, rest } = parseFlags(
    ["call", "--cwd=x", "-h", "a", "--plugin", "p", "--plugin=q"],
    FLAGS,
  );
  assert.deepEqual({ ...values }, { cwd: "x", help: true, plugin: ["p", "q"] });
  assert.deepEqual(rest, ["call", "a"]);
  assert.deepEqual(parseFlags(["call", "--", "--cwd"], FLAGS).rest, ["call", "--cwd"]);
});

Deno.test("parseFlags() refuses what it does not know, with the nearest", () => {
  for (
    const [args, message, hint] of [
      [["--cdw", "x"], "Unknown flag: --cdw", /--cwd/],
      [["--cwd"], "--cwd needs a value", /--cwd <path>/],
      [["--npx=yes"], "--npx takes no value", /--npx alone/],
      [["--__proto__"], "Unknown flag: --__proto__", /flags are|mean/],
    ] as const
  ) {
    assert.throws(() => parseFlags(args, FLAGS), (error) => {
      assert.ok(error instanceof RefraktError && error.code === "INVALID_ARGS");
      assert.equal(error.message, message);
      assert.match(error.hint!, hint);
      return true;
    });
  }
});

Deno.test("checkFlagsOf() refuses a flag of another command", () => {
  const given = parseFlags(["--npx"], FLAGS);
  checkFlagsOf("config", given, FLAGS);
  assert.throws(() => checkFlagsOf("list", given, FLAGS), /--npx has no effect on list/);
  assert.throws(() => checkFlagsOf(undefined, given, FLAGS), /--npx has no effect on serving/);
});

Deno.test("flagRows() shows the flags of one command alone, and how they are written", () => {
  assert.deepEqual(flagRows(FLAGS, "config"), [
    ["--cwd <path>", "Where"],
    ["--plugin", "Which"],
    ["--npx", "How"],
    ["-h, --help", "This"],
  ]);
  assert.deepEqual(flagRows(FLAGS, SERVING).map(([flag]) => flag), [
    "--cwd <path>",
    "--plugin",
    "-h, --help",
  ]);
});
