/**
 * Takes the screenshots of the views in docs/, in a real browser: `deno task screenshots`. They are
 * WebP, which needs half the bytes of PNG.
 */

import { join } from "node:path";
import { git, writeFiles } from "../tests/support/project.ts";
import { copyExample } from "../tests/support/run.ts";
import { ROOT } from "../tests/support/server.ts";
import { withBrowser } from "../tests/support/views/browser.ts";

/** Playwright itself takes only PNG and JPEG. */
// deno-lint-ignore no-explicit-any
async function take(page: any, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const taken = await session.send("Page.captureScreenshot", { format: "webp", quality: 90 });
  Deno.writeFileSync(join(ROOT, "docs", `${name}.webp`), Uint8Array.fromBase64(taken.data));
}

for (const theme of ["light", "dark"] as const) {
  const suffix = theme === "dark" ? "-dark" : "";
  await withBrowser(planWithHistory(), async (open) => {
    const { page, view } = await open({ width: 1440, height: 720, theme, ready: ".flight" });
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

/** A day as many days ago, such as 2026-03-02. */
function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

/** The example plan with more entities, people, an agent on a branch, and a history. */
function planWithHistory(): string {
  const cwd = copyExample("plan");
  const commit = (days: number, message: string) => {
    git(cwd, "add", "-A");
    git(cwd, "commit", "-q", "-m", message, `--date=${daysAgo(days)}T12:00:00Z`);
  };
  const write = (id: string, title: string, status: string, more = "", ticked = 0) => {
    const box = (at: number) => at < ticked || status === "done" ? "x" : " ";
    writeFiles(cwd, {
      [`plan/work/${id}.md`]:
        `{% work id="${id}" status="${status}" milestone="v1.0.0" ${more} %}\n\n` +
        `# ${title}\n\n## Acceptance Criteria\n\n- [${box(0)}] It works offline\n` +
        `- [${box(1)}] It is described in the handbook\n- [${box(2)}] A phone needs less than ` +
        `100 ms\n\n## Dependencies\n\nNone.\n\n{% /work %}\n`,
    });
  };
  const index = join(cwd, "plan/work/WORK-001-build-the-index.md");
  const done = Deno.readTextFileSync(index);
  Deno.writeTextFileSync(index, done.replace('status="done"', 'status="in-progress"'));
  git(cwd, "init", "-q", "-b", "main");
  git(cwd, "config", "user.name", "Ada");
  git(cwd, "config", "user.email", "ada@example.com");
  commit(64, "Plan the search");
  write(
    "WORK-011",
    "Import the old glossary",
    "in-progress",
    'priority="low" assignee="linus" tags="content"',
    1,
  );
  commit(58, "Begin with the glossary");
  Deno.writeTextFileSync(index, done);
  commit(50, "Build the index");
  write("WORK-005", "Show the results as one types", "ready", 'priority="high" tags="search, ui"');
  write("WORK-006", "Keep the index small", "ready", 'priority="medium" tags="search"');
  write(
    "WORK-007",
    "Mark what was found",
    "in-progress",
    'priority="high" assignee="grace" tags="ui"',
    2,
  );
  write("WORK-012", "Search in several languages", "draft", 'priority="low" tags="search, i18n"');
  commit(40, "Plan the results");
  write("WORK-005", "Show the results as one types", "done", 'priority="high" tags="search, ui"');
  commit(31, "Show the results");
  write("WORK-006", "Keep the index small", "done", 'priority="medium" tags="search"');
  commit(22, "Keep the index small");
  write(
    "WORK-008",
    "Explain the search in the handbook",
    "review",
    'priority="medium" assignee="grace" tags="docs"',
    3,
  );
  write("WORK-009", "Load the index from the cache", "ready", 'priority="medium" tags="offline"');
  write("WORK-010", "Search on a ferry", "blocked", 'priority="low" tags="offline"');
  write("WORK-013", "Open a result with the keyboard", "ready", 'priority="high" tags="ui, a11y"');
  commit(9, "Plan the handbook");
  git(cwd, "checkout", "-q", "-b", "agent/cache");
  write(
    "WORK-009",
    "Load the index from the cache",
    "in-progress",
    'priority="medium" assignee="claude-7" tags="offline"',
    1,
  );
  commit(0, "Begin with the cache");
  git(cwd, "checkout", "-q", "main");
  return cwd;
}
