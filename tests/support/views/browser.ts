/// <reference lib="dom" />
/** A view in a real browser, behind the official bridge and a real server. */

import { join } from "node:path";
import { PATIENCE_MS } from "../npm/patience.ts";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type FrameLocator,
  type Page,
} from "../npm/playwright.ts";
import { LAB } from "../lab.ts";
import { once } from "../lock.ts";
import { runProcess } from "../process.ts";
import { ROOT } from "../server.ts";
import { temporaryFile } from "../temporary.ts";
import { hostViews } from "./host_views.ts";

export interface OpenView {
  readonly page: Page;
  readonly view: FrameLocator;
  /** Lets the view look for what others have changed, as if it were seen again, until it shows it. */
  readonly look: (shown: Promise<void>) => Promise<void>;
}

/** Opens views of a project, whose code runs with `trust`, and closes everything afterwards. */
export async function withBrowser(
  cwd: string,
  test: (open: (options?: ViewOptions) => Promise<OpenView>) => Promise<void>,
  trust = false,
): Promise<void> {
  await using host = await hostViews(cwd, await (bundled ??= bundle()), trust);
  await withPages((newPage) =>
    test(async (options = {}) => {
      const { theme = "light", width = 1000, height = 800, ready = ".card", hasTouch } = options;
      const { polls = false } = options;
      const { tool = "plan_board", input = {}, host: context = null, prepare } = options;
      const viewport = { width, height };
      const touch = hasTouch ? { hasTouch, isMobile: true } : {};
      // Animations take a processor that has no graphics card.
      const reducedMotion = "reduce" as const;
      const page = await newPage({ viewport, colorScheme: theme, reducedMotion, ...touch });
      // What the board says vanishes after twelve seconds, which a machine under load may need, and
      // its looks every few seconds would come before or after a step of the test.
      await page.addInitScript((polls) => {
        const { setTimeout, setInterval } = globalThis;
        const later = (work: () => void, ms = 0, ...rest: []) =>
          setTimeout(work, ms < 10_000 ? ms : 1e9, ...rest);
        Object.assign(globalThis, {
          setTimeout: later,
          setInterval: polls ? setInterval : () => 0,
        });
      }, polls);
      await prepare?.(page);
      const given = { input: JSON.stringify(input), host: JSON.stringify(context) };
      const query = new URLSearchParams({ theme, tool, ...given });
      await page.goto(`${host.url}?${query}`);
      // Nothing is painted in a page behind another.
      await page.bringToFront();
      const view = page.frameLocator("iframe");
      await view.locator(ready).first().waitFor();
      const seen = () =>
        page.frames()[1]!.evaluate(() => {
          document.dispatchEvent(new Event("visibilitychange"));
        });
      const look = async (shown: Promise<void>) => {
        await seen();
        // It does not look while it writes.
        const again = setInterval(seen, 1000);
        await shown.finally(() => clearInterval(again));
      };
      return { page, view, look };
    })
  );
}

let launched: Promise<Browser> | undefined;
Deno.test.afterAll(async () => await (await launched)?.close());

/**
 * Opens pages in the browser, each with its own storage, and leaves them afterwards. They are not
 * closed: of a single process, a page that is closed closes the browser.
 */
export async function withPages(
  test: (newPage: (options?: BrowserContextOptions) => Promise<Page>) => Promise<void>,
): Promise<void> {
  const opened: Page[] = [];
  const browser = await (launched ??= launch());
  try {
    await test(async (options = {}) => {
      const page = await (await browser.newContext(options)).newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      opened.push(page);
      return page;
    });
  } finally {
    for (const page of opened.flatMap((one) => one.context().pages())) {
      await page.goto("about:blank");
    }
  }
}

/** The page's script, bundled once for all tests of a process. */
let bundled: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const script = temporaryFile("host.js", "");
  const host = join(ROOT, "tests/support/views/host.ts");
  const args = ["bundle", "--platform", "browser", "-o", script, host];
  const { code, stderr } = await runProcess(Deno.execPath(), args, ROOT);
  if (code !== 0) throw new Error(stderr);
  return script;
}

export interface ViewOptions {
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
  /** It looks for changes also without being told to. */
  readonly polls?: boolean;
  /** A phone, with a finger. */
  readonly hasTouch?: boolean;
  /** The tool that opens it, with underscores; `plan_board` by default. */
  readonly tool?: string;
  readonly input?: Record<string, unknown>;
  /** The context of a host that records what the view asks of it; see host.ts. */
  readonly host?: Record<string, unknown>;
  /** A selector that appears once the view has loaded; a card by default. */
  readonly ready?: string;
  /** Listens to the page before it loads. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** The Chromium of an npm package on Linux; the system's Chrome elsewhere. */
async function launch(): Promise<Browser> {
  if (Deno.build.os !== "linux" || Deno.build.arch !== "x86_64") {
    return await chromium.launch({ channel: "chrome", headless: true });
  }
  const { default: packed } = await import("../npm/chromium.ts");
  // Without the emulated graphics card, which takes a processor for itself.
  packed.setGraphicsMode = false;
  let executablePath = "";
  const folder = join(LAB, "chromium");
  await Deno.mkdir(folder, { recursive: true });
  // It unpacks itself into the temporary folder if it is not there, also beside another test
  // file that does the same. This folder is kept between runs.
  await once(
    join(folder, "unpacking"),
    () => Promise.resolve(executablePath !== ""),
    async () => {
      const temporary = Deno.env.get("TMPDIR");
      Deno.env.set("TMPDIR", folder);
      executablePath = await packed.executablePath();
      if (temporary === undefined) Deno.env.delete("TMPDIR");
      else Deno.env.set("TMPDIR", temporary);
    },
  );
  return await chromium.launch({
    executablePath,
    args: packed.args,
    headless: true,
  });
}
