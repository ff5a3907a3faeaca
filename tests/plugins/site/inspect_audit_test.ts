/** CSS coverage: imports as in a build, yielding and cancellation. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { openProject } from "../../../src/host/open_project.ts";
import { callContext, callTool, errorOf, plain } from "../../support/calls.ts";
import { askOracle, installFromLab, LAB } from "../../support/lab.ts";
import { coreSite, LUMINA, MARKETING, project, singleSite } from "./projects.ts";
import { inspectAuditTool } from "./tools.ts";

const STYLES = join(LAB, "node_modules", LUMINA, "styles/runes");
const SKELETON = "@refrakt-md/skeleton";

type Selectors = Record<string, { styled: boolean; rules?: string[] }>;
type Runes = Record<string, { styled: number; selectors?: Selectors }>;

const audit = (dir: string, input: Record<string, unknown> = {}) =>
  callTool(dir, inspectAuditTool, input);

Deno.test("a rune's selectors and styled selectors equal the CLI's", async () => {
  const dir = coreSite({ theme: LUMINA });
  await installFromLab(dir, LUMINA, SKELETON);
  const runes = ["hint", "tabs", "nav"];
  const answers = await askOracle(
    dir,
    runes.map((rune) => ["inspect", rune, "--audit", "--json", "--css", STYLES]),
  );
  for (const [index, rune] of runes.entries()) {
    const { css, missing, runes: found, shared } = await audit(dir, { rune, detail: "full" });
    assert.equal(css, `node_modules/${LUMINA}`);
    assert.equal(missing, undefined);
    const ours = { ...found[rune]!.selectors, ...shared.selectors };
    const theirs: Selectors = JSON.parse(answers[index]!.stdout).runes[rune].selectors;
    assert.deepEqual(Object.keys(ours).sort(), Object.keys(theirs).sort(), rune);
    for (const [selector, { styled }] of Object.entries(theirs)) {
      if (styled) assert.ok(ours[selector]!.styled, `${rune} ${selector}`);
    }
    assert.doesNotMatch(Object.keys(found[rune]!.selectors!).join(), /data-(rune|name|elevation)/);
  }
});

Deno.test("the audit of all runes includes plugin runes, yields to other calls, and is short", async () => {
  const site = { contentDir: "./content", theme: "./theme", plugins: [MARKETING] };
  const dir = project({ site }, { "theme/index.css": ".rf-hero, .rf-hint { a: b }" });
  const context = callContext(openProject(dir));
  let turns = 0;
  const ticks = setInterval(() => turns++, 1);
  const { runes } = plain(await inspectAuditTool.run({}, context)) as { runes: Runes };
  clearInterval(ticks);
  assert.ok(turns > 10, `others had only ${turns} turns`);
  assert.ok(context.updates.length > 60);
  const seen = context.updates.map(({ progress }) => progress);
  assert.deepEqual(seen, seen.toSorted((a, b) => a - b));
  assert.equal(seen.at(-1), context.updates.at(-1)!.total);
  assert.equal(runes["hero"]!.styled, 1);
  assert.equal(runes["hint"]!.selectors, undefined);
  assert.ok(JSON.stringify(runes).length < 12_000);
  const { runes: { hint } } = await audit(dir, { rune: "hint", only: "unstyled" });
  assert.equal(hint!.unstyled!.length, hint!.total - 1);
});

Deno.test("imports resolve as in a build: folders, packages, layers; unresolved ones are listed", async () => {
  const dir = coreSite({ theme: "./theme" }, {
    "theme/index.css": `@import "./base/all.css" layer(base);
@import url('runes/hint.css');
@import "pkg-styles";
@import "./gone.css";
@import "https://example.com/x.css";
@media print { .rf-print { a: b } }`,
    "theme/base/all.css":
      '@import "../index.css"; .rf-card { &__media { a: b } .rf-card__body { a: b } }',
    "theme/runes/hint.css": "@layer skin { .rf-hint { a: b } [data-hint-type=warning] { a: b } }",
    "node_modules/pkg-styles/package.json":
      '{"name":"pkg-styles","version":"1.0.0","style":"./main.css"}',
    "node_modules/pkg-styles/main.css": ".rf-hint__header { a: b }",
  });
  const { css, sheets, missing, runes } = await audit(dir, { rune: "hint" });
  assert.equal(css, "theme");
  assert.equal(sheets, 4);
  assert.deepEqual(missing, [
    "theme/index.css imports ./gone.css",
    "theme/index.css imports https://example.com/x.css",
  ]);
  const { selectors } = runes["hint"]!;
  assert.deepEqual(selectors![".rf-hint__header"], {
    styled: true,
    rules: ["node_modules/pkg-styles/main.css:1"],
  });
  assert.ok(selectors!['[data-hint-type="warning"]']!.styled);
  assert.ok(!selectors!['[data-hint-type="note"]']!.styled);
});

Deno.test("a selector without a value styles an attribute without a value", async () => {
  const dir = singleSite(undefined, { "a.css": "[data-collapse], [data-gap='1rem'] { a: b }" });
  const { runes } = await audit(dir, { rune: "bento", css: "a.css" });
  const selectors = runes["bento"]!.selectors!;
  assert.ok(selectors['[data-collapse=""]']!.styled);
  assert.ok(!selectors['[data-collapse="lg"]']!.styled);
  assert.ok(!selectors['[data-media-ratio=""]']!.styled);
});

Deno.test("a theme that is not installed is read from the registry, with its imports", async () => {
  const dir = coreSite({ theme: LUMINA });
  const { css, sheets, missing, shared } = await audit(dir, { rune: "hint", detail: "full" });
  assert.equal(css, `${LUMINA}@0.25.1`);
  assert.equal(missing, undefined);
  assert.ok(sheets > 100);
  const selectors: Selectors = shared.selectors;
  const rules = Object.values(selectors).flatMap(({ rules = [] }) => rules);
  assert.ok(rules.some((rule) => rule.startsWith(`${SKELETON}@0.25.1/`)), String(rules));
});

Deno.test("css accepts style sheets inside the project only", async () => {
  const dir = coreSite({}, {
    "css/hint.css": "@layer skin {\n  .rf-hint { a: b }\n}\n.rf-hint p { a: b }\n",
    "x.css": "",
    "empty/readme.txt": "",
  });
  const result = await audit(dir, { rune: "hint", css: "css" });
  assert.equal(result.css, "css");
  assert.deepEqual(result.runes["hint"]!.selectors![".rf-hint"], {
    styled: true,
    rules: ["css/hint.css:2,4"],
  });
  for (const [css, code] of [["../", "PERMISSION_DENIED"], ["empty", "NOT_FOUND"]] as const) {
    assert.equal((await errorOf(audit(dir, { css }))).code, code, css);
  }
});

Deno.test("without CSS the audit is an error, not a coverage of 0", async () => {
  const error = await errorOf(
    audit(project({ site: { contentDir: ".", theme: "no-such-theme" } })),
  );
  assert.equal(error.code, "NOT_FOUND");
  assert.match(error.message, /has no CSS/);
});

Deno.test("selectors come from rules only, at any depth", async () => {
  const css = `
/* .rf-hint--note { } */
@import ".rf-hint--check.css";
.rf-hint__header, .rf-hint--warning:hover > [data-hint-type="note"] { content: ".rf-hint--caution" }
@layer skin { @media (min-width: 1px) { .rf-hint { &--e { a: b } [data-hint-type='check'] { a: b } } } }
[data-hint-type=warning], [ data-hint-type ~= "caution" i ] { a: b }
`;
  const dir = coreSite({}, { "a.css": css, "b.css": "{ not css" });
  const { runes: { hint } } = await audit(dir, { rune: "hint", css: "a.css" });
  const styled = Object.entries(hint.selectors as Selectors)
    .flatMap(([selector, { rules = [] }]) => rules.map((rule) => `${rule} ${selector}`));
  assert.deepEqual(styled.sort(), [
    "a.css:4 .rf-hint--warning",
    "a.css:4 .rf-hint__header",
    'a.css:4 [data-hint-type="note"]',
    "a.css:5 .rf-hint",
    'a.css:5 [data-hint-type="check"]',
    'a.css:6 [data-hint-type="caution"]',
    'a.css:6 [data-hint-type="warning"]',
  ]);
  assert.deepEqual((await audit(dir, { css: "b.css" })).missing, ["b.css: not CSS"]);
});
