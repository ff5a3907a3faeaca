import assert from "node:assert/strict";
import { openProject, type Project, type Warning } from "../../src/project/project.ts";
import type { SiteReport } from "../../src/tools/detection.ts";
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

/** An examination with this answer for each site. */
const answering = (answer: (site: string) => unknown) => {
  const asked: string[] = [];
  const examine = async (_project: Project, site: string) => {
    asked.push(site);
    return await answer(site) as SiteReport;
  };
  return { asked, examine };
};

type Examine = ReturnType<typeof answering>["examine"];

const ask = (examine: Examine, project: Project, known: readonly Warning[] = []) =>
  siteReports(project, performance.now(), known, examine);

Deno.test("sites with the same problem share a warning, and known problems of a single site are omitted", async () => {
  const packages = [{
    name: "@acme/x",
    role: "runes",
    problem: "@acme/x is broken",
    hint: "Mend it",
  }];
  const { examine, asked } = answering((site) => ({ site, packages }));
  const project = projectWith("docs", "main");
  const { warnings } = await ask(examine, project);
  const message = "Sites docs, main: @acme/x is broken";
  assert.deepEqual(warnings, [{ code: "SITE_BROKEN", message, hint: "Mend it" }]);
  assert.deepEqual((await ask(examine, project)).warnings, warnings);
  assert.deepEqual(asked, ["docs", "main", "docs", "main"], "what is broken is tried again");
  const told: Warning = { code: "PLUGIN_LOAD_FAILED", message: "Broken", package: "@acme/x" };
  const single = await ask(examine, projectWith("main"), [told]);
  assert.deepEqual(single.warnings, []);
});

Deno.test("a failing engine is a problem of that site, and a busy one does not delay the report", async () => {
  const { examine } = answering((site) => {
    if (site === "docs") throw new Error("It cannot start");
    return new Promise(() => {});
  });
  const { sites, warnings } = await ask(examine, projectWith("docs", "main"));
  assert.deepEqual(sites, [{ site: "docs", problem: "It cannot start" }, { site: "main" }]);
  assert.deepEqual(warnings.map(({ code, message }) => [code, message]), [
    ["PLUGINS_LOADING", "Still loading: the packages of site main"],
    ["SITE_BROKEN", "Site docs: It cannot start"],
  ]);
});

Deno.test("a project without sites does not use the engine", async () => {
  const project = openProject(makeProject());
  assert.deepEqual(await siteReports(project, performance.now()), { sites: null, warnings: [] });
});
