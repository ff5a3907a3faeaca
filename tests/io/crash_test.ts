import assert from "node:assert/strict";
import { join } from "node:path";
import { commitAll, makeProject, readTree, SMALL_PLAN } from "../support/project.ts";
import { startRaw } from "../support/raw.ts";
import { withServer } from "../support/server.ts";
import { testUnless } from "../support/skip.ts";

const GRANTS = [
  "--no-prompt",
  "--allow-read=.",
  "--allow-write=plan,specs,.gitignore",
  "--allow-run=git",
];

/** Every kind of write, as often as it can be asked for. */
const WRITES = (round: number): [string, Record<string, unknown>][] => [
  ["plan.update", { id: "WORK-001", status: round % 2 === 0 ? "in-progress" : "ready" }],
  ["plan.update", { id: "WORK-001", check: "all" }],
  ["plan.create", { type: "work", title: `Made in round ${round}` }],
  ["plan.create", { type: "spec", title: `Specified in round ${round}` }],
  ["plan.migrate", { subcommand: "filenames", apply: true }],
  ["ralph_start", { goal: `The goal of round ${round}`, name: `made-${round}` }],
];

/** Every file is whole: an entity has its end, a state file is JSON. */
function checkFiles(cwd: string): void {
  for (const [path, text] of Object.entries(readTree(cwd))) {
    if (path.endsWith(".tmp")) continue;
    if (path.startsWith("plan/") && path.endsWith(".md") && !path.includes("INDEX")) {
      assert.match(text, /^\{% (\w+) [^]*\{% \/\1 %\}\s*$/, `${path} is whole:\n${text}`);
    }
    if (path.endsWith(".json")) assert.doesNotThrow(() => JSON.parse(text), `${path}:\n${text}`);
  }
}

Deno.test("a kill at any moment leaves whole files, and a project that can be worked on", async () => {
  const { "plan/bugs/BUG-001-crash.md": bug, ...rest } = SMALL_PLAN;
  const cwd = makeProject({ ...rest, "plan/bugs/crash.md": bug! });
  commitAll(cwd, "one");
  for (let round = 0; round < 4; round++) {
    const server = startRaw(cwd, { grants: GRANTS, args: ["--plugin", "ralph"] });
    await server.request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "inspector-client", version: "1" },
    });
    // The first answer comes when everything is loaded; the kill falls among the writes after it.
    await server.request("tools/call", { name: "plan.next", arguments: {} });
    for (const [name, input] of WRITES(round)) {
      server.send({
        jsonrpc: "2.0",
        id: `${name}${round}`,
        method: "tools/call",
        params: { name, arguments: input },
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 5 + 12 * round));
    Deno.kill(server.pid, "SIGKILL");
    await server.end();
    checkFiles(cwd);
  }
  await withServer(cwd, async ({ ok }) => {
    await ok("plan.update", { id: "WORK-001", status: "done" });
    await ok("plan.create", { type: "work", title: "After all" });
  }, { grants: GRANTS, args: ["--plugin", "ralph"] });
  checkFiles(cwd);
});

testUnless(
  canMount() ? undefined : "only root on Linux mounts a small file system",
  "a full disk is an error, and leaves what was there",
  async () => {
    const cwd = makeProject();
    mount(cwd);
    try {
      for (const [path, text] of Object.entries(SMALL_PLAN)) {
        Deno.mkdirSync(join(cwd, path, ".."), { recursive: true });
        Deno.writeTextFileSync(join(cwd, path), text);
      }
      fill(join(cwd, "filler"));
      const before = readTree(cwd);
      await withServer(cwd, async ({ call, ok }) => {
        for (const [name, input] of WRITES(0).filter(([name]) => name !== "plan.migrate")) {
          const answer = await call(name, input);
          assert.equal(answer.isError, true, `${name}: ${JSON.stringify(answer)}`);
          assert.ok(answer.errorCode !== undefined, name);
          assert.deepEqual(
            readTree(cwd)[`plan/work/WORK-001-first.md`],
            before["plan/work/WORK-001-first.md"],
          );
        }
        Deno.removeSync(join(cwd, "filler"));
        await ok("plan.update", { id: "WORK-001", status: "in-progress" });
      }, { grants: GRANTS, args: ["--plugin", "ralph"] });
      checkFiles(cwd);
    } finally {
      unmount(cwd);
    }
  },
);

/** Writes until there is no place, to the last byte. */
function fill(path: string): void {
  const file = Deno.openSync(path, { write: true, create: true });
  for (const size of [65_536, 4096, 1]) {
    try {
      for (;;) file.writeSync(new Uint8Array(size));
    } catch {
      // No place for so much: try less.
    }
  }
  file.close();
}

function run(...command: [string, ...string[]]): boolean {
  const [name, ...args] = command;
  return new Deno.Command(name, { args, stdout: "null", stderr: "null" }).outputSync().success;
}

function mount(folder: string): boolean {
  return run("mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", folder);
}

function unmount(folder: string): void {
  run("umount", folder);
}

function canMount(): boolean {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return false;
  const folder = makeProject();
  const done = mount(folder);
  if (done) unmount(folder);
  return done;
}
