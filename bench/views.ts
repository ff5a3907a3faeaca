/**
 * The size of the views, how long they take to open in a browser, and whether they scroll
 * smoothly. Uses the real plan if it is beside the checkout, else the excerpt of the tests.
 * Runs behind the official bridge and a real server, in headless Chromium without a graphics
 * card. Writes its section of `bench/RESULTS.md`.
 *
 * Run: `deno run -A bench/views.ts`
 */

import { getPriority } from "node:os";
import { PLAN_BOARD } from "../plugins/board/plan_board.ts";
import { PREVIEW } from "../plugins/board/preview.ts";
import { fullPlan, PLAN_BUNDLE, realPlan } from "../tests/support/real_plan.ts";
import { copyExample } from "../tests/support/run.ts";
import { type OpenView, withBrowser } from "../tests/support/views/browser.ts";
import { circumstances, table, writeSection } from "./results.ts";

/** How often a view is opened, not counting the first time. */
const OPENED = 7;

/** The scrolling per frame in pixels: a fast turn of a wheel. */
const STEP = 120;

/** Runs in every frame: records when the view's main content was first painted. */
const WATCH = `(() => {
  const at = () => performance.timeOrigin + performance.now();
  const shown = () => document.querySelector(".card, #names button");
  new MutationObserver((_, observer) => {
    if (!shown()) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => globalThis.shownAt = at()));
  }).observe(document, { childList: true, subtree: true });
})()`;

/** Scrolls every list of the board to its end, and returns the frame times. */
const SCROLL = `(async () => {
  const frames = [];
  const tasks = [];
  const observer = new PerformanceObserver((list) =>
    tasks.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ type: "longtask" });
  const next = () => new Promise((done) => requestAnimationFrame(done));
  let before = await next();
  const step = async () => {
    const now = await next();
    frames.push(now - before);
    before = now;
  };
  for (const list of document.querySelectorAll(".column ul")) {
    list.scrollIntoView({ block: "nearest", inline: "nearest" });
    while (list.scrollTop + list.clientHeight < list.scrollHeight - 1) {
      const top = list.scrollTop;
      list.scrollTop += ${STEP};
      await step();
      if (list.scrollTop === top) break;
    }
  }
  await new Promise((done) => setTimeout(done, 100));
  observer.disconnect();
  return { frames, tasks };
})()`;

interface Opening {
  /** Since the tool call, in milliseconds. */
  called: number;
  /** Since the view was mounted, in milliseconds. */
  mounted: number;
}

const plan = PLAN_BUNDLE === undefined ? realPlan() : fullPlan();
const rows: string[][] = [[
  "view",
  "kB",
  "kB gzipped",
  "first open, ms",
  "open, ms",
  "of that the view, ms",
]];
let entities = 0;
let scrolling = "";

await withBrowser(plan, async (open) => {
  const opened = await open({ width: 1280, height: 800, watch: WATCH });
  const openings = await openAgain(opened, ".card");
  await opened.view.getByRole("button", { name: "Show all", exact: true }).click();
  const folded = opened.view.locator(".names .folded button");
  while (await folded.count() > 0) await folded.first().click();
  await opened.view.locator('.column[data-status="done"] .card').first().waitFor();
  entities = await opened.view.locator(".card").count();
  const { frames, tasks } = await opened.page.frames()[1]!.evaluate(SCROLL) as {
    frames: number[];
    tasks: number[];
  };
  scrolling = `With all ${entities} cards, every column scrolled to its end by ${STEP} pixels ` +
    `a frame: ${frames.length} frames, median ${median(frames).toFixed(1)} ms, 99 of 100 under ` +
    `${quantile(frames, 0.99).toFixed(1)} ms, longest ${Math.max(...frames).toFixed(1)} ms; ` +
    `${tasks.length} tasks over 50 ms` +
    (tasks.length === 0 ? "." : `, the longest ${Math.max(...tasks).toFixed(0)} ms.`);
  rows.push(await row(`board, ${entities} entities`, PLAN_BOARD, openings));
});
await withBrowser(copyExample("site"), async (open) => {
  const ready = "#names button";
  const input = { path: "content/index.md" };
  const opened = await open({ tool: "refrakt_preview", input, ready, watch: WATCH });
  rows.push(await row("preview of a page", PREVIEW, await openAgain(opened, ready)));
});

const raised = getPriority() < 0 ? " At a raised priority, beside other work." : "";
const text = `${circumstances()}${raised}

In headless Chromium, from the host's call of the tool until the view is painted: the first time
with a fresh server, then medians of ${OPENED}, and the view's own part of these, from its mounting
on, including its calls.

${table(rows)}

${scrolling}`;
await writeSection("Views", text);
Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
Deno.exit();

/** The opening of the open view, and of the further measured ones. */
async function openAgain(opened: OpenView, ready: string): Promise<Opening[]> {
  const openings = [await openingOf(opened)];
  while (openings.length <= OPENED) {
    await opened.page.reload();
    await opened.view.locator(ready).first().waitFor();
    openings.push(await openingOf(opened));
  }
  return openings;
}

async function openingOf({ page }: OpenView): Promise<Opening> {
  const [top, inside] = page.frames();
  await inside!.waitForFunction("globalThis.shownAt !== undefined");
  const at = await inside!.evaluate("shownAt") as number;
  const mark = async (name: string) =>
    await top!.evaluate(
      `performance.timeOrigin + performance.getEntriesByName("${name}")[0].startTime`,
    ) as number;
  return { called: at - await mark("call"), mounted: at - await mark("mount") };
}

async function row(name: string, document: string, openings: Opening[]): Promise<string[]> {
  const [first, ...others] = openings;
  const zipped = new Response(
    new Response(document).body!.pipeThrough(new CompressionStream("gzip")),
  );
  return [
    name,
    kilobytes(new TextEncoder().encode(document).byteLength),
    kilobytes((await zipped.arrayBuffer()).byteLength),
    first!.called.toFixed(0),
    median(others.map(({ called }) => called)).toFixed(0),
    median(others.map(({ mounted }) => mounted)).toFixed(0),
  ];
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}
