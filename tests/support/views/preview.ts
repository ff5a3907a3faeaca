/** The preview in a real browser, served as by `view preview`, in the test's own process. */

import { servedView } from "../../../src/cli/commands/view.ts";
import { viewHandler } from "../../../src/cli/view_server.ts";
import { openWorkspace } from "../../../src/host/open_workspace.ts";
import { callContext } from "../calls.ts";
import type { BrowserContextOptions, FrameLocator, Page } from "../npm/playwright.ts";
import { withPages } from "./browser.ts";

export interface OpenPreview {
  readonly page: Page;
  readonly view: FrameLocator;
  readonly inner: FrameLocator;
}

/** The page or rune to show, the state of the view in its address, and the tab. */
export interface PreviewOptions extends BrowserContextOptions {
  readonly target?: string;
  readonly query?: string;
  /** Listens to the page before it loads. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** Opens previews of a project, whose code runs with `trust`, and stops serving afterwards. */
export async function withPreviews(
  cwd: string,
  test: (open: (options?: PreviewOptions) => Promise<OpenPreview>) => Promise<void>,
  trust = false,
): Promise<void> {
  const workspace = openWorkspace({ cwd, code: { trust } });
  const access = {
    token: crypto.randomUUID(),
    workspace,
    context: callContext(workspace.project()),
  };
  await withPages((newPage) => {
    const servers: Deno.HttpServer<Deno.NetAddr>[] = [];
    const open = async ({ target, query = "", prepare, ...tab }: PreviewOptions = {}) => {
      const served = await servedView(workspace.project(), [
        "preview",
        ...target === undefined ? [] : [target],
      ]);
      const handle = viewHandler({ ...served, ...access });
      const { promise, resolve } = Promise.withResolvers<number>();
      const server = Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen: ({ port }) => resolve(port) },
        async (request) => await handle(request, await promise),
      );
      servers.push(server);
      // Animations take a processor that has no graphics card.
      const page = await newPage({ reducedMotion: "reduce", ...tab });
      await prepare?.(page);
      await page.goto(`http://127.0.0.1:${server.addr.port}/${query}#${access.token}`);
      const view = page.frameLocator("iframe");
      await view.locator("#frame[data-shown]").waitFor();
      return { page, view, inner: view.frameLocator("#frame") };
    };
    return test(open).finally(() => Promise.all(servers.map((server) => server.shutdown())));
  });
}
