import assert from "node:assert/strict";
import { openProject } from "../../../src/host/open_project.ts";
import { chooseSite, siteWith } from "../../../plugins/site/sites.ts";
import { RefraktError } from "../../../src/errors.ts";
import { makeProject } from "../../support/project.ts";

const project = (config: unknown) =>
  openProject(makeProject({
    "refrakt.config.json": JSON.stringify(config),
    "content/index.md": "# Home\n",
  }));
const SITE = { contentDir: "./content", theme: "@refrakt-md/lumina" };

Deno.test("the three forms of a config declare the same site", () => {
  for (const config of [{ site: SITE }, { sites: { main: SITE } }, SITE]) {
    const { site, warnings } = project(config);
    assert.deepEqual([site!.names, warnings], [["main"], []]);
    assert.equal(site!.sites.get("main")!.raw["contentDir"], "./content");
  }
});

Deno.test("invalid sites cause a warning, and there is no site", () => {
  const cases = [
    [{ site: SITE, sites: { a: SITE } }, /both "site" and "sites"/],
    [{ sites: {} }, /declares no site/],
    [{ site: "x" }, /must be an object/],
  ] as const;
  for (const [config, pattern] of cases) {
    const { site, warnings } = project(config);
    assert.equal(site, null);
    assert.match(warnings[0]!.message, pattern);
  }
  assert.equal(project({ plan: {}, plugins: ["a"] }).site, null);
});

Deno.test("chooseSite() requires a name only if there are several sites", () => {
  assert.equal(chooseSite(project({ site: SITE }), undefined).name, "main");
  const several = project({ sites: { main: SITE, blog: SITE } });
  assert.equal(chooseSite(several, "blog").name, "blog");
  const wanteds = [
    [undefined, "SITE_AMBIGUOUS"],
    ["blgo", "SITE_UNKNOWN"],
    ["constructor", "SITE_UNKNOWN"],
    ["__proto__", "SITE_UNKNOWN"],
  ] as const;
  for (const [wanted, code] of wanteds) {
    assert.throws(() => chooseSite(several, wanted), (error) => {
      assert.ok(error instanceof RefraktError && error.code === code);
      return error.hint!.includes('"main", "blog"');
    });
  }
  assert.throws(() => chooseSite(project({}), undefined), { code: "SITE_CONFIG_MISSING" });
});

Deno.test("a path tells the site whose content folder alone has it", () => {
  const blog = { ...SITE, contentDir: "content/blog" };
  const docs = { ...SITE, contentDir: "./docs" };
  const several = project({ sites: { main: SITE, blog, docs } });
  assert.equal(siteWith(several, "docs/a.md"), "docs");
  assert.equal(siteWith(several, "content/index.md"), "main");
  for (const path of ["content/blog/a.md", "elsewhere.md", "../docs/a.md", "/docs/a.md"]) {
    assert.equal(siteWith(several, path), undefined);
  }
});
