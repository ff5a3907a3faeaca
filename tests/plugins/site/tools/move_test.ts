/** `refrakt_move`: a page's new place, with every link from and to it. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { assertCodes, callTool, errorOf } from "../../../support/calls.ts";
import { writeFiles } from "../../../support/project.ts";
import { withServer } from "../../../support/server.ts";
import { coreSite } from "../projects.ts";
import { checkTool, moveTool } from "../tools.ts";

const PAGE = `---
title: The guide
image: ./cover.png
---

# The guide

[Here](#parts), [itself](/docs/guide#parts), [next](./next#a "Next"), [up](../about),
![A tree](cover.png) and [a file](next.md).

## Parts

\`[code](/docs/guide)\` stays.

[def]: ./next
`;

const LINKS = `# Links

[one](/docs/guide), [two](/docs/guide/?q=1#parts "T"), [three](<guide>), ![x](guide), [four][g]
\`[code](/docs/guide)\` [five](https://site.example/docs/guide#x) [not](/docs/guides)

{% hint %}
[in a rune](./guide#parts)
{% /hint %}

\`\`\`
[fence](/docs/guide)
\`\`\`

[g]: /docs/guide#parts
`;

const FILES = {
  "content/index.md": "---\ntitle: Home\n---\n\n[Guide](docs/guide)\n",
  "content/about.md": "# About\n",
  "content/old.md": "---\nredirect: /docs/guide\n---\n",
  "content/docs/_layout.md":
    '{% layout %}\n{% region name="nav" %}\n{% nav %}\n## Docs\n\n- guide\n- next\n{% /nav %}\n' +
    "{% /region %}\n{% /layout %}\n",
  "content/_partials/see.md": "See [the guide](/docs/guide).\n",
  "content/docs/guide.md": PAGE,
  "content/docs/next.md": "# Next\n\n## A\n\n[back](guide)\n",
  "content/docs/links.md": LINKS.replaceAll("\n", "\r\n"),
  "content/docs/cover.png": "png",
};

function site(): { cwd: string; read: (path: string) => string; all: () => string } {
  const cwd = coreSite({ baseUrl: "https://site.example" }, FILES);
  const read = (path: string) => Deno.readTextFileSync(join(cwd, path));
  return { cwd, read, all: () => Object.keys(FILES).map(read).join("\0") };
}

const move = (cwd: string, input: object) => callTool(cwd, moveTool, { ...input });
const PLACE = { path: "content/docs/guide.md", to: "content/start/intro.md" };

Deno.test("refrakt_move changes links from and to a page, and nothing else", async () => {
  const { cwd, read, all } = site();
  const before = all();
  const findings = async () => {
    const { groups } = await callTool(cwd, checkTool);
    return groups.map(({ code, count }: Record<string, unknown>) => [code, count]);
  };
  const broken = await findings();
  const preview = await move(cwd, { ...PLACE, preview: true });
  assert.equal(all(), before);
  const moved = await move(cwd, PLACE);
  const { back } = moved;
  assert.deepEqual({ ...preview, moved: true, back: { path: PLACE.to, to: PLACE.path } }, moved);
  assert.equal(moved.url, "/start/intro");
  assert.equal(read("content/index.md"), "---\ntitle: Home\n---\n\n[Guide](start/intro)\n");
  assert.equal(read("content/old.md"), "---\nredirect: /start/intro\n---\n");
  assert.match(read("content/docs/_layout.md"), /\n- \[The guide\]\(\/start\/intro\)\n- next\n/);
  assert.equal(read("content/_partials/see.md"), "See [the guide](/start/intro).\n");
  assert.equal(read("content/docs/next.md"), "# Next\n\n## A\n\n[back](../start/intro)\n");
  assert.equal(
    read("content/start/intro.md"),
    PAGE.replace("./cover.png", "../docs/cover.png")
      .replace("(/docs/guide#parts)", "(/start/intro#parts)")
      .replace("(./next#a", "(../docs/next#a").replace("(cover.png)", "(../docs/cover.png)")
      .replace("(next.md)", "(../docs/next.md)").replace("[def]: ./next", "[def]: ../docs/next"),
  );
  assert.equal(
    read("content/docs/links.md"),
    LINKS.replace("[one](/docs/guide)", "[one](/start/intro)")
      .replace("(/docs/guide/?q=1#parts", "(/start/intro/?q=1#parts")
      .replace("<guide>", "<../start/intro>")
      .replace("example/docs/guide#x", "example/start/intro#x")
      .replace("./guide#parts", "../start/intro#parts")
      .replace("[g]: /docs/guide", "[g]: /start/intro").replaceAll("\n", "\r\n"),
  );
  assert.deepEqual(moved.mentions, ["content/docs/guide.md:13", "content/docs/links.md:4,11"]);
  assert.deepEqual(await findings(), broken);
  // Back again, links are as before or mean the same, and the entry stays a link.
  await move(cwd, Object(back));
  assert.equal(
    all().replace("- [The guide](/docs/guide)", "- guide").replaceAll("../docs/", ""),
    before.replaceAll(/(?<!\.)\.\//g, ""),
  );
});

Deno.test("refrakt_move leaves a stub that a move back replaces, and renames by case", async () => {
  const { cwd, read, all } = site();
  const before = all();
  const to = "docs/Guide.md";
  const { moved, redirect, changes } = await move(cwd, { path: "docs/guide", to, redirect: true });
  assert.deepEqual([moved, redirect], [true, "content/docs/guide.md"]);
  assert.match(String(changes), /guide → Guide: .*content\/docs\/_layout.md:6/);
  const stub = '---\nredirect: "/docs/Guide"\n---\n';
  assert.equal(read("content/docs/guide.md"), stub);
  const back = { path: to, to: "docs/guide.md" };
  writeFiles(cwd, { "content/docs/guide.md": `${stub}\nMine.\n` });
  assert.equal((await errorOf(move(cwd, back))).code, "CONFLICT");
  writeFiles(cwd, { "content/docs/guide.md": stub });
  await move(cwd, back);
  assert.equal(all(), before);
  assert.ok(
    !Array.from(Deno.readDirSync(join(cwd, "content/docs"))).some((e) => e.name === "Guide.md"),
  );
});

Deno.test("refrakt_move refuses what no page can become, and changes nothing", async () => {
  const { cwd, all } = site();
  const before = all();
  await assertCodes((input: object) => move(cwd, { ...PLACE, ...input }), [
    [{ to: "content/docs/next.md" }, "CONFLICT"],
    [{ to: "content/about/index.md" }, "CONFLICT"],
    [{ to: "content/docs/guide.md" }, "INVALID_ARGS"],
    [{ to: "../out.md" }, "PERMISSION_DENIED"],
    [{ to: "content/_partials/guide.md" }, "INVALID_ARGS"],
    [{ path: "content/docs/_layout.md", to: "content/x.md" }, "INVALID_ARGS"],
    [{ path: "content/nothing.md", to: "content/x.md" }, "NOT_FOUND"],
    [{ to: "docs/guide/index.md", redirect: true }, "INVALID_ARGS"],
  ]);
  assert.equal(all(), before);
});

Deno.test("refrakt_move answers the edits where it may not write every file", async () => {
  const { cwd, all } = site();
  const before = all();
  await withServer(cwd, async ({ ok }) => {
    const { moved, edits, reason } = await ok("refrakt_move", PLACE);
    assert.equal(moved, false);
    assert.match(String(reason), /--allow-write=content/);
    assert.deepEqual((edits as unknown[])[0], {
      path: "content/index.md",
      line: 5,
      column: 9,
      length: 10,
      text: "start/intro",
      old: "docs/guide",
    });
  });
  assert.equal(all(), before);
});
