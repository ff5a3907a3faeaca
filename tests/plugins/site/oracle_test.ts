/** Compares every result of the core with the CLI's. */

import assert from "node:assert/strict";
import { callTool } from "../../support/calls.ts";
import { askOracle } from "../../support/lab.ts";
import { PLAIN_RUNE, singleSite } from "./projects.ts";
import { contractsTool, inspectListTool, inspectTool, referenceTool } from "./tools.ts";

interface Listed {
  name: string;
  aliases: string[];
  description: string;
  package: string;
}

/** Runes that need other machinery, so the CLI cannot render them. */
const CLI_FAILS = new Set(["error", "snippet"]);
const FIELDS = ["rune", "theme", "input", "html", "selectors"];

const listed = async (dir: string): Promise<Listed[]> =>
  (await callTool(dir, inspectListTool)).runes;

/** `config` is only compared if the CLI has one: it has none for plugins. */
function assertSameInspection(ours: Record<string, unknown>, printed: string, name: string) {
  const theirs = JSON.parse(printed);
  for (const field of FIELDS) assert.deepEqual(ours[field], theirs[field], `${name}: ${field}`);
  if (theirs.config !== null) assert.deepEqual(ours["config"], theirs.config, `${name}: config`);
}

Deno.test("inspect equals the CLI for every rune of one site", async () => {
  const dir = singleSite({ local: { mood: "./runes/mood.mjs" } }, { "runes/mood.mjs": PLAIN_RUNE });
  const runes = await listed(dir);
  assert.ok(runes.length >= 90);
  const answers = await askOracle(dir, runes.map(({ name }) => ["inspect", name, "--json"]));
  for (const [index, { name }] of runes.entries()) {
    const ours = await callTool(dir, inspectTool, { rune: name });
    if (CLI_FAILS.has(name)) assert.equal(answers[index]!.code, 1);
    else assertSameInspection(ours, answers[index]!.stdout, name);
  }
});

Deno.test("inspect equals the CLI with attributes, aliases and expanded variants", async () => {
  const dir = singleSite();
  const cases: [string, Record<string, string>][] = [
    ["hint", { type: "warning" }],
    ["callout", { type: "check", tint: "warm" }],
    ["hero", { align: "left", "media-position": "end" }],
    ["api", { method: "POST", path: "/users" }],
    ["work", { status: "done", priority: "high" }],
    ["icon", { name: "rocket" }],
    ["grid", { columns: "2 1", gap: "tight" }],
  ];
  const answers = await askOracle(dir, [
    ...cases.map(([rune, attributes]) => [
      "inspect",
      rune,
      "--json",
      ...Object.entries(attributes).map(([name, value]) => `--${name}=${value}`),
    ]),
    ["inspect", "hint", "--json", "--type=all"],
  ]);
  for (const [index, [rune, attributes]] of cases.entries()) {
    const ours = await callTool(dir, inspectTool, { rune, attributes });
    assertSameInspection(ours, answers[index]!.stdout, rune);
  }
  const all = await callTool(dir, inspectTool, { rune: "hint", attributes: { type: "all" } });
  for (const variant of all.variants) delete variant.value;
  assert.deepEqual(all.variants, JSON.parse(answers.at(-1)!.stdout));
});

Deno.test("contracts, list and the full reference equal the CLI's on one site", async () => {
  const dir = singleSite();
  const answers = await askOracle(dir, [
    ["contracts"],
    ["inspect", "--list", "--json"],
    ["reference", "list", "--format", "json"],
    ["reference", "hint", "--format", "json"],
    ["reference", "hint"],
    ["reference", "dump", "--format", "json", "--output", "reference.json"],
    ["reference", "dump", "--output", "reference.md"],
  ]);
  const contracts = await callTool(dir, contractsTool);
  // Byte for byte, because contracts_check compares texts.
  assert.equal(`${JSON.stringify(contracts, null, "\t")}\n`, answers[0]!.stdout);
  assertSameList(await listed(dir), answers[1]!.stdout);
  await assertSameVocabulary(dir, answers[2]!.stdout);
  const hint = { rune: "hint", universal: true };
  assert.deepEqual(bare(await callTool(dir, referenceTool, hint)), JSON.parse(answers[3]!.stdout));
  const { text: one } = await callTool(dir, referenceTool, { ...hint, format: "markdown" });
  assert.equal(`${one}\n`, answers[4]!.stdout);
  const json = await callTool(dir, referenceTool, { detail: "full" });
  const markdown = await callTool(dir, referenceTool, { detail: "full", format: "markdown" });
  const runes: Record<string, unknown>[] = json.runes;
  const theirs = JSON.parse(await Deno.readTextFile(`${dir}/reference.json`));
  let text = await Deno.readTextFile(`${dir}/reference.md`);
  assert.equal(runes.length, theirs.length);
  for (const [index, { exampleNote, ...rune }] of runes.entries()) {
    const { example } = theirs[index];
    if (exampleNote === undefined) {
      assert.deepEqual(rune, theirs[index]);
      continue;
    }
    // An example of the package that does not work is replaced.
    assert.notEqual(rune["example"], example);
    assert.deepEqual(rune, { ...theirs[index], example: rune["example"] });
    text = text.replace(String(example), () => String(rune["example"]));
  }
  assert.equal(String(markdown["text"]).split("\n## Notes on the examples")[0], text);
});

/** The CLI says no values of universal attributes. */
function bare(reference: Record<string, unknown>): Record<string, unknown> {
  const attributes = reference["attributes"] as { universal: string[] };
  const universal = attributes.universal.map((text) => text.split("=")[0]);
  return { ...reference, attributes: { ...attributes, universal } };
}

function assertSameList(ours: Listed[], printed: string): void {
  const theirs = JSON.parse(printed) as Listed[];
  assert.deepEqual(
    ours.map(({ name, aliases, description }) => ({ name, aliases, description })),
    theirs.map(({ name, aliases, description }) => ({ name, aliases, description })),
  );
}

/** Compares runes by package, with names and purposes. */
async function assertSameVocabulary(dir: string, printed: string): Promise<void> {
  const ours = await callTool(dir, referenceTool);
  const signatures = ours["signatures"] as Record<string, string[]>;
  const groups = JSON.parse(printed) as { plugin: string; runes: Listed[] }[];
  assert.deepEqual(Object.keys(signatures).sort(), groups.map(({ plugin }) => plugin).sort());
  for (const { plugin, runes } of groups) {
    const names = signatures[plugin]!.map((line) => /^[\w|-]+/.exec(line)![0]);
    assert.deepEqual(
      names.sort(),
      runes.map(({ name, aliases }) => [name, ...aliases].join("|")).sort(),
    );
    for (const { name, description } of runes) {
      const line = signatures[plugin]!.find((each) => each.split(/[|(:]/)[0] === name)!;
      assert.ok(line.includes(description.slice(0, 20)), line);
    }
  }
}
