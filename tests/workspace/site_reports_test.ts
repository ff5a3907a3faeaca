import assert from "node:assert/strict";
import { openProject, type Project, type Warning } from "../../src/project/project.ts";
import { clientOf, inProcess, type SiteEngine } from "../../src/site/engine/client.ts";
import { siteReports } from "../../src/workspace/site_reports.ts";
import { makeProject } from "../support/project.ts";

/** A project with these sites; nothing of them is loaded unless the engine is asked. */
function projectWith(...sites: string[]): Project {
  const site = { contentDir: "content", theme: "@made-up/theme", target: "html" };
  return openProject(makeProject({
    "refrakt.config.json": JSON.stringify({
      sites: Object.fromEntries(sites.map((name) => [name, site])),
    }),
    "content/index.md": "# One\n",
  }));
}

/** An engine that answers each question for a site so. */
const answering = (answer: (site: string) => unknown) => {
  const asked: string[] = [];
  const engine = clientOf((_method, input) => {
    const { site } = input as { site: string };
    asked.push(site);
    return Promise.resolve(answer(site)) as never;
  });
  return { asked, engine };
};

const broken = (...names: string[]) =>
  names.map((name) => ({
    name,
    role: "runes" as const,
    problem: `${name} is not installed`,
    hint: `Install it (npm install --save-dev ${name}).`,
  }));

const ask = (engine: SiteEngine, project: Project) =>
  siteReports(engine, project, performance.now());

Deno.test("packages that fail for one reason are one warning, with the names of the sites", async () => {
  const names = ["business", "design", "learning", "media", "places", "storytelling"]
    .map((name) => `@refrakt-md/${name}`);
  const { engine, asked } = answering((site) => ({
    site,
    packages: [
      ...broken(...site === "docs" ? names.slice(0, 1) : names),
      { name: "@refrakt-md/runes", role: "core", version: "0.25.1" },
      { name: "@acme/x", role: "runes", problem: "Cannot load @acme/x@1.0.0: it is broken" },
    ],
  }));
  const project = projectWith("docs", "main");
  const { sites, warnings } = await ask(engine, project);
  assert.deepEqual(sites!.map(({ site }) => site), ["docs", "main"]);
  const [{ message, hint = "" }, other, ...rest] = warnings as [Warning, Warning];
  assert.match(message, /^Sites docs, main: 6 packages cannot be loaded \(@refrakt-md\/business, /);
  assert.match(message, /: each is not installed$/);
  assert.match(
    hint,
    /npm install --save-dev @refrakt-md\/business @refrakt-md\/design .*telling\)/,
  );
  assert.ok(message.length + hint.length < 500);
  assert.equal(other.message, "Sites docs, main: Cannot load @acme/x@1.0.0: it is broken");
  assert.deepEqual(rest, []);
  assert.deepEqual((await ask(engine, project)).warnings, warnings);
  assert.deepEqual(asked, ["docs", "main"], "each site is tried once for a state of the project");
});

Deno.test("an engine that fails is a problem of that site, and one that is busy is not waited for", async () => {
  const { engine } = answering((site) => {
    if (site === "docs") throw new Error("It cannot start");
    return new Promise(() => {});
  });
  const { sites, warnings } = await ask(engine, projectWith("docs", "main"));
  assert.deepEqual(sites, [{ site: "docs", problem: "It cannot start" }, { site: "main" }]);
  assert.deepEqual(warnings.map(({ code, message }) => [code, message]), [
    ["PLUGINS_LOADING", "Still being loaded: the packages of site main"],
    ["SITE_BROKEN", "Site docs: It cannot start"],
  ]);
});

Deno.test("a project without sites has none, and asks no engine", async () => {
  const project = openProject(makeProject());
  assert.deepEqual(await ask(inProcess(), project), { sites: null, warnings: [] });
});
