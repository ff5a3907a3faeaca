import assert from "node:assert/strict";
import { configFindings } from "../../../src/cli/doctor/config.ts";
import { openProject } from "../../../src/project/project.ts";
import { makeProject } from "../../support/project.ts";
import { copyExample } from "../../support/run.ts";

async function hints(config: unknown, files: Record<string, string> = {}): Promise<string[]> {
  const cwd = makeProject({ "refrakt.config.json": JSON.stringify(config), ...files });
  const findings = await configFindings(openProject(cwd));
  assert.ok(findings.every(({ status }) => status === "problem"));
  return findings.map(({ message, hint }) => `${message}. ${hint}`);
}

const CONTENT = { "content/index.md": "# Hello\n" };

Deno.test("a misspelt key is named with the right one, wherever it stands", async () => {
  const found = await hints({
    plna: { dir: "plan" },
    plan: { dri: "plan" },
    site: { contentDir: "./content", theem: "@refrakt-md/lumina", plugin: [] },
  }, CONTENT);
  assert.deepEqual(found.map((text) => /key "([^"]+)".*mean "([^"]+)"/.exec(text)!.slice(1)), [
    ["plna", "plan"],
    ["plan.dri", "plan.dir"],
    ["site.theem", "site.theme"],
    ["site.plugin", "site.plugins"],
  ]);
  const sites = await hints({ sites: { blog: { contnetDir: "x" } } });
  assert.match(sites[0]!, /"sites\.blog\.contnetDir".*"sites\.blog\.contentDir"/);
});

Deno.test("a misspelt theme or plugin is named with the right one", async () => {
  const found = await hints({
    site: {
      contentDir: "./content",
      theme: "@refrakt-md/lumnia",
      plugins: ["@refrakt-md/marketting"],
    },
  }, CONTENT);
  assert.match(found[0]!, /The plugin "@refrakt-md\/marketting" .*mean "@refrakt-md\/marketing"/);
  assert.match(
    found[1]!,
    /The theme of site "main", "@refrakt-md\/lumnia" .*mean "@refrakt-md\/lumina"/,
  );
  const own = await hints({ plugins: ["@team/run", "ralf"] }, {
    "package.json": JSON.stringify({ dependencies: { "@team/runes": "1.0.0" } }),
  });
  assert.match(own[0]!, /"@team\/run" .*mean "@team\/runes"/);
  assert.match(own[1]!, /"ralf" .*mean "ralph"/);
});

Deno.test("a content folder that is not there is named with its neighbour", async () => {
  const [found] = await hints(
    { site: { contentDir: "./contnet", theme: "@refrakt-md/lumina" } },
    CONTENT,
  );
  assert.match(
    found!,
    /content folder of site "main" is not there: \.\/contnet\. Did you mean "content"/,
  );
});

Deno.test("what is merely unknown, and the examples, are left alone", async () => {
  assert.deepEqual(await hints({ somethingNew: 1, plugins: ["@other/tool"] }), []);
  for (const example of ["plan", "site", "two-sites", "site-and-plan"]) {
    assert.deepEqual(await configFindings(openProject(copyExample(example))), [], example);
  }
});
