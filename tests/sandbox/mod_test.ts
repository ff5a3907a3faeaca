import assert from "node:assert/strict";
import { join } from "node:path";
import { detected } from "../support/detected.ts";
import { installedServer, installPackages } from "../support/installed.ts";
import { configFor, manifestFor } from "../support/registry.ts";
import { makeProject, readTree } from "../support/project.ts";
import { withServer } from "../support/server.ts";

/** Each command tries one way out of its call; ends with the name of the command where it prints. */
const PLUGIN = `
import fs, { readFileSync, writeSync } from "node:fs";
import net from "node:net";
import tty from "node:tty";
import { DatabaseSync } from "node:sqlite";
import { abort, env as namedEnv, kill as namedKill, stdout as namedStdout } from "node:process";
import { registerHooks } from "node:module";
import { createRequire } from "node:module";
import nodeConsole, { Console } from "node:console";
import process from "node:process";
import legacy from "./legacy.cjs";
const require = createRequire(import.meta.url);
const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));
const bytes = (text) => new TextEncoder().encode(text);
const printing = {
  log: () => console.log("log"),
  info: () => console.info("info"),
  dirxml: () => console.dirxml("dirxml"),
  table: () => console.table("table"),
  group: () => { console.group("group"); console.groupEnd(); console.time("t"); console.countReset(); },
  node: () => nodeConsole.log("node"),
  made: () => new Console(process.stdout).log("made"),
  stdout: () => process.stdout.write("stdout\\n"),
  end: () => process.stdout.end("end\\n"),
  deno: () => Deno.stdout.writeSync(bytes("deno\\n")),
  named: () => namedStdout.write("named\\n"),
  denowrite: () => Deno.stdout.write(bytes("denowrite\\n")),
  writable: async () => { const w = Deno.stdout.writable.getWriter(); await w.write(bytes("writable")); },
  fd: () => writeSync(1, "fd\\n"),
  fdpart: () => fs.writeSync(1, bytes("xfdpartx"), 1, 6),
  fdlater: () => new Promise((resolve) => fs.write(1, "fdlater\\n", resolve)),
  fdfile: () => fs.writeFileSync(1, "fdfile\\n"),
  fdappend: () => fs.appendFileSync(1, "fdappend\\n"),
  fdstream: () => new Promise((resolve) => fs.createWriteStream("", { fd: 1 }).end("fdstream\\n", resolve)),
  device: () => fs.writeFileSync("/dev/stdout", "device\\n"),
  required: () => require("fs").writeSync(1, "required\\n"),
  builtin: () => process.getBuiltinModule("node:fs").writeSync(1, "builtin\\n"),
  timer: async () => { setTimeout(() => console.log("timer"), 5); await wait(30); },
};
const other = {
  quiet: () => {},
  slow: async () => {
    for (let line = 0; line < 20; line++) { console.log("slow " + line); process.stdout.write("raw\\n"); await wait(50); }
  },
  json: () => console.log(JSON.stringify({ items: [1, 2] })),
  noise: () => { console.error("to stderr"); console.log("to stdout"); },
  exit: () => { console.error("said before"); process.exit(4); },
  exit0: () => { console.log("done"); process.exit(0); },
  denoexit: () => Deno.exit(4),
  exitlater: async () => { await wait(5); process.exit(4); },
  exittimer: async () => { setTimeout(() => process.exit(4), 5); await wait(5000); },
  exitcaught: () => { try { process.exit(4); } catch { console.log("went on"); } },
  exitcode: () => { process.exitCode = 4; },
  close: () => { globalThis.close(); },
  closeout: () => { Deno.stdout.close(); process.stdout.destroy(); fs.closeSync(1); },
  prototype: () => Object.getPrototypeOf(Deno.stdout).writeSync.call(Deno.stdout, bytes("noise\\n")),
  constructed: () => Deno.stdout.constructor.prototype.writeSync.call(Deno.stdout, bytes("noise\\n")),
  class: () => process.stdout.constructor.prototype._write.call(process.stdout, bytes("class\\n"), "", () => {}),
  core: () => Deno[Deno.internal].core.print("noise\\n", false),
  terminal: () => { new tty.WriteStream(1).write("noise\\n"); },
  socket: () => { new net.Socket({ fd: 1 }).write("noise\\n"); },
  binding: () => process.binding("pipe_wrap"),
  disguised: () => import("data:text/javascript,import fs from 'node:fs'; fs.writeSync(1, 'disguised\\n')//@modelcontextprotocol/"),
  child: () => { new Deno.Command("git", { args: ["-c", "alias.x=!echo noise", "x"], stdout: "inherit" }).outputSync(); },
  hooks: () => registerHooks({ resolve: (specifier, context, next) => next(specifier, context) }),
  abort: () => abort(),
  namedkill: () => namedKill(process.pid, "SIGKILL"),
  namedenv: () => console.log(String(namedEnv.HOME)),
  handler: async () => {
    process.on("uncaughtException", () => process.exit(1));
    setTimeout(() => { throw new Error("late"); }, 1);
    await wait(20);
    console.log("stood");
  },
  database: () => { new DatabaseSync("plan/out.db").exec("create table t (a)"); },
  denolink: () => Deno.writeTextFileSync("plan/out.md", "x"),
  denolater: () => Deno.writeTextFile("plan/out.md", "x"),
  denoopen: () => { Deno.openSync("plan/out.md", { write: true }).writeSync(bytes("x")); },
  nodelink: () => fs.writeFileSync("plan/out.md", "x"),
  kill: () => process.kill(process.pid, "SIGTERM"),
  denokill: () => Deno.kill(Deno.pid, "SIGTERM"),
  worker: () => { new Worker("data:text/javascript,console.log(1)", { type: "module" }); },
  thread: async () => { const { Worker } = await import("node:worker_threads"); new Worker("console.log(1)", { eval: true }); },
  reject: async () => { Promise.reject(new Error("forgotten")); await wait(20); console.log("stood"); },
  throwlater: async () => { setTimeout(() => { throw new Error("late"); }, 1); await wait(20); console.log("stood"); },
  string: () => { throw "just a string"; },
  nothing: () => { throw undefined; },
  stdin: () => { console.log(readFileSync(0, "utf8").length); process.stdin.on("data", () => {}); process.stdin.destroy(); },
  environment: () => { console.log(JSON.stringify([process.env.HOME ?? null, process.env.SECRET ?? null, Object.keys(process.env)])); },
  setting: () => { process.env.MADE_UP = "x"; console.log(process.env.MADE_UP); },
  directory: () => console.log(process.cwd()),
  outside: () => { console.log(fs.existsSync("/etc/passwd"), fs.existsSync("package.json")); },
  readoutside: () => { fs.readFileSync("/etc/passwd"); },
  writeoutside: () => { fs.writeFileSync("README.md", "x"); },
};
const command = ([name, handler]) => ({ name, description: name, handler });
export default {
  namespace: "made",
  commands: [...Object.entries({ ...printing, ...other }).map(command), ...legacy.map(command)],
};
`;

const LEGACY = `
const fs = require("fs");
const { execSync, execFileSync, spawnSync, spawn, exec } = require("node:child_process");
const text = (value) => String(value).trim();
module.exports = Object.entries({
  common: () => fs.writeSync(1, "common\\n"),
  git: () => console.log(text(execSync("git rev-parse --is-inside-work-tree"))),
  gitfile: () => console.log(text(execFileSync("git", ["version"], { encoding: "utf8" }))),
  gitspawn: () => console.log(spawnSync("git", ["version"], { encoding: "utf8" }).status),
  gitfails: () => execSync("git rev-parse no-such-thing"),
  shell: () => execSync("sh -c 'echo hi'"),
  injection: () => execSync('git log --since="x"; touch pwned'),
  substitution: () => execSync('git log "$(touch pwned)"'),
  option: () => execFileSync("git", ["log", "--output=pwned"]),
  config: () => execFileSync("git", ["-c", "core.pager=touch pwned", "log"]),
  elsewhere: () => execSync("git log", { cwd: "/" }),
  spawn: () => spawn("git", ["log"]),
  exec: () => exec("git log"),
});
`;

const PRINTING = [
  ["log", "info", "dirxml", "table", "group", "node", "made", "stdout", "end", "deno"],
  ["named", "denowrite", "writable", "fd", "fdpart", "fdlater", "fdfile", "fdappend", "fdstream"],
  ["device", "required", "builtin", "timer", "common"],
].flat();

Deno.test("a plugin cannot reach the client's streams, the process or a shell", async (test) => {
  await using server = await installedServer();
  const cwd = makeProject({
    "package.json": manifestFor("made"),
    "refrakt.config.json": configFor("made"),
  });
  installPackages(cwd, [{ name: "made", plugin: PLUGIN, files: { "legacy.cjs": LEGACY } }]);
  await new Deno.Command("git", { args: ["init", "-q"], cwd }).output();
  const outside = makeProject({ "out.md": "outside", "out.db": "" });
  Deno.mkdirSync(join(cwd, "plan"));
  for (const name of ["out.md", "out.db"]) {
    Deno.symlinkSync(join(outside, name), join(cwd, "plan", name));
  }
  const before = readTree(cwd);
  const options = server.options(["--trust", "@made-up/made"]);
  await withServer(cwd, async ({ call, ok, client, stderr }) => {
    const text = async (name: string) => {
      const answer = await call(`made.${name}`);
      assert.ok(!answer.isError, `${name}: ${JSON.stringify(answer)}`);
      return answer.content[0].text;
    };
    const code = async (name: string) => {
      const answer = await call(`made.${name}`);
      assert.ok(answer.isError, `${name}: ${JSON.stringify(answer)}`);
      assert.ok(typeof answer.hint === "string" || name === "string", name);
      assert.deepEqual(answer._meta?.["errorCode"], answer.errorCode);
      return answer.errorCode;
    };
    await test.step("whatever it prints with is the answer", async () => {
      for (const name of PRINTING) assert.equal(await text(name), name);
      assert.deepEqual(await ok("made.json"), { items: [1, 2] });
      assert.equal(await text("noise"), "to stdout");
      assert.deepEqual(await ok("made.quiet"), { ok: true });
    });
    await test.step("one that prints for a second delays no reply and swallows none", async () => {
      const order: string[] = [];
      const slow = text("slow").then((value) => {
        order.push("slow");
        return value;
      });
      const quick = Array.from({ length: 10 }, async (_, index) => {
        if (index % 2 === 0) await client.ping();
        else assert.equal(await text("log"), "log");
        order.push("quick");
      });
      await Promise.all([slow, ...quick]);
      assert.equal(order.at(-1), "slow");
      const lines = (await slow).split("\n");
      assert.equal(lines.length, 40);
      assert.ok(lines.every((line: string) => /^(slow \d+|raw)$/.test(line)), lines.join());
    });
    await test.step("the output of overlapping calls is kept apart", async () => {
      const [first, second] = await Promise.all([text("slow"), text("slow")]);
      assert.equal(first, second);
    });
    await test.step("asking to exit ends the call alone", async () => {
      for (const name of ["denoexit", "exitlater", "exittimer", "exitcaught", "exitcode"]) {
        assert.equal(await code(name), "TOOL_FAILED", name);
      }
      assert.match((await call("made.exit")).content[0].text, /said before/);
      assert.equal(await text("exit0"), "done");
      await text("close");
      await text("closeout");
    });
    await test.step("no way around them leads to the real stdout", async () => {
      for (const name of ["prototype", "constructed", "core", "terminal", "socket", "binding"]) {
        const answer = await call(`made.${name}`);
        assert.ok(answer.isError || JSON.stringify(answer).includes("noise"), name);
      }
      for (const name of ["child", "hooks"]) {
        assert.equal(await code(name), "PERMISSION_DENIED", name);
      }
      await call("made.class");
      assert.equal(await text("disguised"), "disguised");
    });
    await test.step("names that were imported are guarded as the process is", async () => {
      assert.equal(await code("abort"), "TOOL_FAILED");
      assert.equal(await code("namedkill"), "PERMISSION_DENIED");
      assert.equal(await text("namedenv"), "undefined");
      assert.equal(await text("handler"), "stood");
    });
    await test.step("nothing is written through a link that leaves the project", async () => {
      for (const name of ["database", "denolink", "denolater", "denoopen", "nodelink"]) {
        assert.equal(await code(name), "PERMISSION_DENIED", name);
      }
      assert.equal(Deno.readTextFileSync(join(outside, "out.md")), "outside");
    });
    await test.step("signals and workers are refused", async () => {
      for (const name of ["kill", "denokill", "worker", "thread"]) {
        assert.equal(await code(name), "PERMISSION_DENIED", name);
      }
    });
    await test.step("forgotten promises and late errors end nothing", async () => {
      assert.equal(await text("reject"), "stood");
      assert.equal(await text("throwlater"), "stood");
      assert.match((await call("made.string")).content[0].text, /just a string/);
      assert.equal(await code("nothing"), "TOOL_FAILED");
    });
    await test.step("the input belongs to the client", async () => {
      assert.equal(await text("stdin"), "0");
      assert.equal(await text("log"), "log");
    });
    await test.step("it sees nothing of the environment, and may set what it likes", async () => {
      assert.deepEqual(await ok("made.environment"), { items: [null, null, []] });
      assert.equal(await text("setting"), "x");
    });
    await test.step("files outside the grants are not there, or refused", async () => {
      assert.equal(await text("directory"), cwd);
      assert.equal(await text("outside"), "false true");
      const reading = await call("made.readoutside");
      assert.equal(reading.errorCode, "PERMISSION_DENIED");
      assert.match(reading.hint!, /--allow-read=\/etc/);
      const writing = await call("made.writeoutside");
      assert.equal(writing.errorCode, "PERMISSION_DENIED");
      assert.match(writing.hint!, /--allow-write=README\.md/);
    });
    await test.step("git runs, without a shell and without dangerous options", async () => {
      assert.equal(await text("git"), "true");
      assert.match(await text("gitfile"), /^git version/);
      assert.equal(await text("gitspawn"), "0");
      assert.equal(await code("gitfails"), "TOOL_FAILED");
      for (
        const name of [
          "shell",
          "injection",
          "substitution",
          "option",
          "config",
          "elsewhere",
          "spawn",
          "exec",
        ]
      ) {
        assert.equal(await code(name), "PERMISSION_DENIED", name);
      }
    });
    await test.step("the server is still standing, and nothing was written", async () => {
      assert.equal((await detected(ok)).plugins[0].namespace, "made");
      assert.deepEqual(readTree(cwd), before);
      assert.match(stderr(), /Unhandled rejection in a plugin: Error: forgotten/);
    });
  }, options);
});
