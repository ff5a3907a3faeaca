/** Takes the picture of the plan board in docs/, in a real browser: `deno task screenshots`. */

import { copyExample } from "../tests/support/run.ts";
import { ROOT } from "../tests/support/server.ts";
import { withBrowser } from "../tests/support/views/browser.ts";

await withBrowser(copyExample("plan"), async (open) => {
  const { page, view } = await open({ width: 1200, height: 420 });
  await view.locator("#finished").check();
  await page.screenshot({ path: `${ROOT}docs/plan-board.png` });
});
Deno.exit();
