/** Tests of the findings about a site's pages: place, text and correction. */

import assert from "node:assert/strict";
import { openProject } from "../../../../src/host/open_project.ts";
import { callContext, callTool, errorOf } from "../../../support/calls.ts";
import { entity } from "../../../support/project.ts";
import { coreSite, PLAN, project } from "../projects.ts";
import { checkTool, listedFindings } from "../tools.ts";

interface Group {
  code: string;
  count: number;
  files: number;
  findings: string[];
}

type Answer = Record<string, unknown> & { groups: Group[] };

const check = (dir: string, input: Record<string, unknown> = {}): Promise<Answer> =>
  callTool(dir, checkTool, input);

/** Returns the findings about one page, as code and text. */
async function findings(
  page: string,
  files: Record<string, string> = {},
  site: Record<string, unknown> = {},
): Promise<string[]> {
  const all = await listedFindings(coreSite(site, { "content/a.md": page, ...files }));
  return all.filter((each) => each.includes(" content/a.md:"))
    .map((each) => each.replace("content/a.md:", "")).sort();
}

Deno.test("check knows the build's variables, partials and templates", async () => {
  const page = `---
x: 1
---
# T {% $page.titel %} {% $frontmatter.x %} {% $port %} {% $prt %}

{% partial file="hours.md" /%}

{% partial file="hour.md" /%}

{% collection type="page" %}
{% $item.title %}
{% /collection %}
`;
  const found = await findings(page, { "content/_partials/hours.md": "Ten to six.\n" }, {
    variables: { port: "Aby" },
  });
  assert.deepEqual(found, [
    'partial-missing 8:4 No such partial: "hour.md". Did you mean "hours.md"?',
    'variable-unknown 4:59 Unknown variable "$prt". Did you mean "port"?',
    'variable-unknown 4:8 Unknown variable "$page.titel". Did you mean "title"?',
  ]);
});

Deno.test("links and images resolve against the content folder and the pages' addresses", async () => {
  const page = `# T

[ok](/docs/guide) [slash](/docs/guide/) [rel](docs/guide) [root](/) [here](#t) [there](/docs/guide#deep-part) [coded](#%74)
[mail](mailto:a@example.com) [out](https://example.com/x) [file](/files/a.pdf) [static](/logo.svg)

[bad](/docs/gide) [bad2](./nowhere) [bad3](#nope) [bad4](/docs/guide#nope) [bad5](docs/02-guide.md)

![ok](/img/a.png) ![rel](img/a.png) ![icon](icon:wave) ![](img/a.png) ![gone](img/b.png)

[no part](#tabt) [a part of its end](#tab-t) [made by a hook](/notes/one) [deeper](/notes/one/two)
`;
  const notes = { entityRoutes: [{ type: "note", url: "/notes/{id}/" }] };
  const found = await findings(page, {
    "content/index.md": "# I\n",
    "content/docs/02-guide.md": "# G\n\n## Deep part\n",
    "content/img/a.png": "x",
    "content/files/a.pdf": "x",
    "static/logo.svg": "<svg/>",
  }, notes);
  assert.deepEqual(found, [
    'anchor-broken 10:11 The page has no heading "#tabt"',
    'anchor-broken 10:38 The page has no heading "#tab-t"',
    'anchor-broken 6:44 The page has no heading "#nope"',
    'anchor-broken 6:58 "content/docs/02-guide.md" has no heading "#nope"',
    'image-alt 8:56 The image "img/a.png" has no alternative text: ![text](…)',
    'image-missing 8:71 No such image: "img/b.png"',
    'link-broken 10:84 No page or file of the site: "/notes/one/two"',
    'link-broken 6:26 No page or file of the site: "./nowhere"',
    'link-broken 6:7 No page or file of the site: "/docs/gide". Did you mean "/docs/guide"?',
    'link-broken 6:83 The link leads to a Markdown file; on the site that page is "/docs/guide"',
  ]);
});

Deno.test("the result starts with counts and groups, and is paginated", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `content/p${index}.md`,
      `# T\n\n### J\n\n{% nope${index} /%}\n\n[x](/gone${index}) [y](/away)\n`,
    ]),
  );
  const dir = coreSite({}, files);
  const first = await check(dir, { limit: 40 });
  assert.deepEqual([first.ok, first.files, first.errors, first.warningCount], [false, 30, 90, 30]);
  assert.deepEqual(
    first.groups.map(({ code, count, files }) => [code, count, files]),
    [["link-broken", 60, 30], ["rune-unknown", 30, 30], ["heading-jump", 30, 30]],
  );
  const all = new Set(first.groups.flatMap(({ code, findings }) => findings.map((f) => code + f)));
  for (let cursor = first.nextCursor; cursor !== undefined;) {
    const next = await check(dir, { limit: 40, cursor });
    for (const { code, findings } of next.groups) for (const f of findings) all.add(code + f);
    cursor = next.nextCursor;
  }
  // What is wrong in many places is one entry.
  assert.equal(all.size, 62);
  const equal = [...all].filter((each) => each.includes("27 more"));
  assert.equal(equal.length, 2);
  assert.match(
    equal[0]!,
    /^link-broken30 × No page or file of the site: "\/away": content\/p0\.md:7:17, content\/p1\.md:7:17, content\/p10\.md:7:18 and 27 more$/,
  );
  assert.match(String(first.rest), /refrakt_query/);
  assert.equal((await errorOf(check(dir, { cursor: "x" }))).code, "INVALID_ARGS");
  const one = await check(dir, { path: "content/p3.md", severity: "warning" });
  assert.deepEqual([one.files, one.groups.length], [1, 1]);
  assert.equal((await check(dir, { code: "rune-unknown" })).groups.length, 1);
});

Deno.test("folders, pages and the whole site can be checked; a missing path is NOT_FOUND", async () => {
  const dir = coreSite({}, {
    "content/a.md": "# A\n",
    "content/docs/b.md": "{% nope /%}\n",
    "content/_partials/card.md": "{% $item.title %}\n",
    "content/_layout.md": '{% layout %}\n{% region nme="x" %}\n{% /region %}\n{% /layout %}\n',
  });
  const { files, groups } = await check(dir);
  // The variables of a partial come from the pages that include it.
  assert.deepEqual([files, groups.map(({ code }) => code)], [
    4,
    ["attribute-unknown", "rune-unknown", "page-title"],
  ]);
  assert.equal((await check(dir, { path: "docs" })).files, 1);
  assert.equal((await check(dir, { path: "content/docs/" })).errors, 1);
  assert.equal((await check(dir, { path: "content/a.md" })).ok, true);
  assert.match(
    (await check(dir, { path: "content/_layout.md" })).groups[0]!.findings[0]!,
    /_layout\.md:2:11 Rune "region" has no attribute "nme"/,
  );
  assert.equal((await errorOf(check(dir, { path: "content/nope" }))).code, "NOT_FOUND");
  assert.equal((await errorOf(check(dir, { path: "../" }))).code, "PERMISSION_DENIED");
  assert.match((await errorOf(check(dir, { code: "link_broken" }))).hint!, /"link-broken"/);
});

Deno.test("a check reports progress, and stops when it is cancelled", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`content/p${index}.md`, "# T\n"]),
  );
  const dir = coreSite({}, files);
  const context = callContext(openProject(dir));
  await checkTool.run({}, context);
  const steps = context.updates.map(({ progress }) => progress);
  assert.ok(steps.length > 3 && steps.every((step, index) => step >= (steps[index - 1] ?? 1)));
  assert.equal(steps.at(-1), context.updates.at(-1)!.total);
  const controller = new AbortController();
  controller.abort();
  const stopped = callContext(openProject(dir), controller.signal);
  assert.equal((await errorOf(Promise.resolve(checkTool.run({}, stopped)))).code, "TIMEOUT");
});

Deno.test("six mistakes are six findings, also after tags that cannot be read", async () => {
  assert.deepEqual(
    await findings(`# T

{% hint type= %}
Read as text.
{% /hint %}

{% tab name="A" %}
Outside.
{% /tab %}

{% grid columns="two" %}
z
{% /grid %}

{% hint %}
1. One
{% /hint

Text of the broken tag.

{% icon name="rocket" /%}

{% nope %}
x
{% /nope %}

[Nowhere](/nowhere)
`).then((all) => all.map((each) => each.replace(/^(\S+ \d+).*?(\(.*)?$/, "$1 $2").trim())),
    [
      "attribute-type 11",
      "link-broken 27",
      "rune-placement 7",
      "rune-unknown 23",
      "syntax 17 (1 finding follows from it)",
      "syntax 3",
    ],
  );
});

Deno.test("a page that multiplies partials, pages or entities is left out with one finding", async () => {
  const times = (count: number, tag: string) => `# A\n\n${`${tag}\n\n`.repeat(count)}`;
  const include = (name: string) => times(10, `{% partial file=${name} /%}`);
  const names = Array.from({ length: 9 }, (_, at) => `p${at}: p${at}.md\n`).join("");
  const work = (id: string, paragraphs: number) =>
    entity("work", { id, status: "ready" }, id, "Text *and more*.\n\n".repeat(paragraphs));
  const list = '{% collection type="page" /%}';
  const template = list.replace(" /%}", ` %}\n${"{% $item.id %} ".repeat(30)}\n{% /collection %}`);
  const files: Record<string, string> = {
    "plan/work/WORK-001.md": work("WORK-001", 1),
    "plan/work/WORK-002.md": work("WORK-002", 1000),
    "content/_partials/p8.md": "Hello\n",
    // Variables name the partials.
    "content/few-nodes.md": `---\n${names}---\n\n${include("$frontmatter.p6")}`,
    "content/nodes.md": `---\n${names}---\n\n${include("$frontmatter.p1")}`,
    "content/few.md": times(20, list) + times(500, 'See {% xref "Page 7" /%}.') +
      times(100, '{% expand "WORK-001" /%}') + times(2, '{% expand "WORK-002" /%}'),
    "content/pages.md": times(2000, list),
    "content/templates.md": times(60, template),
    "content/entities.md": times(20, '{% expand "WORK-002" /%}'),
  };
  for (let at = 1; at < 8; at++) {
    files[`content/_partials/p${at}.md`] = include(`$frontmatter.p${at + 1}`);
  }
  for (let at = 0; at < 50; at++) {
    files[`content/page${at}.md`] = `---\ntitle: Page ${at}\n---\nA.\n`;
  }
  const site = { contentDir: "./content", plugins: [PLAN] };
  const all = await listedFindings(project({ site, plan: { dir: "plan" } }, files));
  const steps =
    "The page's runes take N steps or more through the site's entities, at most 1,000,000";
  assert.deepEqual(
    all.filter((each) => each.startsWith("render-failed"))
      .map((each) =>
        each.replace(/^\S+ |[\d,]+(?= (?:steps|nodes))/g, (text) => /\d/.test(text) ? "N" : "")
      )
      .sort(),
    [
      `content/entities.md:1:1 ${steps}`,
      "content/nodes.md:1:1 The partials of the page have N nodes of Markdoc or more, at most 20,000",
      `content/pages.md:1:1 ${steps}`,
      `content/templates.md:1:1 ${steps}`,
    ],
  );
});
