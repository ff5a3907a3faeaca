import assert from "node:assert/strict";
import { join } from "node:path";
import { loaderPlugin } from "../support/loader_plugin.ts";
import { commitAll, git, makeProject, SMALL_PLAN, writeFiles } from "../support/project.ts";
import { runProcess } from "../support/process.ts";
import { FROM_DISK, publish } from "../support/published.ts";
import { linkTree } from "../support/link_tree.ts";
import {
  childEnvironment,
  README_PERMISSIONS,
  type Session,
  withServer,
} from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";

/** What no answer may contain: the text of files that must not be imported. */
const CANARY = "canary-7f3a";
const EVIL = `exports.evil = "${CANARY}";`;
const PLUGIN = "node_modules/@refrakt-md/loader";

function packageFiles(folder: string, name: string, source = EVIL): Record<string, string> {
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
    ...packageFiles("node_modules/up", "up"),
    "plain.txt": CANARY,
  });
  return outside;
}

function link(cwd: string, path: string, target: string): void {
  Deno.mkdirSync(join(cwd, path, ".."), { recursive: true });
  Deno.symlinkSync(target, join(cwd, path));
}

/** Calls the plugin's tool, and returns the answer as text. */
async function load({ call }: Session, how: string, what: string): Promise<string> {
  const answer = await call("loader.load", { how, what });
  const text = JSON.stringify(answer);
  assert.doesNotMatch(text, new RegExp(CANARY), `${how} ${what}`);
  return text;
}

const GOOD = "module.exports = { good: 'good package' };";

/** An installed project: nothing under `node_modules` is tracked but what the test adds. */
function installed(files: Record<string, string> = {}): string {
  const cwd = makeProject({
    ...SMALL_PLAN,
    "package.json": JSON.stringify({
      name: "project",
      dependencies: { "@refrakt-md/loader": "1" },
    }),
    ".gitignore": "node_modules\n",
    ...loaderPlugin(PLUGIN),
    ...packageFiles("node_modules/good", "good", GOOD),
    ...packageFiles("node_modules/tracked", "tracked"),
    ...files,
  });
  commitAll(cwd, "Start");
  return cwd;
}

Deno.test("every import of a plugin is judged by the file it would load", async (t) => {
  await using server = await publish();
  const outside = elsewhere();

  await t.step("in an installed project, with files of the repository in the way", async () => {
    const cwd = installed({
      ...packageFiles("node_modules/nearer", "nearer", GOOD),
      ...packageFiles("node_modules/@refrakt-md/node_modules/nearer", "nearer"),
      ...packageFiles("node_modules/target", "target", GOOD),
      ...packageFiles("node_modules/manifest", "manifest", GOOD),
      ...packageFiles("vendor/real", "linked"),
      ...packageFiles("node_modules/swapped", "swapped", GOOD),
      "node_modules/beside.js": EVIL,
      "node_modules/beside.json": `{ "evil": "${CANARY}" }`,
      "node_modules/beside.cjs": EVIL,
      "node_modules/beside.mjs": `export const evil = "${CANARY}";`,
      "node_modules/beside.node": EVIL,
      "node_modules/untracked.js": EVIL,
      "node_modules/good/added.js": "exports.ok = 'added';",
      "src/tracked.js": EVIL,
    });
    link(cwd, "node_modules/linked", "../vendor/real");
    link(cwd, "node_modules/link.js", "../src/tracked.js");
    link(cwd, "node_modules/redirected", "target");
    link(cwd, "node_modules/store", "../vendor");
    link(cwd, `${PLUGIN}/environ.js`, "/proc/self/environ");
    link(cwd, `${PLUGIN}/environ.txt`, "/proc/self/environ");
    link(cwd, `${PLUGIN}/secret.txt`, join(outside, "node_modules/x/secret.txt"));
    link(cwd, `${PLUGIN}/plain.json`, join(outside, "plain.txt"));
    link(cwd, `${PLUGIN}/out`, join(outside, "node_modules/x"));
    link(cwd, "node_modules/up", join(outside, "node_modules/up"));
    const tracked = ["tracked", "redirected", "swapped/index.js", "manifest/package.json"];
    for (const ending of ["js", "json", "cjs", "mjs", "node"]) tracked.push(`beside.${ending}`);
    for (const path of tracked) git(cwd, "add", "-f", `node_modules/${path}`);
    git(cwd, "add", "-f", "node_modules/@refrakt-md/node_modules");
    const file = (path: string) => join(cwd, "node_modules", path);
    const url = (path: string) => `file://${file(path)}`;
    const x = (name: string) => join(outside, "node_modules/x", name);
    const refused: [how: string, what: string, file?: string][] = [
      ["require", "tracked", "node_modules/tracked/index.js is tracked by git"],
      ["import", "tracked"],
      ["import", "npm:tracked@*"],
      ["text", "npm:tracked@*"],
      ["static", url("tracked/index.js")],
      ["resolve", "tracked"],
      ["elsewhere", file("tracked/index.js")],
      ["elsewhereResolve", file("tracked")],
      ["load", file("tracked")],
      ["builtin", file("tracked")],
      ["cjs", "tracked"],
      ["cjsModule", file("tracked")],
      ["handler", file("tracked/index.js")],
      ["import", "#tracked"],
      ["import", "#linked", "vendor/real/index.js is a file of the project"],
      ["require", "linked"],
      ["require", "../../link.js", "src/tracked.js"],
      ["import", "../../link.js", "src/tracked.js"],
      ["text", "../../link.js", "src/tracked.js"],
      ["require", "redirected", "node_modules/target/index.js is tracked by git, as a link"],
      ["require", "nearer", "node_modules/@refrakt-md/node_modules/nearer/index.js"],
      ["import", "nearer"],
      ["require", "store/real"],
      ["require", "swapped"],
      ["import", "swapped/index.js"],
      ["require", "manifest", "node_modules/manifest/index.js is tracked by git"],
      ["require", "beside", "node_modules/beside.js"],
      ["require", "../../beside"],
      ["require", "../../beside.json"],
      ["require", "../../beside.cjs"],
      ["require", "../../beside.node"],
      ["import", "../../beside.mjs"],
      ["json", "../../beside.json"],
      ["text", "../../beside.js"],
      ["bytes", "../../beside.js"],
      ["static", url("beside.mjs")],
      ["require", "untracked", "node_modules/untracked.js"],
      ["import", "./../../../src/tracked.js", "src/tracked.js"],
      ["text", "../../../package.json", "package.json"],
      ["text", "./environ.txt", "/proc/"],
      ["bytes", "./environ.js"],
      ["import", "./environ.js"],
      ["require", "./environ.js"],
      ["text", "./secret.txt", x("secret.txt")],
      ["text", "./out/secret.txt", x("secret.txt")],
      ["import", "./out/secret.js"],
      ["require", "./out/secret.js"],
      ["require", "./plain.json", "plain.txt"],
      ["eval", x("secret.txt")],
      ["vm", x("secret.txt")],
      ["data", `file://${x("secret.txt")}`],
      ["blob", `file://${x("secret.txt")}`],
      ["static", `file://${x("secret.mjs")}`],
      ["require", x("secret.json"), x("secret.json")],
      ["elsewhere", x("secret.json")],
      ["load", x("secret.js")],
      ["handler", x("secret.json")],
      ["json", x("secret.json")],
      ["require", "up", `--allow-read=.,${join(outside, "node_modules")}`],
      ["import", "up"],
    ];
    await server.serve(cwd, FROM_DISK, async (session) => {
      const failed: string[] = [];
      for (const [how, what, said = ""] of refused) {
        const text = await load(session, how, what);
        if (!/"CODE_NOT_TRUSTED"/.test(text) || !text.includes(said)) {
          failed.push(`${how} ${what}: ${text.slice(0, 400)}`);
        }
      }
      assert.deepEqual(failed, []);
      const cases = [
        ["hooks", `file://${x("secret.txt")}`],
        ["ownHooks", `file://${x("secret.txt")}`],
        ["worker", x("secret.txt")],
        ["threads", x("secret.txt")],
      ];
      for (const [how, what] of cases) {
        assert.match(await load(session, how!, what!), /Packages may not/, how);
      }
      const loaded: [string, string, RegExp][] = [
        ["require", "good", /good package/],
        ["import", "good", /good package/],
        ["import", "#good", /good package/],
        ["import", "#own", /own lazy module/],
        ["import", "@refrakt-md/loader/own/lazy.js", /own lazy module/],
        ["text", "../../good/added.js", /added/],
      ];
      for (const [how, what, said] of loaded) {
        assert.match(await load(session, how, what), said, `${how} ${what}`);
      }
    });
  });

  await t.step("what a checkout changes while the server runs is judged anew", async () => {
    const cwd = installed({
      ...packageFiles("node_modules/later", "later", GOOD),
      ...packageFiles("node_modules/late", "late", GOOD),
    });
    await server.serve(cwd, FROM_DISK, async (session) => {
      assert.match(await load(session, "require", "late"), /good package/);
      writeFiles(cwd, { "node_modules/later/index.js": EVIL, "node_modules/new.js": EVIL });
      git(cwd, "add", "-f", "node_modules/later/index.js", "node_modules/new.js");
      assert.match(await load(session, "require", "later"), /CODE_NOT_TRUSTED.*later\/index\.js/);
      assert.match(await load(session, "require", "new"), /CODE_NOT_TRUSTED.*new\.js/);
      assert.match(await load(session, "require", "good"), /good package/);
    });
  });

  await t.step("in the library, only imports that begin at our loader are judged", async () => {
    const cwd = installed({
      "lib/mine.cjs": "exports.mine = 'module of the program';",
      "node_modules/theirs.js": "exports.mine = 'beside packages';",
      "host.js": `
        import { createServer } from "jsr:@refrakt/mcp";
        import { createRequire } from "node:module";
        const server = await createServer({ cwd: Deno.cwd() });
        const load = (how, what) =>
          server.callTool("loader.load", { how, what }).then(JSON.stringify, ({ code }) => code);
        for (const how of ["require", "import"]) console.log(await load(how, "tracked"));
        const path = Deno.cwd() + "/node_modules/tracked/index.js";
        for (const how of ["elsewhere", "cjsModule"]) console.log(await load(how, path));
        console.log(await load("import", "#own"));
        const require = createRequire(import.meta.url);
        console.log(require("./lib/mine.cjs"), require("./node_modules/theirs.js"));
        console.log((await import("./lib/mine.cjs")).default, typeof Worker);
        await server.close();
        Deno.exit();
      `,
    });
    git(cwd, "add", "-f", "node_modules/tracked", "node_modules/theirs.js");
    const { JSR_URL } = server.options().env!;
    const args = ["run", "-A", ...FROM_DISK, "host.js"];
    const { stdout } = await runProcess(Deno.execPath(), args, cwd, undefined, {
      JSR_URL: JSR_URL!,
    });
    assert.match(
      stdout,
      /^(?:CODE_NOT_TRUSTED\n){4}.*own lazy module.*\n.*program.*beside.*\n.*program.* function/,
    );
    assert.doesNotMatch(stdout, new RegExp(CANARY));
  });

  await t.step("Deno's cache in the project is the project's code if git tracks it", async () => {
    const { stdout } = await runProcess(Deno.execPath(), ["info", "--json"], outside);
    const cwd = makeProject({ ...SMALL_PLAN, ".gitignore": ".deno\n" });
    linkTree(join(JSON.parse(stdout).denoDir, "npm"), join(cwd, ".deno/npm"), () => true);
    commitAll(cwd, "Start");
    const env = { ...childEnvironment(), DENO_DIR: join(cwd, ".deno") };
    git(cwd, "add", "-f", ".deno/npm/registry.npmjs.org/@refrakt-md/plan");
    await withServer(cwd, async ({ call }) => {
      const answer = JSON.stringify(await call("plan_status"));
      assert.match(answer, /CODE_NOT_TRUSTED.*is tracked by git/);
    }, { grants: README_PERMISSIONS, env });
  });

  await t.step("code that --trust loaded reads nothing outside either", async () => {
    const cwd = installed(packageFiles("packages/helper", "helper", GOOD));
    git(cwd, "add", "-f", PLUGIN);
    link(cwd, `${PLUGIN}/environ.txt`, "/proc/self/environ");
    writeFiles(outside, { "read.txt": "read by a link" });
    link(cwd, `${PLUGIN}/read.txt`, join(outside, "read.txt"));
    git(cwd, "add", "-f", PLUGIN);
    commitAll(cwd, "Track it");
    const x = join(outside, "node_modules/x");
    await server.serve(cwd, [...FROM_DISK, "--trust=local"], async (session) => {
      assert.match(await load(session, "import", "#own"), /own lazy module/);
      assert.match(await load(session, "require", "../../../packages/helper"), /good package/);
      const cases = [
        ["text", "./environ.txt"],
        ["text", `${x}/secret.txt`],
        ["require", `${x}/secret.js`],
        ["elsewhere", `${x}/secret.json`],
        ["load", `${x}/secret.js`],
        ["handler", `${x}/secret.js`],
        ["data", `file://${x}/secret.txt`],
        ["import", `${x}/secret.mjs`],
      ];
      for (const [how, what] of cases) {
        assert.match(await load(session, how!, what!), /"CODE_NOT_TRUSTED"/, how);
      }
      for (const how of ["worker", "threads"]) {
        assert.match(await load(session, how, "./environ.txt"), /may not start Workers/);
      }
      // What only Deno's permissions limit.
      const ways: [string, RegExp][] = [
        [`Deno.readTextFileSync("${PLUGIN}/read.txt")`, /read by a link/],
        [`Deno.readTextFileSync("${outside}/read.txt")`, /No permission to read/],
        ["Deno.writeTextFileSync('plan/by-code', 'x')", /"isError":false|^(?!.*isError)/],
        ["Deno.writeTextFileSync('by-code', 'x')", /No permission to write/],
        ["Deno.env.get('HOME')", /No permission to read the environment variable/],
        ["fetch('http://127.0.0.1:8009')", /No permission to connect to/],
      ];
      for (const [what, said] of ways) assert.match(await load(session, "run", what), said);
    });
  });
});
