/** Pages are cached: a change of anything that a page reads is seen all the same. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { entity } from "../../support/project.ts";
import { FROM_DISK, publish } from "../../support/published.ts";
import { testUnless } from "../../support/skip.ts";
import { installPacked, NOT_PACKED } from "../../support/upstream.ts";
import { PLAN, project } from "../projects.ts";

const page = (title: string, body: string) => `---\ntitle: ${title}\n---\n# ${title}\n\n${body}\n`;

// Older versions than 0.26 process every page for each call.
testUnless(NOT_PACKED, "a page is processed again if something that it reads changed", async () => {
  const packages = ["runes", "content", "transform", "plan"].map((
    name,
  ) => [`@refrakt-md/${name}`, "0.29.0"]);
  const config = {
    site: { contentDir: "./content", plugins: [PLAN], repoUrl: "https://github.com/o/r" },
    plan: { dir: "plan" },
  };
  const cwd = project(config, {
    "package.json": JSON.stringify({ devDependencies: Object.fromEntries(packages) }),
    "content/index.md": page(
      "Home",
      '{% nav %}\n- guide\n{% /nav %}\n\n{% partial file="note.md" /%}\n\n' +
        '{% snippet path="code/a.ts" /%}\n\n{% expand "WORK-001" /%}\n\n' +
        'See {% file-ref path="code/c.ts" preview="drawer" /%}.',
    ),
    "content/guide.md": page("Guide", "Text."),
    "content/_partials/note.md": "First note.\n",
    "plan/work/WORK-001.md": entity("work", { id: "WORK-001", status: "ready" }, "Dredge", "Deep."),
    "code/a.ts": "const first = 1;\n",
    "code/c.ts": "const shallow = 1;\n",
  });
  await installPacked(cwd);
  await using server = await publish();
  await server.serve(cwd, FROM_DISK, async ({ ok }) => {
    const text = async () =>
      (await ok("refrakt.render", { path: "content/index.md", format: "text" })).text as string;
    const findings = async () => JSON.stringify((await ok("refrakt.check")).groups);
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
    ];
    for (const [file, from, to] of steps) {
      const path = join(cwd, file);
      Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replaceAll(from, () => to));
      const now = await text();
      assert.match(now, new RegExp(to), `${file}\n${now}`);
    }
    assert.equal(await findings(), "[]");
    Deno.renameSync(join(cwd, "code/a.ts"), join(cwd, "code/b.ts"));
    assert.match(await findings(), /code\/a\.ts/);
  });
});
