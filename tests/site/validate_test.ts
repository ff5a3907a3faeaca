/** Validation of the theme: what is wrong is the answer. */

import assert from "node:assert/strict";
import { callTool, errorOf } from "../support/calls.ts";
import { installFromLab, runCli } from "../support/lab.ts";
import { coreSite, LUMINA, singleSite } from "./projects.ts";
import { validateTool } from "./tools.ts";

interface Finding {
  document: string;
  path: string;
  message: string;
}
interface Result {
  valid: boolean;
  projectValid: boolean;
  errors: Finding[];
  warnings: Finding[];
  config: { source: string; valid: boolean };
  manifest: { source: string; valid: boolean } | null;
  packages: Record<string, { errors: Finding[]; warnings: Finding[] }>;
}

const validate = async (dir: string, input: Record<string, unknown> = {}) =>
  await callTool(dir, validateTool, input) as unknown as Result;

/** The findings as the CLI prints them. */
const printed = (findings: Finding[]) =>
  findings.map(({ path, message }) => `ERROR ${path}: ${message}`);

Deno.test("without arguments, the site's own configuration and theme manifest are validated", async () => {
  const dir = singleSite();
  await installFromLab(dir, LUMINA);
  const result = await validate(dir);
  assert.match(result.config.source, /lumina.*marketing.*docs.*plan/);
  assert.equal(result.manifest?.source, `node_modules/${LUMINA}/manifest.json`);
  // A published package's mistakes are named with it, and are not the project's.
  const own = Object.entries(result.packages).find(([, { errors }]) =>
    errors.some(({ path }) => path.startsWith("runes.Hero."))
  );
  assert.match(own![0], /marketing/);
  assert.ok(result.packages["@refrakt-md/runes"]!.errors.some(({ path }) => /Grid/.test(path)));
  assert.ok(result.packages[LUMINA]!.errors.some(({ document }) => document === "manifest"));
  assert.deepEqual([result.valid, result.projectValid, result.errors], [false, true, []]);
  // It fails where the CLI fails, and every error of the CLI has its owner.
  const { code, stdout } = await runCli(dir, "validate");
  assert.equal(code, 1);
  const named = Object.values(result.packages).flatMap(({ errors }) =>
    errors.map(({ path, message }) => `ERROR ${path}: ${message}`)
  );
  for (const [line] of stdout.matchAll(/ERROR .*/g)) assert.ok(named.includes(line), line);
});

Deno.test("what the project's own config and theme get wrong is the project's", async () => {
  const dir = coreSite({ theme: "./theme/transform.js" }, {
    "theme/transform.js":
      `export const themeConfig = { prefix: "rf", tokenPrefix: "--rf", icons: {}, runes: { Mine: { block: 5 } } };`,
    "theme/manifest.json": "{}",
  });
  const result = await validate(dir);
  assert.equal(result.valid, false);
  assert.ok(result.errors.some(({ path }) => path.startsWith("runes.Mine")));
  assert.ok(result.errors.some(({ document }) => document === "manifest"));
});

Deno.test("a theme that is not installed is taken from the registry", async () => {
  const result = await validate(coreSite({ theme: LUMINA }));
  assert.match(result.manifest!.source, /^@refrakt-md\/lumina@/);
});

Deno.test("a site without a theme, or with one that cannot be loaded, has its core validated", async () => {
  const plain = await validate(coreSite());
  assert.equal(plain.manifest, null);
  const broken = await validate(coreSite({ theme: "no-such-theme" }));
  assert.deepEqual([broken.errors, broken.packages], [plain.errors, plain.packages]);
  assert.ok(broken.warnings.some(({ message }) => message.includes("no-such-theme")));
});

Deno.test("given files are validated as the CLI does it", async () => {
  const dir = coreSite({}, {
    "theme.json": JSON.stringify({ prefix: "rf", runes: { Hint: { modifiers: 5 } } }),
    "manifest.json": JSON.stringify({ name: "Mine" }),
  });
  const result = await validate(dir, { config: "theme.json", manifest: "manifest.json" });
  assert.equal(result.valid, false);
  const cli = await runCli(
    dir,
    "validate",
    "--config",
    "theme.json",
    "--manifest",
    "manifest.json",
  );
  assert.equal(cli.code, 1);
  const lines = (cli.stdout + cli.stderr).split("\n").map((line) => line.trim())
    .filter((line) => line.startsWith("ERROR"));
  assert.deepEqual(printed(result.errors), lines);
});

Deno.test("a theme config may be a module of the project, where the config names it", async () => {
  const dir = coreSite({ theme: "./theme.ts" }, {
    "other.ts": `throw new Error("it ran")`,
    "theme.ts":
      `export const themeConfig = { prefix: "rf", tokenPrefix: "--rf", icons: {}, runes: {} };`,
  });
  const result = await validate(dir, { config: "theme.ts" });
  assert.equal(result.config.valid, true);
  const refused = await errorOf(validate(dir, { config: "other.ts" }));
  assert.equal(refused.code, "PERMISSION_DENIED");
});

Deno.test("files that cannot be validated have a code", async () => {
  const dir = coreSite({}, { "broken.json": "{ nope", "list.json": "[]" });
  const codes: [Record<string, unknown>, string][] = [
    [{ config: "missing.json" }, "NOT_FOUND"],
    [{ manifest: "broken.json" }, "VALIDATION_ERROR"],
    [{ config: "list.json" }, "VALIDATION_ERROR"],
    [{ config: "../theme.json" }, "PERMISSION_DENIED"],
    [{ manifest: "/etc/passwd" }, "PERMISSION_DENIED"],
  ];
  for (const [input, code] of codes) {
    assert.equal((await errorOf(validate(dir, input))).code, code, JSON.stringify(input));
  }
});
