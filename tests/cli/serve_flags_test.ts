import assert from "node:assert/strict";
import { parseFlags } from "../../src/cli/flags.ts";
import { CODE_FLAGS, codePolicy, COMMON_FLAGS, serveOptions } from "../../src/cli/serve_flags.ts";

const given = (...args: string[]) => parseFlags(args, { ...COMMON_FLAGS, ...CODE_FLAGS });

Deno.test("serveOptions() takes the style of names and the level of logs, and refuses others", () => {
  const { toolNames, logLevel } = serveOptions(
    given("--tool-names=dotted", "--log-level", "debug"),
  );
  assert.deepEqual([toolNames, logLevel], ["dotted", "debug"]);
  assert.equal(serveOptions(given()).toolNames, undefined);
  assert.throws(
    () => serveOptions(given("--tool-names=camel")),
    /--tool-names does not take "camel"/,
  );
  assert.throws(() => serveOptions(given("--log-level=loud")), /--log-level does not take "loud"/);
});

Deno.test("codePolicy() takes packages, local and all, several at a time, and refuses what is no name", () => {
  const { isolate, trusted } = codePolicy(given("--trust", "@team/a,local", "--trust=b"));
  assert.deepEqual([isolate, trusted], [false, ["@team/a", "local", "b"]]);
  assert.equal(codePolicy(given("--isolate")).isolate, true);
  assert.throws(() => codePolicy(given("--trust=../evil")), /--trust does not take/);
});

Deno.test("codePolicy() takes a time limit in seconds, within reason", () => {
  assert.equal(codePolicy(given("--timeout=2.5")).timeoutMs, 2500);
  for (const value of ["0", "-1", "soon", "1e12", "NaN"]) {
    assert.throws(() => codePolicy(given(`--timeout=${value}`)), /--timeout does not take/, value);
  }
});
