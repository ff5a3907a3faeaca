/** A view in a browser without a client: served on the loopback, to who has the token. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { coreSite } from "../../site/projects.ts";
import { copyExample, refrakt } from "../../support/run.ts";
import { ROOT } from "../../support/server.ts";
import { launch } from "../../support/views/browser.ts";

Deno.test("view serves the board to who has the token, and calls its tools until a signal", async () => {
  const cwd = copyExample("plan");
  const program = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--no-check",
      "--allow-read",
      "--allow-write=plan",
      "--allow-run=git",
      "--allow-net=127.0.0.1",
      join(ROOT, "mod.ts"),
      "view",
      "board",
    ],
    cwd,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = program.stdout.pipeThrough(new TextDecoderStream()).getReader();
  try {
    let line = "";
    while (!line.includes("\n")) line += (await reader.read()).value ?? "\n";
    const url = new URL(line.trim());
    assert.equal(url.hostname, "127.0.0.1");
    assert.ok(url.pathname.length > 30);

    const page = await fetch(url);
    assert.equal(page.status, 200);
    assert.match(page.headers.get("content-security-policy")!, /frame-ancestors 'none'/);
    assert.match(await page.text(), /sandbox="allow-scripts"/);

    const post = async (to: URL, body: unknown, headers: Record<string, string> = {}) => {
      const response = await fetch(to, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
      return { status: response.status, text: await response.text() };
    };
    const calls = new URL("call", url);
    const item = { name: "plan.get", arguments: { id: "WORK-002" } };
    const got = await post(calls, item, { origin: url.origin });
    assert.equal(got.status, 200);
    assert.equal(JSON.parse(got.text).structuredContent.id, "WORK-002");
    const missing = await post(calls, { name: "plan.get", arguments: { id: "WORK-999" } });
    assert.equal(JSON.parse(missing.text).isError, true);

    const browser = await launch();
    try {
      const tab = await browser.newPage();
      await tab.goto(url.href);
      const board = tab.frameLocator("iframe");
      await board.locator('.card[data-id="WORK-002"]').click();
      await board.getByLabel("The field opens with the slash key").check();
      await board.locator("#message").filter({ hasText: "ticked" }).waitFor();
      const file = Deno.readTextFileSync(join(cwd, "plan/work/WORK-002-query-box.md"));
      assert.match(file, /- \[x\] The field opens with the slash key/);
    } finally {
      await browser.close();
    }

    for (const path of ["/", "/call", `/${"A".repeat(32)}/`, `/${"A".repeat(32)}/call`]) {
      assert.equal((await post(new URL(path, url), item)).status, 403, path);
    }
    assert.equal((await post(calls, item, { origin: "https://example.com" })).status, 403);
    assert.equal((await post(calls, item, { origin: "null" })).status, 403);
    assert.equal((await post(calls, { name: "plan.create", arguments: {} })).status, 403);
    const renamed = new URL(url);
    renamed.hostname = "localhost";
    const refused = await fetch(renamed).then(
      async (response) => (await response.body?.cancel(), response.status),
      () => 403,
    );
    assert.equal(refused, 403);
  } finally {
    if (Deno.build.os === "windows") program.kill();
    else program.kill("SIGINT");
    await reader.cancel();
  }
  const { code } = await program.status;
  if (Deno.build.os !== "windows") assert.equal(code, 0);
});

Deno.test("view says which grant it needs, and how it is used", async () => {
  const cwd = copyExample("plan");
  const denied = await refrakt(cwd, ["view", "board"], {
    grants: ["--no-prompt", "--allow-read"],
  });
  assert.equal(denied.code, 1, denied.stderr);
  assert.match(denied.stderr, /No permission to listen[^]*--allow-net=127\.0\.0\.1/);
  for (const args of [["view"], ["view", "nope"], ["view", "preview"], ["view", "board", "x"]]) {
    const wrong = await refrakt(coreSite(), args);
    assert.equal(wrong.code, 2, wrong.stderr);
    assert.match(wrong.stderr, /view preview content\/index\.md/);
  }
});
