/** The pipeline of a site may only read the project. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { commitAll, exists, makeProject, readTree, SMALL_PLAN } from "../../support/project.ts";
import { README_PERMISSIONS, withServer } from "../../support/server.ts";
import { NOT_UNIX, testUnless } from "../../support/skip.ts";
import { LUMINA, PLAN, project } from "./projects.ts";

const PAGE = `# Plan

{% plan-history id="WORK-001" /%}

{% xref "WORK-001" /%}
`;

testUnless(NOT_UNIX, "rendering a site with a plan runs no git and changes no file", async () => {
  const tools = makeProject();
  const mark = join(tools, "ran");
  // Deno runs the first git on PATH.
  Deno.writeTextFileSync(join(tools, "git"), `#!/bin/sh\ntouch "${mark}"\n`, { mode: 0o755 });
  const dir = project({
    site: { contentDir: "./content", theme: LUMINA, plugins: [PLAN] },
    plan: { dir: "plan" },
  }, { "content/index.md": PAGE, ...SMALL_PLAN });
  commitAll(dir, "one");
  const before = readTree(dir);
  await withServer(dir, async ({ ok }) => {
    const { leftOut, diagnostics } = await ok("refrakt_render", { path: "content/index.md" });
    assert.ok(leftOut.some((each: string) => /^git: .*history of plan entities/.test(each)));
    assert.ok(!JSON.stringify(diagnostics).includes("git"), JSON.stringify(diagnostics));
    await ok("refrakt_render", { path: "content/index.md", format: "html" });
    await ok("refrakt_check", {});
  }, {
    grants: README_PERMISSIONS,
    // Without it, the program asks git for the key of what it keeps.
    args: ["--no-cache"],
    env: { PATH: `${tools}:${Deno.env.get("PATH")}` },
  });
  assert.deepEqual(readTree(dir), before);
  assert.ok(!exists(mark), "git ran");
});
