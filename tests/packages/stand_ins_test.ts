import assert from "node:assert/strict";
import { join } from "node:path";
import { appendOutput, currentCall, runAsCall } from "../../src/packages/stand_in_call.ts";
import { detected } from "../support/detected.ts";
import { installPackages } from "../support/installed.ts";
import { publish } from "../support/published.ts";
import { configFor, manifestFor } from "../support/registry.ts";
import { makeProject, readTree } from "../support/project.ts";
import { withServer } from "../support/server.ts";

/** Each command does what packages do without a server in mind; those that print use their name. */
const PLUGIN = `
import fs from "node:fs";
import process, { cwd, exit } from "node:process";
import legacy from "./legacy.cjs";
const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));
const printing = {
  log: () => console.log("log"),
  stdout: () => process.stdout.write("stdout\\n"),
  bytes: () => new Promise((resolve) => process.stdout.write(new TextEncoder().encode("bytes\\n"), resolve)),
  timer: async () => { setTimeout(() => console.log("timer"), 5); await wait(30); },
};
let tried;
const other = {
  quiet: () => {},
  tried: () => tried,
  slow: async () => {
    for (let line = 0; line < 20; line++) { console.log("slow " + line); process.stdout.write("raw\\n"); await wait(50); }
  },
  json: () => console.log(JSON.stringify({ items: [1, 2] })),
  noise: () => { console.error("to stderr"); console.log("to stdout"); },
  exit: () => { console.error("said before"); process.exit(4); },
  exit0: () => { console.log("done"); process.exit(0); },
  denoexit: () => Deno.exit(4),
  exittimer: async () => { setTimeout(() => process.exit(4), 5); await wait(5000); },
  exitcaught: () => { try { process.exit(4); } catch { console.log("went on"); } },
  abort: () => process.abort(),
  link: () => fs.writeFileSync("plan/out.md", "x"),
  linkread: () => fs.readFileSync("plan/out.md", "utf8"),
  reject: async () => { Promise.reject(new Error("forgotten")); await wait(20); console.log("stood"); },
  throwlater: async () => { setTimeout(() => { throw new Error("late"); }, 1); await wait(20); console.log("stood"); },
  stdin: () => new Promise((resolve) => process.stdin.on("data", () => {}).on("end", resolve)),
  environment: () => { console.log(JSON.stringify([process.env.HOME ?? null, process.env.SECRET ?? null, Object.keys(process.env)])); },
  setting: () => { process.env.MADE_UP = "x"; console.log(process.env.MADE_UP); },
  directory: () => console.log(process.cwd()),
  outside: () => { console.log(fs.existsSync("/etc/passwd"), fs.existsSync("package.json")); },
  readoutside: () => { fs.readFileSync("/etc/passwd"); },
  writeoutside: () => { fs.writeFileSync("README.md", "x"); },
};
const ways = [
  (code) => process.exit(code),
  (code) => exit(code),
  (code) => { throw new Error("thrown " + code); },
  () => { console.log(cwd()); },
  (code) => { legacy.leave(code); },
];
const own = Array.from({ length: 15 }, (_, index) => ["own-" + index, async () => {
  console.error("said " + index);
  await wait(index % 4 * 10);
  ways[index % 5](index + 1);
  await wait(30);
}]);
const lies = Object.entries({
  write: () => fs.writeFileSync("plan/lie.md", "x"),
  later: () => fs.promises.writeFile("plan/lie.md", "x"),
  opened: () => fs.closeSync(fs.openSync("plan/lie.md", "w")),
  streamed: () => { fs.createWriteStream("plan/lie.md").end("x"); },
  made: () => fs.mkdirSync("plan/lie"),
  removed: () => fs.rmSync("plan/kept.md"),
  renamed: () => fs.renameSync("plan/kept.md", "plan/lie.md"),
  timer: async () => {
    tried = new Promise((done) => setTimeout(() => { try { fs.writeFileSync("plan/lie.md", "x"); } catch {} done(); }, 5));
    await wait(1);
  },
}).map(([name, handler]) => ({ name: "lie-" + name, description: name, handler, annotations: { readOnlyHint: true } }));
const command = ([name, handler]) => ({ name, description: name, handler });
export default {
  namespace: "made",
  commands: [
    ...Object.entries({ ...printing, ...other }).map(command), ...own.map(command), ...legacy.commands.map(command), ...lies,
    { name: "declared", description: "x", writes: ["plan"], annotations: { readOnlyHint: true },
      handler: () => fs.writeFileSync("plan/declared.md", "x") },
  ],
};
`;

const LEGACY = `
const { execSync, spawnSync, spawn } = require("node:child_process");
const leave = (code) => require("process").exit(code);
module.exports = { leave, commands: Object.entries({
  common: () => console.log("common"),
  git: () => execSync("git rev-parse --is-inside-work-tree"),
  gitspawn: () => spawnSync("git", ["version"]),
  spawn: () => spawn("git", ["log"]),
}) };
`;

const PRINTING = ["log", "stdout", "bytes", "timer", "common"];

Deno.test("endless output is cut without an error", async () => {
  const part = "x".repeat(600_000);
  const { call: { stdout } } = await runAsCall("/project", () => {
    for (const text of [part, part, part]) appendOutput(currentCall()!, "stdout", text);
  });
  assert.equal(stdout.length, 1_000_000);
});

Deno.test("output, writes and exits of a package affect only its call", async (test) => {
  await using server = await publish();
  const cwd = makeProject({
    "package.json": manifestFor("made"),
    "refrakt.config.json": configFor("made"),
  });
  installPackages(cwd, [{ name: "made", plugin: PLUGIN, files: { "legacy.cjs": LEGACY } }]);
  await new Deno.Command("git", { args: ["init", "-q"], cwd }).output();
  const outside = makeProject({ "out.md": "outside" });
  Deno.mkdirSync(join(cwd, "plan"));
  Deno.writeTextFileSync(join(cwd, "plan/kept.md"), "kept");
  Deno.symlinkSync(join(outside, "out.md"), join(cwd, "plan/out.md"));
  const before = readTree(cwd);
  const options = server.options(["--trust"]);
  await withServer(cwd, async ({ call, ok, client, stderr }) => {
    const text = async (name: string) => {
      const answer = await call(`made_${name}`);
      assert.ok(!answer.isError, `${name}: ${JSON.stringify(answer)}`);
      return answer.content[0].text;
    };
    const code = async (name: string) => {
      const answer = await call(`made_${name}`);
      assert.ok(answer.isError, `${name}: ${JSON.stringify(answer)}`);
      assert.ok(typeof answer.hint === "string", name);
      assert.deepEqual(answer._meta?.["errorCode"], answer.errorCode);
      return answer.errorCode;
    };
    await test.step("output of every print function is returned", async () => {
      for (const name of PRINTING) assert.equal(await text(name), name);
      assert.deepEqual(await ok("made_json"), { items: [1, 2] });
      assert.equal(await text("noise"), "to stdout");
      assert.deepEqual(await ok("made_quiet"), { ok: true });
    });
    await test.step("printing for a second neither delays nor swallows replies", async () => {
      const order: string[] = [];
      const slow = text("slow").finally(() => order.push("slow"));
      const beside = text("slow");
      const quick = Array.from({ length: 10 }, async (_, index) => {
        if (index % 2 === 0) await client.ping();
        else assert.equal(await text("log"), "log");
        order.push("quick");
      });
      await Promise.all([slow, ...quick]);
      assert.equal(order.at(-1), "slow");
      const lines = (await slow).split("\n");
      assert.equal(await beside, await slow, "the output of each call is its own");
      assert.equal(lines.length, 40);
      assert.ok(lines.every((line: string) => /^(slow \d+|raw)$/.test(line)), lines.join());
    });
    await test.step("exiting ends only the call", async () => {
      for (const name of ["denoexit", "exittimer", "exitcaught"]) {
        assert.equal(await code(name), "TOOL_FAILED", name);
      }
      assert.match((await call("made_exit")).content[0].text, /said before/);
      assert.equal(await text("exit0"), "done");
      assert.equal(await code("abort"), "TOOL_FAILED");
    });
    await test.step("exit code and errors of 15 calls at once are their own", async () => {
      const calls = Array.from({ length: 15 }, (_, index) => call(`made_own-${index}`));
      for (const [index, answer] of (await Promise.all(calls)).entries()) {
        const text = JSON.stringify(answer);
        const way = index % 5;
        if (way === 2) assert.ok(text.includes(`thrown ${index + 1}`), text);
        else if (way === 3) assert.equal(answer.content[0].text, cwd);
        else {
          assert.ok(text.includes(`said ${index}`), text);
          assert.ok(text.includes(`ended with exit code ${index + 1};`), text);
        }
      }
      assert.deepEqual(await ok("made_quiet"), { ok: true });
    });
    await test.step("links out of the project are neither read nor written", async () => {
      for (const name of ["link", "linkread"]) {
        assert.equal(await code(name), "PERMISSION_DENIED", name);
      }
      assert.equal(Deno.readTextFileSync(join(outside, "out.md")), "outside");
    });
    await test.step("unawaited promises and late errors do not end the server", async () => {
      assert.equal(await text("reject"), "stood");
      assert.equal(await text("throwlater"), "stood");
    });
    await test.step("the input belongs to the client", async () => {
      assert.deepEqual(await ok("made_stdin"), { ok: true });
      assert.equal(await text("log"), "log");
    });
    await test.step("the environment is empty, and can be set", async () => {
      assert.deepEqual(await ok("made_environment"), { items: [null, null, []] });
      assert.equal(await text("setting"), "x");
    });
    await test.step("files without permission are missing or rejected", async () => {
      assert.equal(await text("directory"), cwd);
      assert.equal(await text("outside"), "false true");
      for (const [access, target] of [["read", "/etc"], ["write", "README\\.md"]] as const) {
        const { errorCode, hint } = await call(`made_${access}outside`);
        assert.equal(errorCode, "PERMISSION_DENIED");
        assert.match(hint!, new RegExp(`--allow-${access}=${target}`));
      }
    });
    await test.step("a read-only command cannot write, and no command runs programs", async () => {
      const lies = ["write", "later", "opened", "streamed", "made", "removed", "renamed"];
      for (const name of [...lies.map((lie) => `lie-${lie}`), "git", "gitspawn", "spawn"]) {
        assert.equal(await code(name), "PERMISSION_DENIED", name);
      }
      await text("lie-timer");
      await text("tried");
      assert.deepEqual(readTree(cwd), before);
    });
    await test.step("declared writes override readOnlyHint", async () => {
      const { tools } = await client.listTools();
      const declared = tools.find(({ name }: { name: string }) => name === "made_declared")!;
      assert.equal(declared.annotations!.readOnlyHint, false);
      await ok("made_declared");
      Deno.removeSync(join(cwd, "plan/declared.md"));
    });
    await test.step("the server still runs, and nothing was written", async () => {
      assert.equal((await detected(ok)).plugins[0].namespace, "made");
      assert.deepEqual(readTree(cwd), before);
      assert.match(stderr(), /Unhandled rejection: Error: forgotten/);
    });
  }, options);
});
