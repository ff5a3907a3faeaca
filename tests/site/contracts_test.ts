import assert from "node:assert/strict";
import { join } from "node:path";
import { callTool, errorOf } from "../support/calls.ts";
import { runCli } from "../support/lab.ts";
import { coreSite, singleSite } from "./projects.ts";
import { contractsCheckTool, contractsTool } from "./tools.ts";

const check = (dir: string, input: Record<string, unknown>) =>
  callTool(dir, contractsCheckTool, input);

Deno.test("contracts_check agrees with the CLI about a file that the CLI wrote", async () => {
  const dir = singleSite();
  await runCli(dir, "contracts", "-o", "structures.json");
  const result = await check(dir, { file: "structures.json" });
  assert.equal(result["upToDate"], true);
  assert.deepEqual([result["added"], result["removed"], result["changed"]], [[], [], []]);
  const cli = await runCli(dir, "contracts", "--check", "-o", "structures.json");
  assert.equal(cli.code, 0);
  assert.ok(cli.stdout.includes(`${result["runes"]} runes`));
});

Deno.test("contracts_check lists added, removed and changed runes", async () => {
  const dir = coreSite();
  await runCli(dir, "contracts", "-o", "structures.json");
  const file = join(dir, "structures.json");
  const contract = JSON.parse(await Deno.readTextFile(file));
  const { Hint, Details, ...rest } = contract.runes;
  await Deno.writeTextFile(
    file,
    JSON.stringify({
      ...contract,
      runes: { ...rest, Hint: { ...Hint, root: ".x" }, Old: Details },
    }),
  );
  const result = await check(dir, { file: "structures.json" });
  assert.equal(result["upToDate"], false);
  assert.deepEqual(result["added"], ["Details"]);
  assert.deepEqual(result["removed"], ["Old"]);
  assert.deepEqual(result["changed"], ["Hint"]);
  assert.equal((await runCli(dir, "contracts", "--check", "-o", "structures.json")).code, 1);
});

Deno.test("contracts_check reports a difference in formatting only", async () => {
  const dir = coreSite();
  await runCli(dir, "contracts", "-o", "structures.json");
  const file = join(dir, "structures.json");
  const text = await Deno.readTextFile(file);
  await Deno.writeTextFile(file, JSON.stringify(JSON.parse(text)));
  const result = await check(dir, { file: "structures.json" });
  assert.equal(result["upToDate"], false);
  assert.match(String(result["reason"]), /^formatting/);
  await Deno.writeTextFile(file, text.replace('"prefix": "rf"', '"prefix": "my"'));
  assert.match(String((await check(dir, { file: "structures.json" }))["reason"]), /^header/);
});

Deno.test("contracts_check rejects unreadable files with a code", async () => {
  const dir = coreSite({}, { "broken.json": "{", "list.json": "[]", "folder/x.txt": "" });
  await Deno.symlink("/etc/hostname", join(dir, "link.json"));
  const codes: Record<string, string> = {
    "missing.json": "NOT_FOUND",
    "broken.json": "VALIDATION_ERROR",
    "list.json": "VALIDATION_ERROR",
    "folder": "INVALID_ARGS",
    "../outside.json": "PERMISSION_DENIED",
    "/etc/hostname": "PERMISSION_DENIED",
    "link.json": "PERMISSION_DENIED",
    "a\0b": "INVALID_ARGS",
  };
  for (const [file, code] of Object.entries(codes)) {
    assert.equal((await errorOf(check(dir, { file }))).code, code, file);
  }
});

Deno.test("contracts returns selected runes by name, alias or type", async () => {
  const dir = singleSite();
  const whole = await callTool(dir, contractsTool);
  const some = await callTool(dir, contractsTool, { runes: ["callout", "hero", "Grid", "hint"] });
  const { Hint, Hero, Grid } = whole["runes"] as Record<string, unknown>;
  assert.deepEqual(some, { ...whole, runes: { Hint, Hero, Grid } });
  assert.ok(JSON.stringify(some).length < 6000);
  for (const [name, code] of [["hnt", "NOT_FOUND"], ["xref", "VALIDATION_ERROR"]] as const) {
    assert.equal((await errorOf(callTool(dir, contractsTool, { runes: [name] }))).code, code);
  }
});
