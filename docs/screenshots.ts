/** Takes the screenshots of the views in docs/, in a real browser: `deno task screenshots`. */

import { join } from "node:path";
import { git, writeFiles } from "../tests/support/project.ts";
import { copyExample } from "../tests/support/run.ts";
import { ROOT } from "../tests/support/server.ts";
import { withBrowser } from "../tests/support/views/browser.ts";

const path = (name: string) => join(ROOT, "docs", name);

await withBrowser(planWithHistory(), async (open) => {
  const light = await open({ width: 1440, height: 520 });
  await light.view.locator(".card .blocked").first().waitFor();
  await light.page.screenshot({ path: path("plan-board.png") });
  await light.view.getByRole("button", { name: "Timeline" }).click();
  await light.view.locator(".month").first().waitFor();
  await light.page.screenshot({ path: path("plan-timeline.png") });
  const dark = await open({ width: 1440, height: 720, theme: "dark" });
  await dark.view.locator('.card[data-id="WORK-002"]').click();
  await dark.view.getByRole("heading", { name: "History" }).waitFor();
  await dark.view.getByRole("button", { name: "Edit assignee" }).click();
  await dark.page.screenshot({ path: path("plan-entity-dark.png") });
});
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
  await light.page.screenshot({ path: path("preview.png") });
  const dark = await open({ ...options, theme: "dark" });
  await dark.view.getByRole("button", { name: "Phone" }).click();
  await dark.view.frameLocator("#frame").locator(".rf-hint").scrollIntoViewIfNeeded();
  await dark.page.screenshot({ path: path("preview-dark.png") });
});
Deno.exit();

/** The example plan with more entities and a history. */
function planWithHistory(): string {
  const cwd = copyExample("plan");
  const commit = (date: string, message: string) => {
    git(cwd, "add", "-A");
    git(cwd, "commit", "-q", "-m", message, `--date=${date}T12:00:00Z`);
  };
  const file = (id: string) => `plan/work/${id}.md`;
  const work = (id: string, title: string, status: string, more = "") =>
    `{% work id="${id}" status="${status}" priority="medium" milestone="v1.0.0" ${more} %}\n\n` +
    `# ${title}\n\n## Acceptance Criteria\n\n- [${
      status === "done" ? "x" : " "
    }] It works offline\n` +
    `- [x] It is described in the handbook\n\n{% /work %}\n`;
  const index = join(cwd, "plan/work/WORK-001-build-the-index.md");
  const done = Deno.readTextFileSync(index);
  Deno.writeTextFileSync(index, done.replace('status="done"', 'status="in-progress"'));
  git(cwd, "init", "-q", "-b", "main");
  commit("2026-02-20", "Plan the search");
  Deno.writeTextFileSync(index, done);
  commit("2026-03-02", "Build the index");
  writeFiles(cwd, {
    [file("WORK-005")]: work("WORK-005", "Show the results as one types", "ready"),
    [file("WORK-006")]: work("WORK-006", "Keep the index small", "ready"),
    [file("WORK-007")]: work("WORK-007", "Mark what was found", "in-progress", 'assignee="ada"'),
  });
  commit("2026-03-05", "Plan the results");
  writeFiles(cwd, {
    [file("WORK-005")]: work("WORK-005", "Show the results as one types", "done"),
  });
  commit("2026-03-11", "Show the results");
  writeFiles(cwd, { [file("WORK-006")]: work("WORK-006", "Keep the index small", "done") });
  commit("2026-03-18", "Keep the index small");
  writeFiles(cwd, {
    [file("WORK-008")]: work(
      "WORK-008",
      "Explain the search in the handbook",
      "review",
      'assignee="grace"',
    ),
    [file("WORK-009")]: work("WORK-009", "Load the index from the cache", "ready"),
    [file("WORK-010")]: work("WORK-010", "Search on a ferry", "blocked"),
  });
  commit("2026-03-20", "Plan the handbook");
  return cwd;
}
