/** Pages are cached: a change of anything that a page reads is seen all the same. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { lab, LAB_VERSION } from "../../../support/lab.ts";
import { linkTree } from "../../../support/link_tree.ts";
import { entity } from "../../../support/project.ts";
import { publish, TRUSTED } from "../../../support/published.ts";
import type { Session } from "../../../support/server.ts";
import { testUnless } from "../../../support/skip.ts";
import { installPacked, NOT_PACKED } from "../../../support/upstream.ts";
import { PLAN, project } from "../projects.ts";

const page = (title: string, body: string) => `---\ntitle: ${title}\n---\n# ${title}\n\n${body}\n`;

const RUNE = `export const transform = { transform: () => ({
  $$mdtype: "Tag", name: "p", attributes: {}, children: ["Calm."] }) };`;

const theme = (tint: string) =>
  `export const themeConfig = { prefix: "rf", tokenPrefix: "--rf", icons: {}, runes: {},
  tints: { ${tint}: {} } };`;

/** A way to install the packages of a version. */
type Install = (cwd: string) => Promise<void>;

const VERSIONS: readonly (readonly [version: string, skip: string | undefined, Install])[] = [
  ["0.29.0", NOT_PACKED, installPacked],
  // It reads files through `node:fs` rather than `ProjectFiles`.
  [LAB_VERSION, undefined, async (cwd) => {
    linkTree(join(await lab(), "node_modules"), join(cwd, "node_modules"), () => true);
  }],
];

for (const [version, skip, install] of VERSIONS) {
  const name = `a page is processed again if something that it reads changed, with ${version}`;
  testUnless(skip, name, () => followsChanges(version, install));
}

async function followsChanges(version: string, install: Install) {
  const packages = ["runes", "content", "transform", "plan"].map((
    name,
  ) => [`@refrakt-md/${name}`, version]);
  const config = {
    site: {
      contentDir: "./content",
      theme: "./theme.js",
      // One that is missing must not keep the site from being cached, or from following changes.
      plugins: [PLAN, "@refrakt-md/no-such-package"],
      repoUrl: "https://github.com/o/r",
      runes: { local: { mood: "./mood.js" } },
    },
    plan: { dir: "plan" },
    variables: { port: "Aby" },
  };
  const cwd = project(config, {
    "package.json": JSON.stringify({ devDependencies: Object.fromEntries(packages) }),
    "mood.js": RUNE,
    "theme.js": theme("warm"),
    "content/_layout.md": '{% layout %}\n{% region name="footer" %}\n[Guide](/guide)\n' +
      "{% /region %}\n{% /layout %}\n",
    "content/tinted.md": page("Tinted", '{% hint tint="warm" %}\nText.\n{% /hint %}'),
    "content/index.md": page(
      "Home",
      '{% nav %}\n- guide\n{% /nav %}\n\n{% partial file="note.md" /%}\n\n' +
        '{% snippet path="code/a.ts" /%}\n\n{% expand "WORK-001" /%}\n\n' +
        'See {% file-ref path="code/c.ts" preview="drawer" /%} {% $port %}.\n\n{% mood /%}',
    ),
    "content/guide.md": page("Guide", "Text."),
    "content/_partials/note.md": "First note.\n",
    "plan/work/WORK-001.md": entity("work", { id: "WORK-001", status: "ready" }, "Dredge", "Deep."),
    "code/a.ts": "const first = 1;\n",
    "code/c.ts": "const shallow = 1;\n",
  });
  await install(cwd);
  await using server = await publish();
  const serve = (test: (session: Session) => Promise<void>) => server.serve(cwd, TRUSTED, test);
  const answers = async ({ ok }: Session) =>
    JSON.stringify([
      await ok("refrakt_render", { path: "content/index.md", format: "html" }),
      await ok("refrakt_check"),
    ]);
  await serve(async (session) => {
    const { ok } = session;
    const text = async () =>
      (await ok("refrakt_render", { path: "content/index.md", format: "text" })).text as string;
    const findings = async () => JSON.stringify((await ok("refrakt_check")).groups);
    assert.match(await text(), /^Home\nGuide\nFirst note\.\nconst first/);
    const steps: [file: string, from: string, to: string][] = [
      ["code/a.ts", "first", "second"],
      ["content/_partials/note.md", "First note", "Last note"],
      ["plan/work/WORK-001.md", "Deep", "Deeper"],
      // Only the last pass reads it.
      ["code/c.ts", "shallow", "profound"],
      // The navigation of another page shows the title.
      ["content/guide.md", "Guide", "Handbook"],
      ["content/index.md", "Home", "House"],
      ["mood.js", "Calm", "Lively"],
      ["refrakt.config.json", "Aby", "Vik"],
    ];
    for (const [file, from, to] of steps) {
      const path = join(cwd, file);
      Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replaceAll(from, () => to));
      const now = await text();
      assert.match(now, new RegExp(to), `${file}\n${now}`);
    }
    Deno.renameSync(join(cwd, "code/a.ts"), join(cwd, "code/b.ts"));
    assert.match(await findings(), /code\/a\.ts/);
    assert.doesNotMatch(await findings(), /Unknown tint|_layout\.md/);
    Deno.writeTextFileSync(join(cwd, "theme.js"), theme("cool"));
    assert.match(await findings(), /Unknown tint \\"warm\\"/);
    const layout = join(cwd, "content/_layout.md");
    Deno.writeTextFileSync(layout, Deno.readTextFileSync(layout).replace("/guide", "/gone"));
    assert.match(await findings(), /_layout\.md/);
    const kept = await answers(session);
    // npm removes packages before it writes them again.
    const modules = join(cwd, "node_modules");
    Deno.renameSync(modules, `${modules}.aside`);
    assert.equal(await answers(session), kept);
    Deno.renameSync(`${modules}.aside`, modules);
    assert.equal(await answers(session), kept);
    await serve(async (fresh) => assert.equal(kept, await answers(fresh)));
  });
}
