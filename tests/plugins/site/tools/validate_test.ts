/** Validation of the theme. */

import assert from "node:assert/strict";
import { assertCodes, callTool, errorOf } from "../../../support/calls.ts";
import { installFromLab, runCli } from "../../../support/lab.ts";
import { coreSite, LUMINA, singleSite } from "../projects.ts";
import { validateTool } from "../tools.ts";

type Finding = Record<"document" | "path" | "message", string>;

const validate = (dir: string, input: Record<string, unknown> = {}) =>
  callTool(dir, validateTool, input);

/** Formats findings like the CLI. */
const printed = (findings: Finding[]) =>
  findings.map(({ path, message }) => `ERROR ${path}: ${message}`);

Deno.test("without arguments, validate checks the site's configuration and theme manifest", async () => {
  const dir = singleSite();
  await installFromLab(dir, LUMINA);
  const result = await validate(dir);
  assert.match(result.config.source, /lumina.*marketing.*docs.*plan/);
  assert.equal(result.manifest?.source, `node_modules/${LUMINA}/manifest.json`);
  // Findings about a published package belong to it, not to the project.
  const packages: Record<string, { errors: Finding[] }> = result.packages;
  const own = Object.entries(packages).find(([, { errors }]) =>
    errors.some(({ path }) => path.startsWith("runes.Hero."))
  );
  assert.match(own![0], /marketing/);
  assert.ok(packages["@refrakt-md/runes"]!.errors.some(({ path }) => /Grid/.test(path)));
  assert.ok(packages[LUMINA]!.errors.some(({ document }) => document === "manifest"));
  assert.deepEqual([result.valid, result.projectValid, result.errors], [false, true, []]);
  // It fails if the CLI fails, and every error of the CLI has an owner.
  const { code, stdout } = await runCli(dir, "validate");
  assert.equal(code, 1);
  const named = Object.values(packages).flatMap(({ errors }) => printed(errors));
  for (const [line] of stdout.matchAll(/ERROR .*/g)) assert.ok(named.includes(line), line);
});

Deno.test("a theme that is not installed comes from the registry; without one, validate checks the core", async () => {
  const published = await validate(coreSite({ theme: LUMINA }));
  assert.match(published.manifest!.source, /^@refrakt-md\/lumina@/);
  const plain = await validate(coreSite());
  assert.equal(plain.manifest, null);
  const broken = await validate(coreSite({ theme: "no-such-theme" }));
  assert.deepEqual([broken.errors, broken.packages], [plain.errors, plain.packages]);
  assert.match(JSON.stringify(broken.warnings), /no-such-theme/);
});

Deno.test("given files validate as in the CLI", async () => {
  const dir = coreSite({}, {
    "theme.json": JSON.stringify({ prefix: "rf", runes: { Hint: { modifiers: 5 } } }),
    "manifest.json": JSON.stringify({ name: "Mine" }),
  });
  const result = await validate(dir, { config: "theme.json", manifest: "manifest.json" });
  assert.equal(result.valid, false);
  const flags = "--config theme.json --manifest manifest.json".split(" ");
  const cli = await runCli(dir, "validate", ...flags);
  assert.equal(cli.code, 1);
  const lines = (cli.stdout + cli.stderr).split("\n").map((line) => line.trim())
    .filter((line) => line.startsWith("ERROR"));
  assert.deepEqual(printed(result.errors), lines);
});

Deno.test("a theme config may be a module of the project if the config names it", async () => {
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

Deno.test("invalid files are errors with a code", async () => {
  const dir = coreSite({}, { "broken.json": "{ nope", "list.json": "[]" });
  await assertCodes((input) => validate(dir, input), [
    [{ manifest: "broken.json" }, "VALIDATION_ERROR"],
    [{ config: "list.json" }, "VALIDATION_ERROR"],
    [{ config: "../theme.json" }, "PERMISSION_DENIED"],
    [{ manifest: "/etc/passwd" }, "PERMISSION_DENIED"],
  ]);
});
