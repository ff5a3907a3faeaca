/** A plan that somebody hostile has written, on the board in a real browser. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { makeProject } from "../../support/project.ts";
import { withBrowser } from "../../support/views/browser.ts";
import { becomes, hasText } from "../../support/views/expect.ts";

/** Markup, addresses, ends of attributes and scripts, and what every object in JavaScript has. */
const HOSTILE: readonly string[] = [
  `<img src=x onerror="top.document.title='owned'">`,
  `'><svg onload=alert(1)><style>*{display:none}</style>`,
  `</script><script>top.document.title='owned'</script>`,
  "javascript:alert(1)",
  "__proto__",
  "constructor",
  `"] , body *`,
  "{{constructor.constructor('alert(1)')()}}",
  "x".repeat(900),
  "\u202e\u2066\u3164 hidden \u{e0041}",
  "&lt;b&gt; &#x202e;",
];
const quoted = (text: string) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

const file = (number: number, text: string) =>
  `{% work id="WORK-${number}" status="ready" priority=${quoted(text)} milestone=${quoted(text)} ` +
  `assignee=${quoted(text)} tags=${quoted(text)} complexity=${quoted(text)} %}

# ${text}

[${text}](javascript:top.document.title='owned') <a href="javascript:alert(1)">raw</a>
![${text}](http://127.0.0.1:9/pixel.png) <http://127.0.0.1:9/auto> [far](data:text/html,<script>)

## ${text}

## He said ${text}

| ${text.replaceAll("|", "")} |
| - |
| <iframe src="javascript:alert(1)"></iframe> |

## Acceptance Criteria

- [ ] ${text}
- [x] \`${text.replaceAll("`", "")}\`

## Notes

- 2026-01-01 ${text}: ${text}

{% hint type=${quoted(text)} %}${text}{% /hint %}

{% /work %}
`;

Deno.test("a hostile plan is text on the board, in its panel, its tabs and its editors", async () => {
  const cwd = makeProject({
    ...Object.fromEntries(
      HOSTILE.map((text, at) => [`plan/work/WORK-${100 + at}-x.md`, file(100 + at, text)]),
    ),
    // Names of parts of the view.
    "plan/milestones/now.md":
      '{% milestone name="now" status="active" %}\n\n# Soon\n\n## title\n\nSir\n\n{% /milestone %}\n',
    "plan/work/WORK-200-x.md":
      '{% work id="WORK-200" status="ready" milestone="now" %}\n\n# X\n\n{% /work %}\n',
  });
  await withBrowser(cwd, async (open) => {
    const [asked, broken, spoken]: string[][] = [[], [], []];
    const { page, view } = await open({
      input: { filter: { tab: "board", open: "now" } },
      ready: "#entity-title",
      width: 1440,
      prepare: (page) => {
        page.on("request", (request) => asked!.push(request.url()));
        page.on("pageerror", (error) => broken!.push(error.message));
        page.on("dialog", (dialog) => {
          spoken!.push(dialog.message());
          return dialog.dismiss();
        });
        return Promise.resolve();
      },
    });
    const press = (name: string) => view.getByRole("button", { name, exact: true });
    const dialog = view.locator("dialog#entity");
    await hasText(dialog.locator("#entity-title"), "now");
    await hasText(dialog, "WORK-200");
    await press("Edit title").last().click();
    await dialog.locator("textarea").fill("Madam");
    await press("Save").click();
    await hasText(view.locator("#notice"), 'now: "title" saved');
    const text = Deno.readTextFileSync(join(cwd, "plan/milestones/now.md"));
    assert.match(text, /# Soon\n\n## title\n\nMadam/);
    await press("Close").click();
    await press("Show all").click();
    await hasText(view.locator("#message"), "13 of 13");
    for (const at of HOSTILE.keys()) {
      await view.locator(`.card[data-id="WORK-${100 + at}"]`).click();
      await hasText(dialog, "He said");
      // Every text is shown; the editors of a few show how they take them.
      const edits = at % 4 === 0 ? await dialog.locator("button.edit").all() : [];
      for (const edit of edits) {
        await edit.press("Enter");
        await dialog.locator(".open :is(input, textarea)").first().press("Escape");
        await becomes(() => edit.evaluate((one) => one === one.ownerDocument.activeElement), true);
      }
      await press("Close").click();
      await dialog.waitFor({ state: "hidden" });
    }
    await view.locator("#assignee").selectOption("__proto__");
    await becomes(() => view.locator(".card").count(), 1);
    await press("Show all").click();
    await press("Now").click();
    await view.locator("#now .part").first().waitFor();
    const markup = "img, script, iframe, style, a, [onerror], [onload]";
    assert.equal(await view.locator(".app").locator(markup).count(), 0);
    const shown = await view.locator("body").evaluate((body) => body.textContent ?? "");
    assert.doesNotMatch(shown, /[\u202e\u2066\u3164\u{e0041}]/u);
    assert.deepEqual([broken, spoken], [[], []]);
    assert.deepEqual(
      asked!.filter((url) => new URL(url).origin !== new URL(page.url()).origin),
      [],
    );
    assert.equal(await page.title(), "ready");
  });
});
