/** Compares rendered pages with the site's own build, byte for byte. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assertCodes, callTool, errorOf } from "../../../support/calls.ts";
import { installFromLab, lab } from "../../../support/lab.ts";
import { runProcess } from "../../../support/process.ts";
import { makeProject, readTree } from "../../../support/project.ts";
import { coreSite, LUMINA, project } from "../projects.ts";
import { renderTool } from "../tools.ts";

const ORACLE = fileURLToPath(new URL("../../../support/build_oracle.mjs", import.meta.url));
const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

interface Diagnostic {
  line?: number;
  column?: number;
  code: string;
  message: string;
}

type Rendered = Record<string, unknown> & { diagnostics: Diagnostic[] };

const render = (dir: string, input: Record<string, unknown>): Promise<Rendered> =>
  callTool(dir, renderTool, input);

interface Site {
  dir: string;
  contentDir: string;
  site?: string;
}

async function assertSameAsBuild(...sites: Site[]) {
  const wanted = sites.map(({ dir, site }) => site === undefined ? dir : `${dir}#${site}`);
  const run = await runProcess("node", [ORACLE, await lab(), ...wanted], ROOT);
  assert.equal(run.code, 0, run.stderr);
  const all: Record<string, string>[] = JSON.parse(run.stdout);
  for (const [index, { dir, contentDir, site }] of sites.entries()) {
    const built = all[index]!;
    const pages = Object.keys(readTree(join(dir, contentDir)))
      .filter((path) => path.endsWith(".md") && !/(^|\/)_(layout\.md|partials\/)/.test(path));
    assert.equal(pages.length, Object.keys(built).length);
    for (const path of pages) {
      const input = { path: `${contentDir}/${path}`, format: "html" };
      const { url, html } = await render(dir, site === undefined ? input : { ...input, site });
      assert.equal(html, built[String(url)], path);
    }
  }
}

/** A site of the project generator, with additions of a larger one. */
const SCAFFOLD = readTree(join(ROOT, "tests/fixtures/large_site"));

Deno.test("every page of a large site and of the examples equals its build", async () => {
  const grown = makeProject(SCAFFOLD);
  // The build only finds presets of tints in the project.
  await installFromLab(grown, LUMINA);
  // Copied out of the repository, so that both take dates from the disk.
  const example = (name: string) => makeProject(readTree(join(ROOT, "examples", name)));
  const two = example("two-sites");
  await assertSameAsBuild(
    { dir: grown, contentDir: "content" },
    { dir: example("site-and-plan"), contentDir: "content" },
    { dir: two, contentDir: "main", site: "main" },
    { dir: two, contentDir: "blog", site: "blog" },
  );
});

Deno.test("unsaved text renders in place of a page", async () => {
  const dir = makeProject(SCAFFOLD);
  const source = "---\ntitle: Draft\n---\n\n# Draft\n\n[Tides](/docs/tides) and [none](/nowhere)\n";
  const draft = await render(dir, { path: "content/docs/draft.md", source });
  assert.equal(draft.url, "/docs/draft");
  assert.deepEqual(draft.diagnostics.map(({ code, line, column }) => [code, line, column]), [
    ["link-broken", 7, 33],
  ]);
  const piece = await render(dir, { source: "{% hint %}\nShort.\n{% /hint %}", format: "text" });
  assert.deepEqual(piece.diagnostics, []);
  assert.match(String(piece.text), /Short\./);
  assert.equal((await errorOf(render(dir, { path: "docs/tides" }))).code, "NOT_FOUND");
  assert.equal((await render(dir, { path: "docs/01-tides" })).url, "/docs/tides");
});

Deno.test("the result names what the build adds to this page, and nothing that it adds to all", async () => {
  const dir = makeProject(SCAFFOLD);
  const { leftOut, theme } = await render(dir, { path: "index.md" });
  assert.equal(theme, LUMINA);
  assert.equal(leftOut, undefined);
  const dated = await render(dir, { source: "# Page\n\nChanged {% $file.modified %}\n" });
  assert.match(String(dated.leftOut), /^git: dates of files/);
  const routed = project({
    site: { contentDir: ".", entityRoutes: [{ type: "work", url: "/work/{id}/" }] },
  }, { "a.md": "# A\n\n[W](/work/WORK-001/)\n" });
  const with_ = await render(routed, { path: "a.md" });
  assert.deepEqual(with_.diagnostics, []);
});

Deno.test("a page that fails to render reports why and is still checked", async () => {
  const dir = coreSite({}, { "content/a.md": "# A\n\n{% error /%}\n\n{% hnt %}\n{% /hnt %}\n" });
  const { outline, diagnostics } = await render(dir, { path: "content/a.md" });
  assert.equal(outline, null);
  assert.equal(diagnostics[0]!.code, "render-failed");
  assert.ok(
    diagnostics.some(({ code, message }) => code === "rune-unknown" && /"hint"/.test(message)),
  );
});

Deno.test("pages outside the content folder and missing arguments are errors with a code", async () => {
  const dir = coreSite({}, { "content/a.md": "# A\n", "README.md": "# R\n" });
  await Deno.symlink("/etc/hostname", join(dir, "content/link.md"));
  await assertCodes((path: string | undefined) => render(dir, { path }), [
    ["README.md", "NOT_FOUND"],
    ["content/link.md", "PERMISSION_DENIED"],
    ["../x.md", "PERMISSION_DENIED"],
    ["content/b.md", "NOT_FOUND"],
    [undefined, "INVALID_ARGS"],
  ]);
  const none = coreSite({ contentDir: "./nothing" });
  assert.equal((await errorOf(render(none, { path: "a.md" }))).code, "NOT_FOUND");
});

Deno.test("the result says how many links, images and headings were checked", async () => {
  const dir = coreSite({}, {
    "content/index.md": "# Home\n\n[Guide](/guide) [gone](/gone) [far](https://example.com)\n\n" +
      "![Map](/map.png) ![Lost](/lost.png)\n\n### Deep\n",
    "content/guide.md": "# Guide\n",
    "static/map.png": "",
  });
  const { links, images, headings } = await callTool(dir, renderTool, { path: "content/index.md" });
  assert.deepEqual({ links, images, headings }, {
    links: { checked: 2, broken: 1, external: 1 },
    images: { checked: 2, broken: 1 },
    headings: { checked: 2, broken: 1 },
  });
  const { links: none } = await callTool(dir, renderTool, { source: "# Text\n" });
  assert.deepEqual(none, { checked: 0, broken: 0 });
});
