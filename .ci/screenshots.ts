/**
 * Takes the screenshots of the views in docs/, in a real browser: `deno task screenshots`. They are
 * WebP, which needs half the bytes of PNG.
 */

import { join } from "node:path";
import { git, writeFiles } from "../tests/support/project.ts";
import { copyExample } from "../tests/support/run.ts";
import { ROOT } from "../tests/support/server.ts";
import { temporaryFolder } from "../tests/support/temporary.ts";
import { withBrowser } from "../tests/support/views/browser.ts";

/** The plan's history: days ago and message, then each item with its ticked criteria. */
const HISTORY = `58 Begin with the glossary
WORK-011 in-progress 1 Import the old glossary | priority="low" assignee="linus" tags="content"
50 Build the index
40 Plan the results
WORK-005 ready 0 Show the results as one types | priority="high" tags="search, ui"
WORK-006 ready 0 Keep the index small | priority="medium" tags="search"
WORK-007 in-progress 2 Mark what was found | priority="high" assignee="grace" tags="ui"
WORK-012 draft 0 Search in several languages | priority="low" tags="search, i18n"
31 Show the results
WORK-005 done 3 Show the results as one types | priority="high" tags="search, ui"
22 Keep the index small
WORK-006 done 3 Keep the index small | priority="medium" tags="search"
9 Plan the handbook
WORK-008 review 3 Explain the search in the handbook | assignee="grace" tags="docs"
WORK-009 ready 0 Load the index from the cache | priority="medium" tags="offline"
WORK-010 blocked 0 Search on a ferry | priority="low" tags="offline"
WORK-013 ready 0 Open a result with the keyboard | priority="high" tags="ui, a11y"
0 Begin with the cache
WORK-009 in-progress 1 Load the index from the cache | assignee="claude-7" tags="offline"`;

const CRITERIA = ["It works offline", "It is described in the handbook", "It takes 100 ms"];

/** Playwright itself takes only PNG and JPEG. */
// deno-lint-ignore no-explicit-any
async function take(page: any, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const taken = await session.send("Page.captureScreenshot", { format: "webp", quality: 85 });
  Deno.writeFileSync(join(ROOT, "docs", `${name}.webp`), Uint8Array.fromBase64(taken.data));
}

for (const theme of ["light", "dark"] as const) {
  const suffix = theme === "dark" ? "-dark" : "";
  await withBrowser(planWithHistory(), async (open) => {
    const { page, view } = await open({ width: 1440, height: 720, theme, ready: ".flight" });
    await view.locator("#today .person").waitFor();
    await take(page, `plan-now${suffix}`);
    await view.getByRole("button", { name: "Board", exact: true }).click();
    await view.locator(".card .waits").first().waitFor();
    await take(page, `plan-board${suffix}`);
    await view.locator('.card[data-id="WORK-002"]').click();
    await view.getByRole("heading", { name: "History" }).waitFor();
    await take(page, `plan-entity${suffix}`);
    await view.getByRole("button", { name: "Close" }).click();
    await view.getByRole("button", { name: "Timeline" }).click();
    await view.locator(".month").first().waitFor();
    await take(page, `plan-timeline${suffix}`);
  });
}
await withBrowser(copyExample("site"), async (open) => {
  const options = {
    tool: "refrakt_preview",
    input: { path: "content/index.md" },
    ready: "#names button",
    width: 1440,
    height: 700,
  };
  const light = await open(options);
  const page = light.view.frameLocator("#frame");
  await page.locator(".rf-hero__headline").hover();
  await take(light.page, "preview");
  const dark = await open({ ...options, theme: "dark" });
  await dark.view.getByRole("button", { name: "Phone" }).click();
  await dark.view.frameLocator("#frame").locator(".rf-hint").scrollIntoViewIfNeeded();
  await take(dark.page, "preview-dark");
});
Deno.exit();

/** The example plan with more entities, people, an agent on a branch, and a history. */
function planWithHistory(): string {
  const cwd = join(temporaryFolder(), "harbour-guide");
  Deno.renameSync(copyExample("plan"), cwd);
  const commit = (days: number, message: string) => {
    const date = new Date(Date.now() - days * 86_400_000).toISOString();
    git(cwd, "add", "-A");
    git(cwd, "commit", "-q", "-m", message, `--date=${date}`);
  };
  const index = join(cwd, "plan/work/WORK-001-build-the-index.md");
  const done = Deno.readTextFileSync(index);
  Deno.writeTextFileSync(index, done.replace('status="done"', 'status="in-progress"'));
  git(cwd, "init", "-q", "-b", "main");
  git(cwd, "config", "user.name", "Ada");
  git(cwd, "config", "user.email", "ada@example.com");
  commit(64, "Plan the search");
  for (const [head = "", ...items] of HISTORY.split(/\n(?=\d)/).map((part) => part.split("\n"))) {
    const [, days, message] = /^(\d+) (.*)/.exec(head)!;
    if (days === "50") Deno.writeTextFileSync(index, done);
    if (days === "0") git(cwd, "checkout", "-q", "-b", "agent/cache");
    for (const item of items) {
      const [, id, status, ticked, title, more] = /^(\S+) (\S+) (\d) (.*) \| (.*)/.exec(item)!;
      const boxes = CRITERIA.map((text, at) => `- [${at < Number(ticked) ? "x" : " "}] ${text}\n`);
      const text =
        `{% work id="${id}" status="${status}" milestone="v1.0.0" ${more} %}\n\n# ${title}` +
        `\n\n## Acceptance Criteria\n\n${
          boxes.join("")
        }\n## Dependencies\n\nNone.\n\n{% /work %}\n`;
      writeFiles(cwd, { [`plan/work/${id}.md`]: text });
    }
    commit(Number(days), message!);
  }
  git(cwd, "checkout", "-q", "main");
  return cwd;
}
