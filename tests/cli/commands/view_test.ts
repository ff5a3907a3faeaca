/// <reference lib="dom" />
/** A view in a browser without a client: served on loopback behind a token. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { coreSite, LUMINA } from "../../plugins/site/projects.ts";
import { runProcess } from "../../support/process.ts";
import { commitAll, git } from "../../support/project.ts";
import { copyExample, refrakt } from "../../support/run.ts";
import { programOf, README_PERMISSIONS } from "../../support/server.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import type { Page } from "../../support/npm/playwright.ts";
import { withPages } from "../../support/views/browser.ts";
import { becomes, comesTrue, hasText } from "../../support/views/expect.ts";

const GRANTS = ["--no-prompt", "--allow-read", "--allow-write=plan", "--allow-run=git"];

/** Starts `view` in a project, passes its address and stderr on, and stops it with a signal. */
async function withView(
  cwd: string,
  args: readonly string[],
  use: (url: URL, said: ReadableStreamDefaultReader<string>) => Promise<void>,
  env: Record<string, string> = {},
  grants: readonly string[] = [...GRANTS, "--allow-net=127.0.0.1"],
): Promise<void> {
  const program = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", ...grants, programOf(), "view", ...args],
    ...{ cwd, env, stdin: "null", stdout: "piped", stderr: "piped" } as const,
  }).spawn();
  const [reader, said] = [program.stdout, program.stderr]
    .map((stream) => stream.pipeThrough(new TextDecoderStream()).getReader());
  try {
    let line = "";
    while (!line.includes("\n")) line += (await reader!.read()).value ?? "\n";
    await use(new URL(line.trim()), said!);
  } finally {
    program.kill(Deno.build.os === "windows" ? "SIGTERM" : "SIGINT");
    await Promise.all([reader!.cancel(), said!.cancel()]);
  }
  const { code } = await program.status;
  if (Deno.build.os !== "windows") assert.equal(code, 130);
}

// Animations take a processor that has no graphics card.
const TAB = {
  reducedMotion: "reduce" as const,
  permissions: ["clipboard-read", "clipboard-write"],
};

Deno.test("view board runs as the README prints it, and says that it opens no browser", async () => {
  const readme = Deno.readTextFileSync(new URL("../../../README.md", import.meta.url));
  const [, flags] = /deno run (.*) jsr:@refrakt\/mcp view board/.exec(readme)!;
  const grants = flags!.split(" ").filter((flag) => flag !== "--no-config");
  await withView(
    copyExample("plan"),
    ["board"],
    async (url, said) => {
      const page = await fetch(url);
      assert.deepEqual([page.status, /<iframe/.test(await page.text())], [200, true]);
      assert.match((await said.read()).value!, /No browser is opened/);
    },
    {},
    grants,
  );
});

Deno.test("view shows the board and the preview in a browser until a signal", (t) =>
  withPages(async (newPage) => {
    const tab = await newPage(TAB);
    await t.step("the board changes the plan, and a second window shows the changes", async () => {
      const cwd = copyExample("plan");
      await withView(cwd, ["board", "--editor", "zed"], async (url) => {
        assert.equal(url.hostname, "127.0.0.1");
        assert.ok(url.hash.length > 30);
        url.searchParams.set("tab", "board");
        await tab.goto(url.href);
        const board = tab.frameLocator("iframe");
        await board.locator('.card[data-id="WORK-002"]').click();
        await board.getByLabel("The field opens with the slash key").check();
        await hasText(board.locator("#notice"), "ticked");
        const file = Deno.readTextFileSync(join(cwd, "plan/work/WORK-002-query-box.md"));
        assert.match(file, /- \[x\] The field opens with the slash key/);
        await goesBack(tab, `${url.origin}/?tab=board`);
        await board.locator('.card[data-id="WORK-002"]').click();
        await opensInEditor(tab, cwd, "plan/work/WORK-002-query-box.md");
        const forged = await fetch(new URL("/call", url), { method: "POST", body: "{}" });
        assert.equal(forged.status, 403);
        await forged.body?.cancel();
        // Filters are part of the URL.
        await tab.goto(url.href);
        await board.locator("#type").selectOption("all");
        await board.locator("#priority").selectOption("high");
        await comesTrue(() => Promise.resolve(tab.url()), (address) => {
          assert.match(address, /\?tab=board&type=all&priority=high$/);
        });
        const other = await newPage(TAB);
        // A window of its own needs the secret of the printed link.
        await other.goto(tab.url() + url.hash);
        const second = other.frameLocator("iframe");
        await hasText(second.locator("#message"), "2 of 8 entities");
        await board.locator('.card[data-id="WORK-002"]').click();
        await board.getByLabel("assignee", { exact: true }).fill("ada");
        await tab.keyboard.press("Enter");
        await hasText(second.locator("#notice"), "WORK-002: claimed by ada");
      });
      await hasText(tab.frameLocator("iframe").locator("[role=alert]"), "has stopped");
    });

    await t.step("Now has the claims of other clones, with owner, clone and age", async () => {
      const [cwd, other, bare] = [copyExample("plan"), copyExample("plan"), temporaryFolder()];
      git(bare, "init", "-q", "--bare");
      const { HOME = "", DENO_DIR = `${HOME}/.cache/deno` } = Deno.env.toObject();
      const env = { HOME: temporaryFolder(), DENO_DIR };
      const remote = ["--remote", bare];
      const claim = ["call", "plan_claim", '{"assignee":"bob","id":"WORK-002"}', ...remote];
      const args = ["run", ...README_PERMISSIONS, programOf(), ...claim];
      const claimed = await runProcess(Deno.execPath(), args, other, undefined, env);
      assert.equal(claimed.code, 0, claimed.stderr);
      await withView(cwd, ["board", ...remote], async (url) => {
        await tab.goto(url.href);
        const board = tab.frameLocator("iframe");
        const said = /WORK-002.*bob.*clone [0-9a-f]{12}.*active today/s;
        await hasText(board.locator(".flight", { hasText: "WORK-002" }), said);
        assert.equal(await board.locator('.offer [data-id="WORK-002"]').count(), 0);
        await board.getByRole("button", { name: "Board", exact: true }).click();
        await hasText(
          board.locator('.card[data-id="WORK-002"] .elsewhere'),
          /^claimed in clone [0-9a-f]{12} by bob/,
        );
      }, env);
    });

    await t.step("the preview shows a rune, or a page of the site", async () => {
      const cwd = coreSite({ theme: LUMINA }, {
        "content/a b.md": "# A\n\nThe words.\n",
        "content/index.md": "# Home\n",
      });
      const view = tab.frameLocator("iframe");
      const shown = view.frameLocator("#frame");
      await withView(cwd, ["preview", "content/a b.md", "--editor", "zed"], async (url) => {
        await tab.goto(url.href);
        await shown.locator("h1:text-is('A')").waitFor();
        await opensInEditor(tab, cwd, "content/a%20b.md:1");
        // What is shown is in the address.
        const address = async (search: string) =>
          await becomes(() => Promise.resolve(new URL(tab.url()).search), search);
        await view.getByRole("button", { name: "Dark" }).click();
        await view.getByRole("button", { name: "Phone" }).click();
        await view.locator('.pages button[value="content/index.md"]').click();
        await address("?path=content%2Findex.md&mode=dark&width=phone");
        await view.locator("#name").fill("hint");
        await view.locator("#name").press("Enter");
        await address("?rune=hint&mode=dark&width=phone");
        await tab.reload();
        await shown.locator('html[data-theme="dark"] .rf-hint').first().waitFor();
      });
    });
  }));

/** Opened entities are in the tab's history, also if somebody goes back as soon as one is opened. */
async function goesBack(tab: Page, closed: string): Promise<void> {
  const board = tab.frameLocator("iframe");
  const panel = board.locator("#entity");
  const shows = async (id: string | undefined) => {
    if (id === undefined) await panel.waitFor({ state: "hidden" });
    else await hasText(panel.locator("#entity-title"), id);
    await becomes(
      () => Promise.resolve(new URL(tab.url()).searchParams.get("open") ?? undefined),
      id,
    );
  };
  await tab.evaluate(
    'addEventListener("message", ({ data }) => data === "back" && history.back())',
  );
  await shows("WORK-002");
  await tab.goBack();
  await shows(undefined);
  await board.locator('.card[data-id="WORK-003"]').evaluate((card: HTMLElement) => {
    card.click();
    parent.postMessage("back", "*");
  });
  await shows(undefined);
  await tab.goForward();
  await shows("WORK-003");
  await tab.goBack();
  await shows(undefined);
  assert.equal(tab.url(), closed);
}

/** The button of the shown view opens a file of the project. */
async function opensInEditor(tab: Page, cwd: string, file: string): Promise<void> {
  const asked: string[] = [];
  tab.on("console", (message) => asked.push(message.text()));
  await tab.evaluate("navigation.onnavigate = ({ destination }) => console.log(destination.url)");
  await tab.frameLocator("iframe").getByRole("button", { name: "Open in editor" }).click();
  const address = `zed://file${new URL(`file://${cwd}`).pathname}/${file}`;
  await comesTrue(() => Promise.resolve(asked.join("\n")), (found) => {
    assert.ok(found.includes(address), found);
  });
}

Deno.test("with --port, an address works in a second tab, a restart has another secret, and visits are kept", async () => {
  const cwd = copyExample("plan");
  commitAll(cwd, "Plan");
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const port = String(listener.addr.port);
  listener.close();
  await withPages(async (newPage) => {
    const tab = await newPage(TAB);
    const other = await tab.context().newPage();
    const secrets: string[] = [];
    const shows = async (page: Page, since: RegExp) => {
      await hasText(page.frameLocator("iframe").locator("#entity-title"), "WORK-002");
      await hasText(page.frameLocator("iframe").locator("#today"), since);
      assert.match(await page.title(), / · main – refrakt$/);
    };
    for (let start = 0; start < 2; start++) {
      await withView(cwd, ["board", "--port", port], async (url) => {
        secrets.push(url.hash);
        await tab.bringToFront();
        await tab.goto(`${url.origin}/?open=WORK-002`);
        await hasText(tab.locator("[role=alert]"), "open the link that was printed");
        await tab.goto(`${url.origin}/?open=WORK-002${url.hash}`);
        await shows(tab, /since yesterday/);
        await tab.reload();
        await shows(tab, /since yesterday/);
        // Another tab is another visit; a start later, too.
        await other.bringToFront();
        await other.goto(`${url.origin}/?open=WORK-002`);
        await shows(other, /since .*\d:\d\d.*Last 24 hours/s);
        const board = other.frameLocator("iframe");
        await board.getByRole("button", { name: "Last 24 hours" }).click();
        await hasText(board.locator("#today"), /since yesterday/);
      });
    }
    assert.notEqual(secrets[0], secrets[1]);
  });
});

Deno.test("view names the missing permission, and shows its usage", async () => {
  const cwd = copyExample("plan");
  const denied = await refrakt(cwd, ["view", "board"], { grants: ["--no-prompt", "--allow-read"] });
  assert.equal(denied.code, 1, denied.stderr);
  assert.match(denied.stderr, /No permission to listen[^]*--allow-net=127\.0\.0\.1/);
  const wrong = await refrakt(coreSite(), ["view", "nope"]);
  assert.equal(wrong.code, 2, wrong.stderr);
  assert.match(wrong.stderr, /view preview content\/index\.md/);
});
