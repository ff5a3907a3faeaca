/** Texts can be extracted where the packages know how. */

import assert from "node:assert/strict";
import { siteContributor } from "../../src/site/mod.ts";
import { openProject } from "../../src/project/project.ts";
import { project } from "./projects.ts";
import { engine } from "./tools.ts";

Deno.test("i18n_extract is there from 0.29 on", async () => {
  const names = async (version: string) => {
    const dir = project({ site: { contentDir: "." } }, {
      "package.json": JSON.stringify({ devDependencies: { "@refrakt-md/cli": version } }),
    });
    return (await siteContributor(engine)(openProject(dir))).tools!.map((tool) => tool.name);
  };
  assert.ok(!(await names("0.28.3")).includes("refrakt.i18n_extract"));
  for (const version of ["0.29.0", "^0.31.0", "1.0.0"]) {
    assert.ok((await names(version)).includes("refrakt.i18n_extract"), version);
  }
});
