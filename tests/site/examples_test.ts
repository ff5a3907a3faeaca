/** The example projects do what they are there to show. */

import assert from "node:assert/strict";
import { join } from "node:path";
import Markdoc from "@markdoc/markdoc";
import { createSiteCache } from "../../src/site/engine/site_cache.ts";
import { TRUSTING } from "../support/calls.ts";
import { openProject } from "../../src/project/project.ts";
import { readTree } from "../support/project.ts";
import { ROOT } from "../support/server.ts";

const SITES: Record<string, Record<string, string>> = {
  "site": { main: "content" },
  "two-sites": { main: "main", blog: "blog" },
  "site-and-plan": { main: "content" },
};

for (const [example, sites] of Object.entries(SITES)) {
  Deno.test(`examples/${example} uses runes that its sites have, with attributes that they take`, async () => {
    const project = openProject(join(ROOT, "examples", example), TRUSTING);
    assert.deepEqual(project.warnings, []);
    assert.deepEqual(project.site?.names, Object.keys(sites));
    for (const [site, folder] of Object.entries(sites)) {
      const context = await createSiteCache().site(project, site);
      assert.deepEqual(context.failures, []);
      for (const [file, text] of Object.entries(readTree(join(project.cwd, folder)))) {
        for (const node of Markdoc.parse(text).walk()) {
          if (node.type !== "tag") continue;
          const name = context.names.get(node.tag!);
          assert.ok(name !== undefined, `${file}: ${node.tag}`);
          const known = Object.keys(context.runes[name]!.schema.attributes ?? {});
          for (const attribute of Object.keys(node.attributes)) {
            assert.ok(known.includes(attribute), `${file}: ${node.tag} ${attribute}`);
          }
        }
      }
    }
  });
}

Deno.test("the example with a local rune and an alias has both", async () => {
  const context = await createSiteCache().site(
    openProject(join(ROOT, "examples/site"), TRUSTING),
    undefined,
  );
  assert.equal(context.names.get("tip"), "hint");
  assert.equal(context.source["tide"], "local");
});

Deno.test("the example with a plan has one", () => {
  const project = openProject(join(ROOT, "examples/site-and-plan"));
  assert.equal(project.plan?.fileCount, 7);
});
