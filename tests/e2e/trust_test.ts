import assert from "node:assert/strict";
import { join } from "node:path";
import { LOADER, loaderPlugin } from "../support/loader_plugin.ts";
import { makeProject, SMALL_PLAN, writeFiles } from "../support/project.ts";
import { FROM_DISK, publish } from "../support/published.ts";
import type { Session } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";

/** What no answer may contain: the text of files that must not be imported. */
const CANARY = "canary-7f3a";
const EVIL = `exports.evil = "${CANARY}";`;
const GOOD = "module.exports = { good: 'good package' };";
const PLUGIN = `node_modules/${LOADER}`;

function packageFiles(folder: string, name: string, source = GOOD): Record<string, string> {
  return {
    [`${folder}/package.json`]: JSON.stringify({ name, version: "1.0.0", main: "index.js" }),
    [`${folder}/index.js`]: source,
  };
}

/** Another folder of the user, with a `node_modules` that Deno lets every process import. */
function elsewhere(): string {
  const outside = temporaryFolder();
  writeFiles(outside, {
    "node_modules/x/secret.txt": CANARY,
    "node_modules/x/secret.json": JSON.stringify({ CANARY }),
    "node_modules/x/secret.js": EVIL,
    "node_modules/x/secret.mjs": `export const evil = "${CANARY}";`,
    ...packageFiles("node_modules/up", "up", EVIL),
    "read.txt": "read by a link",
  });
  return outside;
}

async function load({ call }: Session, how: string, what: string): Promise<string> {
  const text = JSON.stringify(await call("loader_load", { how, what }));
  assert.doesNotMatch(text, new RegExp(CANARY), `${how} ${what}`);
  return text;
}

Deno.test("code that --trust loads has what Deno permits, and no more", async (t) => {
  await using server = await publish();
  const outside = elsewhere();
  const cwd = makeProject({
    ...SMALL_PLAN,
    "package.json": JSON.stringify({ name: "project", dependencies: { [LOADER]: "1" } }),
    ...loaderPlugin(PLUGIN),
    ...packageFiles("node_modules/good", "good"),
    ...packageFiles("packages/helper", "helper"),
  });
  const link = (path: string, target: string) => Deno.symlinkSync(target, join(cwd, path));
  link("node_modules/linked", "../packages/helper");
  link("node_modules/up", join(outside, "node_modules/up"));
  link(`${PLUGIN}/environ.txt`, "/proc/self/environ");
  link(`${PLUGIN}/read.txt`, join(outside, "read.txt"));
  link(`${PLUGIN}/out`, join(outside, "node_modules/x"));
  const x = (name: string) => join(outside, "node_modules/x", name);

  await server.serve(cwd, [...FROM_DISK, "--trust"], async (session) => {
    await t.step("it imports the project's files and packages", async () => {
      const cases: [string, string, RegExp][] = [
        ["require", "good", /good package/],
        ["import", "good", /good package/],
        ["import", "#own", /own lazy module/],
        ["import", `${LOADER}/own/lazy.js`, /own lazy module/],
        ["require", "linked", /good package/],
        ["require", "../../../packages/helper", /good package/],
      ];
      for (const [how, what, said] of cases) {
        assert.match(await load(session, how, what), said, `${how} ${what}`);
      }
    });

    await t.step("no import reads outside the readable folders", async () => {
      const cases = [
        ["text", "./environ.txt"],
        ["text", "./out/secret.txt"],
        ["import", "./out/secret.js"],
        ["require", "./out/secret.js"],
        ["require", "up"],
        ["import", "up"],
        ["text", x("secret.txt")],
        ["json", x("secret.json")],
        ["eval", x("secret.txt")],
        ["vm", x("secret.txt")],
        ["data", `file://${x("secret.txt")}`],
        ["blob", `file://${x("secret.txt")}`],
        ["static", `file://${x("secret.mjs")}`],
        ["require", x("secret.js")],
        ["elsewhere", x("secret.json")],
        ["load", x("secret.js")],
        ["handler", x("secret.js")],
        ["builtin", x("secret.json")],
      ];
      for (const [how, what] of cases) {
        assert.match(await load(session, how!, what!), /"CODE_NOT_TRUSTED"/, `${how} ${what}`);
      }
      for (const how of ["hooks", "ownHooks"]) {
        assert.match(
          await load(session, how, `file://${x("secret.txt")}`),
          /Packages may not/,
          how,
        );
      }
      for (const how of ["worker", "threads"]) {
        assert.match(await load(session, how, "./environ.txt"), /may not start Workers/);
      }
    });

    await t.step("nothing leads to what other projects have kept", async () => {
      const { webidl } = { webidl: "Deno[Deno.internal].webidl" };
      const ways: [string, RegExp][] = [
        ["typeof caches + typeof CacheStorage + typeof Cache", /undefinedundefinedundefined/],
        ["process.getBuiltinModule('vm').runInNewContext('typeof caches')", /undefined/],
        [`${webidl}.createBranded(CacheStorage)`, /CacheStorage is not defined/],
        [
          "String(Object.keys(Deno[Deno.internal].core.ops).some((op) => /op_cache/.test(op)))",
          /false/,
        ],
      ];
      for (const [what, said] of ways) assert.match(await load(session, "run", what), said, what);
    });

    await t.step("the rest is what Deno permits", async () => {
      const ways: [string, RegExp][] = [
        [`Deno.readTextFileSync("${PLUGIN}/read.txt")`, /read by a link/],
        [`Deno.readTextFileSync("${outside}/read.txt")`, /No permission to read/],
        ["Deno.writeTextFileSync('plan/by-code', 'x')", /"isError":false|^(?!.*isError)/],
        ["Deno.writeTextFileSync('by-code', 'x')", /No permission to write/],
        ["Deno.env.get('HOME')", /No permission to read the environment variable/],
        ["fetch('http://127.0.0.1:8009')", /No permission to connect to/],
      ];
      for (const [what, said] of ways) assert.match(await load(session, "run", what), said, what);
    });
  });
});
