/** CSS coverage: equal to the CLI's, in slices, and cancellable. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { audit, auditTool } from "../../src/core/audit.ts";
import { selectorsOf } from "../../src/core/css.ts";
import { openProject } from "../../src/project/project.ts";
import { callContext, callTool, errorOf, plain } from "../support/calls.ts";
import { askOracle, installFromLab, LAB } from "../support/lab.ts";
import { coreSite, LUMINA, singleSite } from "./projects.ts";

const STYLES = join(LAB, "node_modules", LUMINA, "styles/runes");
type Coverage = { total: number; styled: number; status: string; selectors?: unknown };

Deno.test("the audit of one rune equals the CLI's", async () => {
  const dir = coreSite({ theme: LUMINA });
  await installFromLab(dir, LUMINA);
  const runes = ["hint", "tabs", "accordion-item", "nav"];
  const answers = await askOracle(
    dir,
    runes.map((rune) => ["inspect", rune, "--audit", "--json", "--css", STYLES]),
  );
  for (const [index, rune] of runes.entries()) {
    const { css, ...ours } = await callTool(dir, auditTool, { rune });
    assert.equal(css, `node_modules/${LUMINA}/styles/runes`);
    assert.deepEqual(ours, JSON.parse(answers[index]!.stdout), rune);
  }
});

Deno.test("the audit of all runes equals the CLI's, has plugin runes too, and gives way to others", async () => {
  const dir = singleSite();
  await installFromLab(dir, LUMINA);
  const context = callContext(openProject(dir));
  let turns = 0;
  const ticks = setInterval(() => turns++, 1);
  const ours = plain(await audit(context, { detail: "full" }));
  clearInterval(ticks);
  assert.ok(turns > 10, `others had only ${turns} turns`);
  assert.ok(context.updates.length > 80);
  assert.equal(context.updates.at(-1)!.progress, context.updates.at(-1)!.total);
  const [answer] = await askOracle(dir, [
    ["inspect", "--all", "--audit", "--json", "--css", STYLES],
  ]);
  const theirs = JSON.parse(answer!.stdout).runes as Record<string, Coverage>;
  const runes = ours["runes"] as Record<string, Coverage>;
  assert.deepEqual(
    Object.fromEntries(Object.keys(theirs).map((name) => [name, runes[name]])),
    theirs,
  );
  assert.ok(runes["hero"]!.styled > 0);
  const brief = await callTool(dir, auditTool);
  assert.equal((brief["runes"] as Record<string, Coverage>)["hint"]!.selectors, undefined);
  assert.equal(brief["totalSelectors"], ours["totalSelectors"]);
});

Deno.test("a cancelled audit stops", async () => {
  const dir = singleSite();
  const controller = new AbortController();
  const context = callContext(openProject(dir), controller.signal);
  const running = errorOf(audit(context, {}));
  setTimeout(() => controller.abort(), 300);
  assert.equal((await running).code, "TIMEOUT");
  assert.ok(context.updates.length < 89);
});

Deno.test("style sheets of the project can be named, inside it", async () => {
  const dir = coreSite({}, {
    "css/hint.css": "@layer skin {\n  .rf-hint { a: b }\n}\n",
    "x.css": "",
  });
  const result = await callTool(dir, auditTool, { rune: "hint", css: "css" });
  assert.equal(result["styledSelectors"], 1);
  const { selectors } = (result["runes"] as Record<string, { selectors: Record<string, unknown> }>)[
    "hint"
  ]!;
  assert.deepEqual(selectors[".rf-hint"], { styled: true, file: "hint.css", line: 2 });
  const codes = { missing: "NOT_FOUND", "x.css": "NOT_FOUND", "../": "PERMISSION_DENIED" };
  for (const [css, code] of Object.entries(codes)) {
    assert.equal((await errorOf(callTool(dir, auditTool, { css }))).code, code);
  }
});

Deno.test("a theme that is nowhere is an error that says what to install", async () => {
  const error = await errorOf(callTool(coreSite({ theme: "no-such-theme" }), auditTool));
  assert.equal(error.code, "NOT_FOUND");
  assert.match(error.hint!, /npm install --save-dev no-such-theme/);
});

Deno.test("a rune without engine config, and one that does not exist, have a code", async () => {
  const dir = coreSite({ theme: LUMINA });
  assert.equal(
    (await errorOf(callTool(dir, auditTool, { rune: "xref" }))).code,
    "VALIDATION_ERROR",
  );
  assert.equal((await errorOf(callTool(dir, auditTool, { rune: "hnt" }))).code, "NOT_FOUND");
});

Deno.test("selectorsOf() finds nested rules with their lines, and nothing in comments or strings", () => {
  const css = `/* .rf-no { } */
.rf-a,
.rf-b__c { color: red; content: ".rf-no {"; background: url(data:x;.rf-no{) }
@media (width > 1px) { .rf-a--wide:hover [data-rune="a"] { &.rf-in { x: y } } }
@font-face { src: url("a;b") }
.rf-d/* .rf-no */.rf-e { }
`;
  const found = selectorsOf(css, "a.css", "rf").map(({ selector, line }) => `${selector} ${line}`);
  assert.deepEqual(found, [
    ".rf-a 2",
    ".rf-b__c 2",
    ".rf-a--wide 4",
    '[data-rune="a"] 4',
    ".rf-in 4",
    ".rf-d 6",
    ".rf-e 6",
  ]);
});
