/** What a site contributes is known before anything of it is loaded. */

import assert from "node:assert/strict";
import { siteContributor } from "../../src/site/mod.ts";
import { openProject } from "../../src/project/project.ts";
import { project } from "./projects.ts";
import { engine } from "./tools.ts";

Deno.test("every tool of a site declares what it answers, and that it stays within the project", async () => {
  const dir = project({ site: { contentDir: "." } });
  const { tools } = await siteContributor(engine)(openProject(dir));
  for (const { name, output, annotations } of tools!) {
    assert.ok(output !== undefined, name);
    assert.equal(annotations.openWorldHint, false, name);
    // Importing a package runs it; the others only look.
    assert.equal(annotations.readOnlyHint ?? false, name !== "refrakt.package_validate", name);
  }
});
