/** The core over stdio: a real client and server with the documented permissions. */

import assert from "node:assert/strict";
import { whole } from "../../support/parts.ts";
import { readTree } from "../../support/project.ts";
import { inProcess } from "../../support/in_process.ts";
import { withServer } from "../../support/server.ts";
import { singleSite, twoSites } from "./projects.ts";

const LOCAL_RUNE = `import Markdoc from "@markdoc/markdoc";
import { createContentModelSchema } from "@refrakt-md/runes";
export const transform = createContentModelSchema({
  attributes: { tone: { type: String, matches: ["calm", "loud"] } },
  contentModel: { type: "sequence", fields: [] },
  transform: (_, attributes) => {
    console.log("printed by a local rune");
    return new Markdoc.Tag("div", { "data-rune": "mood", "data-tone": attributes.tone }, []);
  },
});`;

Deno.test("one site: every core tool works with the documented permissions", async () => {
  const dir = singleSite({ local: { mood: "./mood.js" }, aliases: { tipbox: "hint" } }, {
    "mood.js": LOCAL_RUNE,
  });
  const before = readTree(dir);
  await withServer(dir, async ({ ok, call, read, tools }) => {
    const names = await tools();
    for (const name of ["inspect", "contracts", "reference", "validate"]) {
      assert.ok(names.includes(`refrakt_${name}`), name);
    }
    assert.ok(!names.includes("refrakt_i18n_extract"));
    assert.match((await ok("refrakt_inspect", { rune: "hero" })).html, /data-rune="hero"/);
    assert.equal((await ok("refrakt_inspect", { rune: "tipbox" })).rune, "hint");
    const mood = await ok("refrakt_inspect", { rune: "mood", attributes: { tone: "loud" } });
    assert.match(mood.html, /data-tone="loud"/);
    const { runes } = await ok("refrakt_inspect_list");
    assert.ok(runes.length >= 90);
    const contracts = await whole(ok, "refrakt_contracts");
    assert.deepEqual(contracts, JSON.parse(await read("refrakt://contracts")));
    const reference = await whole(ok, "refrakt_reference");
    assert.deepEqual(reference, JSON.parse(await read("refrakt://reference")));
    const markdown = await call("refrakt_reference", { rune: "hint", format: "markdown" });
    assert.match(markdown.content[0].text, /^### hint/);
    assert.equal((await ok("refrakt_validate")).projectValid, true);
    assert.ok((await ok("refrakt_inspect_audit", { rune: "hint" })).styledSelectors > 0);
    assert.equal(
      (await ok("refrakt_package_validate", { package: "@refrakt-md/plan" })).valid,
      true,
    );
  }, { args: ["--trust", "--tools", "all"] });
  assert.deepEqual(readTree(dir), before);
});

Deno.test("two sites: errors list their names, and resources accept ?site=", async () => {
  await inProcess(twoSites(), async ({ call, ok, read, readError }) => {
    const ambiguous = await call("refrakt_contracts");
    assert.equal(ambiguous.errorCode, "SITE_AMBIGUOUS");
    for (const text of [ambiguous.content[0].text, ambiguous.hint]) {
      assert.ok(text.includes("main") && text.includes("blog"));
    }
    const unknown = await call("refrakt_inspect", { rune: "hint", site: "blgo" });
    assert.equal(unknown.errorCode, "SITE_UNKNOWN");
    assert.match(unknown.hint!, /"blog"/);
    assert.equal(
      (await call("refrakt_inspect", { rune: "hint", site: "constructor" })).errorCode,
      "SITE_UNKNOWN",
    );
    const work = JSON.parse(await read("refrakt://rune/work?site=blog&status=in-progress"));
    const attributes = { status: "in-progress" };
    assert.deepEqual(work, await ok("refrakt_inspect", { rune: "work", site: "blog", attributes }));
    const decoded = JSON.parse(await read("refrakt://rune/hint?type=a%3Db%20%22c&site=main"));
    assert.match(decoded.input, /type="a=b \\"c"/);
    const icon = JSON.parse(await read("refrakt://rune/icon?name=rocket&site=main"));
    assert.match(icon.input, /name="rocket"/);
    assert.equal((await readError("refrakt://contracts")).data["errorCode"], "SITE_AMBIGUOUS");
    assert.equal((await readError("refrakt://rune/hnt?site=main")).data["errorCode"], "NOT_FOUND");
    const parameter = await readError("refrakt://reference?sight=main");
    assert.equal(parameter.data["errorCode"], "INVALID_ARGS");
    assert.match(parameter.message, /site/);
  });
});
