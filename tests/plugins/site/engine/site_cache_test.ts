/** How a site is chosen, assembled and reloaded. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { openProject } from "../../../../src/host/open_project.ts";
import { callTool, errorOf } from "../../../support/calls.ts";
import { coreSite, PLAIN_RUNE, project } from "../projects.ts";
import { inspectTool, referenceTool } from "../tools.ts";

const inspect = (dir: string, input: Record<string, unknown>) => callTool(dir, inspectTool, input);
Deno.test("six missing plugins are one message, also for one of their runes", async () => {
  const plugins = ["amber", "beryl", "coral", "dune", "ember", "fern"].map((name) =>
    `@acme/${name}`
  );
  const dir = project({ site: { contentDir: ".", plugins } });
  const line = `6 plugins cannot be loaded: ${plugins.join(", ")}`;
  const { warnings } = await inspect(dir, { rune: "hint" });
  assert.deepEqual(warnings, [`${line}. refrakt_detect has each reason.`]);
  const { message, hint } = await errorOf(inspect(dir, { rune: "hero" }));
  assert.equal(message, `Unknown rune "hero", and not everything could be loaded: ${line}`);
  assert.match(hint!, /^refrakt_detect has each reason/);
});

Deno.test("names without refrakt's scope get a suggestion with the scope", async () => {
  const dir = project({
    site: { contentDir: ".", theme: "lumina", plugins: ["marketing", "docs"] },
  });
  const theme = await errorOf(inspect(dir, { rune: "hint", theme: "lumina" }));
  assert.equal(theme.code, "PLUGIN_LOAD_FAILED");
  assert.match(theme.hint!, /^Did you mean "@refrakt-md\/lumina"\?/);
  const { warnings } = await inspect(dir, { rune: "hint" });
  assert.match(String(warnings), /Did you mean "@refrakt-md\/marketing", "@refrakt-md\/docs"\?/);
  for (const { hint } of openProject(dir).warnings) {
    assert.match(hint!, /^Did you mean "@refrakt-md/);
  }
});

Deno.test("conflicting runes are a config error", async () => {
  const clash = coreSite({ runes: { aliases: { hint: "details" } } });
  const nowhere = coreSite({ runes: { aliases: { tip: "nothing" } } });
  for (const dir of [clash, nowhere]) {
    const error = await errorOf(inspect(dir, { rune: "hint" }));
    assert.equal(error.code, "CONFIG_INVALID");
    assert.ok(error.hint !== undefined);
  }
});

Deno.test("a local rune is read again when it or its import changes", async () => {
  const rune = `import { word } from "./words.ts";
export const transform = {
  attributes: {},
  transform: () => ({ $$mdtype: "Tag", name: "b", attributes: { "data-rune": "mood" }, children: [word] }),
};`;
  const dir = coreSite({ runes: { local: { mood: "./runes/mood.ts" } } }, {
    "runes/mood.ts": rune,
    "runes/words.ts": "export const word: string = 'calm';",
  });
  const html = async () => String((await inspect(dir, { rune: "mood" }))["html"]);
  assert.match(await html(), />calm</);
  await Deno.writeTextFile(join(dir, "runes/words.ts"), "export const word: string = 'lively';");
  assert.match(await html(), />lively</);
  await Deno.writeTextFile(join(dir, "runes/mood.ts"), rune.replace('"b"', '"strong"'));
  assert.match(await html(), /<strong/);
  assert.equal((await callTool(dir, referenceTool, { rune: "mood" }))["plugin"], "local");
});

Deno.test("local runes may import each other", async () => {
  const dir = coreSite({ runes: { local: { mood: "./mood.mjs" } } }, {
    "mood.mjs": `import { word } from "./other.mjs";\nexport const tag = "b";\n` +
      PLAIN_RUNE.replace('name: "aside"', "name: word()"),
    "other.mjs": `import { tag } from "./mood.mjs";\nexport const word = () => tag;`,
  });
  assert.match(String((await inspect(dir, { rune: "mood" }))["html"]), /<b data-rune="mood"/);
});

Deno.test("a local rune keeps its strings, comments and templates that look like imports", async () => {
  const dir = coreSite({ runes: { local: { mood: "./mood.mjs" } } }, {
    "mood.mjs": `// import "../outside.js"
/* don't import '../outside.js' */
const quote = /["'\`/]/; const half = 4 / 2;
const find = (text) => { if (text) return 1; else return /'/.test(text); };
const kept = "import './util.mjs'" + ' from "./util.mjs"' + \`import "./util.mjs" \${half} x\`;
export { word as again } from "./util.mjs";
import { word } from "./util.mjs";
if (kept !== "import './" + "util.mjs' from \\"./util.mjs\\"import \\"./" + "util.mjs\\" 2 x") throw kept;
if (!import.meta.url.startsWith("file:")) throw word;
if (!quote.test("/")) throw quote;
` + PLAIN_RUNE.replace('name: "aside"', "name: word"),
    "util.mjs": `export const word = "b";`,
  });
  assert.match(String((await inspect(dir, { rune: "mood" }))["html"]), /<b data-rune="mood"/);
});

Deno.test("a broken, missing or outside local rune is a warning, and an error if requested", async () => {
  const paths = ["./broken.js", "./missing.js", "../x.js", "./bare.js"];
  const [broken, missing, outside, bare] = paths;
  const local = { broken, missing, outside, odd: 7, bare };
  const dir = coreSite({ runes: { local } }, {
    "broken.js": "export const transform = ;",
    "bare.js": "export const nothing = 1;",
  });
  const { warnings } = await inspect(dir, { rune: "hint" });
  assert.equal(warnings.length, 5);
  for (const rune of Object.keys(local)) {
    const error = await errorOf(inspect(dir, { rune }));
    assert.equal(error.code, "PLUGIN_LOAD_FAILED", rune);
    assert.ok(error.message.includes(`Local rune "${rune}"`));
    assert.ok(!error.message.includes("blob:"));
  }
  await Deno.writeTextFile(join(dir, "missing.js"), PLAIN_RUNE);
  assert.equal((await inspect(dir, { rune: "missing" }))["rune"], "missing");
});
