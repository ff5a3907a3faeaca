import assert from "node:assert/strict";
import { openProject, type Project, type Warning } from "../../src/project/project.ts";
import { clientOf, inProcess, type SiteEngine } from "../../src/site/engine/client.ts";
import { siteReports } from "../../src/workspace/site_reports.ts";
import { makeProject } from "../support/project.ts";

/** A project with these sites, which are not loaded. */
function projectWith(...sites: string[]): Project {
  const site = { contentDir: "content", theme: "@made-up/theme", target: "html" };
  return openProject(makeProject({
    "refrakt.config.json": JSON.stringify({
      sites: Object.fromEntries(sites.map((name) => [name, site])),
    }),
    "content/index.md": "# One\n",
  }));
}

/** An engine with this answer for each site. */
const answering = (answer: (site: string) => unknown) => {
  const asked: string[] = [];
  const engine = clientOf((_method, input) => {
    const { site } = input as { site: string };
    asked.push(site);
    return Promise.resolve(answer(site)) as never;
  });
  return { asked, engine };
};

const ask = (engine: SiteEngine, project: Project) =>
  siteReports(engine, project, performance.now());

Deno.test("sites with the same problem share a warning, and known problems of a single site are omitted", async () => {
  const packages = [{
    name: "@acme/x",
    role: "runes",
    problem: "@acme/x is broken",
    hint: "Mend it",
  }];
  const { engine, asked } = answering((site) => ({ site, packages }));
  const project = projectWith("docs", "main");
  const { warnings } = await ask(engine, project);
  const message = "Sites docs, main: @acme/x is broken";
  assert.deepEqual(warnings, [{ code: "SITE_BROKEN", message, hint: "Mend it" }]);
  assert.deepEqual((await ask(engine, project)).warnings, warnings);
  assert.deepEqual(asked, ["docs", "main", "docs", "main"], "what is broken is tried again");
  const told: Warning = { code: "PLUGIN_LOAD_FAILED", message: "Broken", package: "@acme/x" };
  const single = await siteReports(engine, projectWith("main"), performance.now(), [told]);
  assert.deepEqual(single.warnings, []);
});

Deno.test("a failing engine is a problem of that site, and a busy one does not delay the report", async () => {
  const { engine } = answering((site) => {
    if (site === "docs") throw new Error("It cannot start");
    return new Promise(() => {});
  });
  const { sites, warnings } = await ask(engine, projectWith("docs", "main"));
  assert.deepEqual(sites, [{ site: "docs", problem: "It cannot start" }, { site: "main" }]);
  assert.deepEqual(warnings.map(({ code, message }) => [code, message]), [
    ["PLUGINS_LOADING", "Still loading: the packages of site main"],
    ["SITE_BROKEN", "Site docs: It cannot start"],
  ]);
});

Deno.test("a project without sites does not use the engine", async () => {
  const project = openProject(makeProject());
  assert.deepEqual(await ask(inProcess(), project), { sites: null, warnings: [] });
});
