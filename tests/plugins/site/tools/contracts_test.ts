import assert from "node:assert/strict";
import { join } from "node:path";
import { assertCodes, callTool } from "../../../support/calls.ts";
import { runCli } from "../../../support/lab.ts";
import { coreSite, singleSite } from "../projects.ts";
import { contractsCheckTool, contractsTool } from "../tools.ts";

const check = (dir: string, input: Record<string, unknown>) =>
  callTool(dir, contractsCheckTool, input);

Deno.test("contracts_check agrees with the CLI about files, and lists runes that differ", async () => {
  const dir = coreSite();
  const path = join(dir, "structures.json");
  await runCli(dir, "contracts", "-o", "structures.json");
  const text = Deno.readTextFileSync(path);
  const current = await check(dir, { file: "structures.json" });
  assert.deepEqual(
    [current["upToDate"], current["added"], current["removed"], current["changed"]],
    [true, [], [], []],
  );
  const contract = JSON.parse(text);
  const { Hint, Details, ...rest } = contract.runes;
  const other = { ...contract, runes: { ...rest, Hint: { ...Hint, root: ".x" }, Old: Details } };
  Deno.writeTextFileSync(path, JSON.stringify(other));
  const result = await check(dir, { file: "structures.json" });
  assert.deepEqual(
    [result["upToDate"], result["added"], result["removed"], result["changed"]],
    [false, ["Details"], ["Old"], ["Hint"]],
  );
  assert.equal((await runCli(dir, "contracts", "--check", "-o", "structures.json")).code, 1);
  Deno.writeTextFileSync(path, JSON.stringify(contract));
  const { upToDate, reason } = await check(dir, { file: "structures.json" });
  assert.equal(upToDate, false);
  assert.match(String(reason), /^formatting/);
});

Deno.test("contracts_check rejects unreadable files with a code", async () => {
  const dir = coreSite({}, { "broken.json": "{", "list.json": "[]", "folder/x.txt": "" });
  await Deno.symlink("/etc/hostname", join(dir, "link.json"));
  await assertCodes((file: string) => check(dir, { file }), [
    ["missing.json", "NOT_FOUND"],
    ["broken.json", "VALIDATION_ERROR"],
    ["list.json", "VALIDATION_ERROR"],
    ["folder", "INVALID_ARGS"],
    ["../outside.json", "PERMISSION_DENIED"],
    ["/etc/hostname", "PERMISSION_DENIED"],
    ["link.json", "PERMISSION_DENIED"],
    ["a\0b", "INVALID_ARGS"],
  ]);
});

Deno.test("contracts returns selected runes by name, alias or type", async () => {
  const dir = singleSite();
  const whole = await callTool(dir, contractsTool);
  const some = await callTool(dir, contractsTool, { runes: ["callout", "hero", "Grid", "hint"] });
  const { Hint, Hero, Grid } = whole.runes;
  assert.deepEqual(some, { ...whole, runes: { Hint, Hero, Grid } });
  assert.ok(JSON.stringify(some).length < 6000);
  await assertCodes((runes: string[]) => callTool(dir, contractsTool, { runes }), [
    [["hnt"], "NOT_FOUND"],
    [["xref"], "VALIDATION_ERROR"],
  ]);
});
