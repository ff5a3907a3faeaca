/** The files of previewed pages, as `view preview` serves them. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { servedView } from "../../src/cli/commands/view.ts";
import { openWorkspace } from "../../src/host/open_workspace.ts";
import { coreSite, LUMINA } from "../plugins/site/projects.ts";
import { temporaryFolder } from "../support/temporary.ts";
import { HOST, requestsTo, TOKEN } from "./view_requests.ts";

/** Starts serving a project, and returns what requests a path: below the folder of its files. */
async function serve(cwd: string) {
  const workspace = openWorkspace({ cwd });
  const request = requestsTo(await servedView(workspace.project(), ["preview"]), workspace);
  const start = await request("/start", { method: "POST" }, { "x-refrakt-secret": TOKEN });
  const { files } = await start.json();
  const folder = new URL(files).pathname;
  const get = (path: string, headers: Record<string, string> = {}) =>
    request(folder + path, {}, headers);
  return { request, folder, get, cwd };
}

const THEME = {
  "content/index.md": "# Home\n\n![A](a.png)\n",
  "content/a.png": "picture",
  "static/fonts/own.woff2": "font",
  "theme/package.json": "{}",
  "theme/transform.js":
    `export const themeConfig = { prefix: "rf", tokenPrefix: "--rf", runes: {} };`,
  "theme/index.css": "@import '@refrakt-md/skeleton';\n@import './more.css' screen;\n" +
    "@font-face { src: url(/fonts/own.woff2), url('img/b.svg'), url(\"//evil.invalid/x\") }\n",
  "theme/more.css": ".rf-hint { margin: 0 }\n",
  "theme/img/b.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
  ".env": "SECRET=1",
  ".git/x.css": "secret",
  "notes.md": "# Secret",
  "server.js": "secret",
  "package-lock.json": "{}",
};

Deno.test("a page's files are those of its theme, of packages in Deno's cache, and of the site", async (t) => {
  const { get, folder } = await serve(coreSite({ theme: "./theme/transform.js" }, THEME));
  const text = async (path: string, type: string) => {
    const response = await get(path);
    assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`);
    assert.ok(response.headers.get("content-type")!.startsWith(type), path);
    return await response.text();
  };

  await t.step("style sheets are served as they are, but for the site's own root", async () => {
    assert.equal(
      await text("0/project/theme/index.css", "text/css"),
      THEME["theme/index.css"].replace("url(/fonts", `url(${folder}0/static/fonts`),
    );
    assert.equal(await text("0/project/theme/more.css?v=1", "text/css"), THEME["theme/more.css"]);
    assert.equal(await text("0/static/fonts/own.woff2", "font/woff2"), "font");
    assert.match(await text("0/project/theme/img/b.svg", "image/svg+xml"), /^<svg/);
    assert.equal(await text("0/project/content/a.png", "image/png"), "picture");
  });

  await t.step("the import of a package leads to its entry", async () => {
    const moved = await get("0/project/theme/@refrakt-md/skeleton");
    const entry = `${folder}0/packages/@refrakt-md/skeleton/index.css`;
    assert.deepEqual([moved.status, moved.headers.get("location")], [302, entry]);
    assert.match(await text("0/packages/@refrakt-md/skeleton/index.css", "text/css"), /@layer/);
    const main = "0/packages/@refrakt-md/behaviors/dist/index.js";
    assert.match(await text(main, "text/javascript"), /export/);
  });

  await t.step(
    "the frame's policy is that of a sandbox that loads from its folder alone",
    async () => {
      const frame = await get("0/frame");
      const policy = frame.headers.get("content-security-policy")!;
      const root = `http://${HOST}${folder}0/`;
      assert.match(policy, /^sandbox allow-scripts; default-src 'none';/);
      assert.ok(
        policy.includes(`script-src ${root}frame.js ${root}packages/@refrakt-md/behaviors/;`),
      );
      assert.doesNotMatch(policy, /script-src[^;]*unsafe|allow-same-origin|\*/);
      assert.match(await frame.text(), /<script type="module" src="frame.js">/);
      assert.match(await text("0/frame.js", "text/javascript"), /postMessage/);
      // An image that is opened by itself runs nothing.
      const image = await get("0/project/theme/img/b.svg");
      assert.match(image.headers.get("content-security-policy")!, /^sandbox;/);
    },
  );
});

Deno.test("files are refused without the secret name, for hidden names, other types and ways out", async () => {
  const { get, request, folder, cwd } = await serve(coreSite({ theme: LUMINA }, THEME));
  assert.ok(!folder.includes(TOKEN), "pages do not learn the secret of calls");
  const page = "0/project/content/a.png";
  assert.equal((await get(page)).status, 200);
  assert.equal((await get(page, { origin: "null" })).status, 200);
  assert.equal((await get(page, { host: "evil.invalid" })).status, 403);
  for (const name of [TOKEN, folder.slice(1, -2), `${folder.slice(1, -1)}x`, "x"]) {
    assert.equal((await request(`/${name}/${page}`)).status, 403, name);
  }
  const post = await request(folder + page, { method: "POST" });
  assert.equal(post.status, 403);
  const refused = `
    0 0/ 1/project/content/a.png x/project/content/a.png 0/nope/a.png 0/project/.env
    0/project/.git/x.css 0/project/notes.md 0/project/server.js 0/project/package-lock.json
    0/project/theme 0/project/content/ 0/project//a.png 0/project/..%2f..%2fetc%2fpasswd.css
    0/project/%2e%2e/x.css 0/project/%2Fetc/x.css 0/project/content%5C..%5Ca.png
    0/project/a%00.png 0/project/%E0%A4%A 0/project/C:/a.png 0/packages/lumina
    0/packages/left-pad/index.js 0/packages/@refrakt-md/lumina/dist/transform.js
    0/packages/@refrakt-md/lumina/package.json 0/packages/@refrakt-md/index.css
    0/packages/@refrakt-md/lumina/..%2fskeleton%2findex.css
    0/packages/@refrakt-md/behaviors/%252e%252e/skeleton/index.css 0/static/../content/a.png`;
  for (const path of ["", ...refused.trim().split(/\s+/)]) {
    const response = await get(path);
    assert.notEqual(response.status, 200, path);
    assert.doesNotMatch(await response.text(), /secret|@layer/i, path);
  }
  const outside = join(temporaryFolder(), "a.png");
  Deno.writeTextFileSync(outside, "secret");
  Deno.mkdirSync(join(cwd, "linked"));
  if (Deno.build.os === "windows") return;
  Deno.symlinkSync(outside, join(cwd, "linked/a.png"));
  Deno.symlinkSync(join(cwd, "content/a.png"), join(cwd, "linked/b.png"));
  assert.equal((await get("0/project/linked/a.png")).status, 404);
  assert.equal((await get("0/project/linked/b.png")).status, 200);
});
