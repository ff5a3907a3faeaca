import assert from "node:assert/strict";
import { isDownloaded } from "../../../src/npm/from_npm.ts";
import { packageVersion } from "../../../src/npm/versions.ts";
import { openProject, type Project } from "../../../src/project/project.ts";
import { isAtHand } from "../../../src/site/engine/at_hand.ts";
import { createEngine } from "../../../src/site/engine/mod.ts";
import { DOCS, MARKETING, project } from "../projects.ts";

/** A version that nothing else in these tests downloads. */
const OTHER = "0.24.5";

const siteWith = (plugins: string[], range: string): Project =>
  openProject(project({ site: { contentDir: ".", plugins } }, {
    "package.json": JSON.stringify({ dependencies: { [DOCS]: range } }),
  }));

Deno.test("what is done in advance downloads no plugin of a site", async () => {
  const channels = { signal: new AbortController().signal, progress: () => {} };
  // The packages that the other tests stand on are there.
  const usual = siteWith([MARKETING], "0.25.1");
  await createEngine().run("inspectRune", usual, { rune: "hero" }, channels);
  assert.equal(await isAtHand(usual, "main"), true);
  assert.equal(await isAtHand(siteWith([], "0.25.1"), "main"), true);

  const core = packageVersion(usual, "@refrakt-md/runes");
  const other = siteWith([MARKETING, DOCS], OTHER);
  // Somebody's cache may have it all the same.
  const before = await isDownloaded(packageVersion(other, DOCS), core);
  assert.equal(await isAtHand(other, "main"), before);
  await createEngine().run("warm", other, {}, channels);
  assert.equal(await isDownloaded(packageVersion(other, DOCS), core), before);
  assert.equal(await isDownloaded(packageVersion(usual, MARKETING), core), true);
});
