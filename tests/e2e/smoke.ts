/**
 * What a client does in its first minutes, with any Deno on any system: lists, parallel creations,
 * changes of a file with CRLF that an editor saves too, claims by two servers, undo, HTTP, check,
 * pages, setup.
 *
 *     deno task windows                                     this Deno, and this checkout
 *     deno task windows --folder DIR COMMAND… {cwd} …       another Deno, and the package built into DIR
 *     deno task windows --entry jsr:@refrakt/mcp            this Deno, and a published package
 *
 * `{cwd}` in the command stands for the working directory. DIR is a folder that both Denos see.
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { build } from "../../.ci/build.ts";
import { withHttp } from "../support/http.ts";
import { runProcess } from "../support/process.ts";
import { commitAll, entity, makeProject, readTree, writeFiles } from "../support/project.ts";
import { initialized, ok, type RawServer } from "../support/raw.ts";
import { README_PERMISSIONS, ROOT, serverArgs, type StartOptions } from "../support/server.ts";
import { endGit } from "./smoke_git.ts";

export interface SmokeOptions {
  /** Its command; by default the running one. */
  readonly deno?: readonly string[];
  /** The folder for the project and the built package; by default a temporary one, and the checkout. */
  readonly folder?: string;
  /** A published package in place of the checkout. */
  readonly entry?: string;
}

const CRLF = "plan/work/WORK-010-crlf.md";

export async function smoke(
  { deno = [Deno.execPath()], folder, entry }: SmokeOptions,
  log: (step: string) => void = () => {},
): Promise<void> {
  const base = folder === undefined ? makeProject() : Deno.makeTempDirSync({ dir: folder });
  const cwd = join(base, "project");
  writeFiles(cwd, readTree(join(ROOT, "examples/site-and-plan")));
  writeFiles(cwd, { [CRLF]: `\uFEFF${crlfEntity()}`, "plan/work/WORK-011-b.md": item("WORK-011") });
  const options: StartOptions = {
    deno: deno.map((word) => word.replace("{cwd}", () => cwd)),
    ...(folder === undefined && entry === undefined ? {} : {
      entry: entry ?? "../package/src/bundle/mod.js",
      grants: ["--no-config", ...README_PERMISSIONS],
    }),
  };
  if (folder !== undefined) await build(join(base, "package"));
  const run = async (grants: readonly string[], args: readonly string[], input?: string) => {
    const given = { ...options, grants: [...(options.grants ?? README_PERMISSIONS), ...grants] };
    const [command, ...rest] = options.deno!;
    return await runProcess(command!, [...rest, ...serverArgs({ ...given, args })], cwd, input);
  };
  const step = async (name: string, work: () => Promise<void>) => {
    await work();
    log(name);
  };
  let home = "";
  let hasGit = false;
  try {
    await step("doctor finds no error", async () => {
      const { code, stdout, stderr } = await run([], ["doctor"]);
      assert.equal(code, 0, stdout + stderr);
      home = /ok +project +(\S+)/.exec(stdout)![1]!;
      hasGit = !/allow-run=git is missing|git is not installed/.test(stdout);
      if (hasGit) commitAll(cwd, "Start");
      else log("(there is no git)");
    });
    const first = await served(cwd, options);
    await step("the lists are complete", () => checkLists(first));
    await step("eight parallel creations have eight ids", async () => {
      assert.equal(new Set(await createdBy(first, "one")).size, 8);
    });
    await step("a file with CRLF and a byte order mark keeps both", () => changeCrlf(first, cwd));
    await step("an undo gives back every byte", () => undoUpdate(first, cwd));
    await step("no save of an editor is lost", () => saveMeanwhile(first, cwd, options.deno!));
    const second = await served(cwd, options);
    const all = [first, second];
    await step("creations of two servers have distinct ids", async () => {
      const ids = (await Promise.all(all.map((one, index) => createdBy(one, `of ${index}`, 3))))
        .flat();
      assert.equal(new Set(ids).size, 6, ids.join());
    });
    await step("two servers never claim the same item", async () => {
      const claim = (server: RawServer, assignee: string) =>
        Promise.all([1, 2, 3].map(() => ok(server, "plan_claim", { assignee })));
      const claimed = (await Promise.all([claim(first, "ada"), claim(second, "bob")])).flat();
      assert.equal(
        new Set(claimed.map(({ items }) => items[0].id)).size,
        6,
        JSON.stringify(claimed),
      );
    });
    await step("the plan is valid, and has no files of locks", async () => {
      const { counts, issues } = await ok(first, "plan_validate", { detail: "full" });
      assert.equal(counts.errors, 0, JSON.stringify(issues));
      const left = Object.keys(readTree(cwd)).filter((path) => /lock$|held$|tmp$/.test(path));
      assert.deepEqual(left, []);
    });
    if (hasGit) {
      await step("the history has the commit", async () => {
        const { events } = await ok(first, "plan_history", { id: "WORK-001" });
        assert.equal(events[0].message, "Start");
      });
      await step("git and its helpers end with a killed server", () => endGit(options, cwd));
    }
    await step(
      "a file that another program has open is written, or said to be open",
      () => writeOpenFile(first, cwd, options.deno!),
    );
    await step("pages are found by every spelling of their path", async () => {
      const absolute = `${home}/content/index.md`;
      const onWindows = ["content\\index.md", absolute.replaceAll("/", "\\")]
        .flatMap((path) => [path, path.toUpperCase(), path.toLowerCase()]);
      const cases = ["content/index.md", absolute, ...(home.includes(":") ? onWindows : [])];
      for (const page of cases) {
        const { path } = await ok(first, "refrakt_render", { path: page });
        assert.equal(path, "content/index.md", page);
      }
    });
    await step("the servers end with their input", async () => {
      assert.deepEqual(await Promise.all(all.map((server) => server.end())), [0, 0]);
      assert.deepEqual(all.flatMap(({ noise }) => noise), []);
    });
    await step("check finds nothing wrong", async () => {
      const { code, stdout, stderr } = await run([], ["check"]);
      assert.equal(code, 0, stdout + stderr);
    });
    await step("HTTP answers its own origin only", () => askOverHttp(cwd, options));
    await step(
      "setup writes its files, keeps CRLF, and takes back what it wrote",
      async () => {
        const others = { mcpServers: { other: { command: "other", args: [] } } };
        writeFiles(cwd, {
          "AGENTS.md": "# Agents\r\n\r\nBe kind.\r\n",
          ".mcp.json": `${JSON.stringify(others, null, 4).replaceAll("\n", "\r\n")}\r\n`,
        });
        const before = readTree(cwd);
        const changed = async (...more: string[]) => {
          const args = ["setup", "claude-code", ...more, "--yes"];
          const { code, stdout, stderr } = await run(["--allow-write=."], args);
          assert.equal(code, 0, stdout + stderr);
          return readTree(cwd);
        };
        const once = await changed();
        assert.match(once[".mcp.json"]!, /refrakt/);
        for (const path of ["AGENTS.md", ".mcp.json"]) {
          assert.doesNotMatch(once[path]!, /(?<!\r)\n/, path);
        }
        assert.deepEqual(await changed("--remove"), before);
        Deno.linkSync(join(cwd, "AGENTS.md"), join(base, "twin.md"));
        await run(["--allow-write=."], ["setup", "claude-code", "--yes"]);
        assert.equal(Deno.readTextFileSync(join(base, "twin.md")), before["AGENTS.md"]);
      },
    );
  } finally {
    if (folder !== undefined) Deno.removeSync(base, { recursive: true });
  }
}

function item(id: string): string {
  return entity("work", { id, status: "ready", priority: "high" }, `Item ${id}`, "Text.\n");
}

function crlfEntity(): string {
  const boxes = Array.from({ length: 9 }, (_, index) => `- [ ] Number ${index};\n`).join("");
  return entity("work", { id: "WORK-010", status: "draft" }, "CRLF", `Saves: 0.\n\n${boxes}`)
    .replaceAll("\n", "\r\n");
}

function served(cwd: string, options: StartOptions): Promise<RawServer> {
  return initialized(cwd, { ...options, name: "inspector-cli" });
}

async function checkLists(server: RawServer): Promise<void> {
  const cases = [["tools", "plan_create"], ["prompts", "plan"], ["resources", "plan"]];
  for (const [list, part] of cases) {
    const { result } = await server.request(`${list}/list`, {});
    const names = (result![list!] as { name: string }[]).map(({ name }) => name);
    assert.ok(names.some((name) => name.includes(part!)), `${list}: ${names}`);
  }
}

async function createdBy(server: RawServer, title: string, length = 8): Promise<string[]> {
  const created = await Promise.all(
    Array.from({ length }, (_, index) =>
      ok(server, "plan_create", {
        type: "work",
        title: `Item ${index} ${title}`,
        attrs: { status: "ready" },
      })),
  );
  return created.map(({ id }) => id);
}

async function changeCrlf(server: RawServer, cwd: string): Promise<void> {
  await ok(server, "plan_update", {
    id: "WORK-010",
    status: "in-progress",
    check: 9,
    sections: { Notes: "One\nTwo" },
  });
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(
    Deno.readFileSync(join(cwd, CRLF)),
  );
  assert.match(text, /^\uFEFF[^]*status="in-progress"[^]*- \[x\] Number 8;\r\n[^]*One\r\nTwo\r\n/);
  assert.doesNotMatch(text, /(?<!\r)\n|\r\r/);
}

async function undoUpdate(server: RawServer, cwd: string): Promise<void> {
  const before = readTree(join(cwd, "plan"));
  const { undo } = await ok(server, "plan_update", { id: "WORK-010", title: "Other", uncheck: 9 });
  assert.notDeepEqual(readTree(join(cwd, "plan")), before);
  assert.deepEqual((await ok(server, "plan_undo", { token: undo })).files, [CRLF]);
  assert.deepEqual(readTree(join(cwd, "plan")), before);
}

async function askOverHttp(cwd: string, options: StartOptions): Promise<void> {
  await withHttp(cwd, ["--http", "127.0.0.1:0"], async (url) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    const ask = async (origin: string) => {
      const headers = { origin, "content-type": "application/json", accept: "application/json" };
      const { status, body: answer } = await fetch(url, { method: "POST", body, headers });
      await answer?.cancel();
      return status;
    };
    assert.equal(await ask("https://evil.example"), 403);
    assert.notEqual(await ask(url.origin), 403);
  }, options);
}

/** An editor that saves every 20 ms, and expects to read its own text each time. */
const EDITOR = `
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const tried = async (work) => {
    for (let tries = 0;; tries++) {
      try { return work(); } catch (error) { if (tries > 200) throw error; await wait(5); }
    }
  };
  let lost = 0;
  for (let save = 1; save <= 20; save++) {
    let [text, found] = ["", -1];
    for (let look = 0; found !== save - 1 && look < 400; look++) {
      if (look > 0) await wait(5);
      text = await tried(() => Deno.readTextFileSync(${JSON.stringify(CRLF)}));
      found = Number(/Saves: (\\d+)/.exec(text)?.[1] ?? -1);
    }
    if (found !== save - 1) lost++;
    const saved = text.replace(/Saves: \\d+/, "Saves: " + save);
    await tried(() => Deno.writeTextFileSync(${JSON.stringify(CRLF)}, saved));
    await wait(20);
  }
  console.log(JSON.stringify({ lost }));
`;

async function saveMeanwhile(
  server: RawServer,
  cwd: string,
  deno: readonly string[],
): Promise<void> {
  const [command, ...rest] = deno;
  let isRunning = true;
  const editor = runProcess(command!, [...rest, "run", "-A", "-"], cwd, EDITOR)
    .finally(() => isRunning = false);
  let written = 0;
  for (let index = 0; isRunning; index++) {
    const kind = Math.floor(index / 9) % 2 === 0 ? "check" : "uncheck";
    const args = { id: "WORK-010", [kind]: index % 9 + 1 };
    const { result } = await server.request("tools/call", { name: "plan_update", arguments: args });
    if (result?.["isError"] !== true) written++;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { code, stdout, stderr } = await editor;
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), { lost: 0 });
  assert.ok(written > 1, String(written));
  assert.match(Deno.readTextFileSync(join(cwd, CRLF)), /Saves: 20\./);
}

/** Windows may refuse to replace a file that another program has open. */
async function writeOpenFile(
  server: RawServer,
  cwd: string,
  [command, ...rest]: readonly string[],
): Promise<void> {
  const code = `Deno.openSync(${JSON.stringify(CRLF)}); console.log("open");
    await Deno.stdin.read(new Uint8Array(1));`;
  const holder = new Deno.Command(command!, {
    args: [...rest, "eval", code],
    cwd,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const output = holder.stdout.getReader();
  await output.read();
  const args = { id: "WORK-010", assignee: "ada" };
  const { result } = await server.request("tools/call", { name: "plan_update", arguments: args });
  const before = Deno.readTextFileSync(join(cwd, CRLF));
  if (result!["isError"] === true) {
    assert.match(JSON.stringify(result), /FILE_OPERATION_FAILED.*another program has it open/);
    assert.doesNotMatch(before, /assignee/);
  }
  await output.cancel();
  await holder.stdin.close();
  await holder.status;
  await ok(server, "plan_update", { id: "WORK-010", assignee: "ben" });
  assert.match(Deno.readTextFileSync(join(cwd, CRLF)), /assignee="ben"/);
}

if (import.meta.main) {
  const say = (text: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
  const [flag, value = "", ...deno] = Deno.args;
  const options = flag === "--folder"
    ? { folder: value, deno }
    : flag === "--entry"
    ? { entry: value }
    : {};
  await smoke(options, (step) => say(`ok  ${step}`));
}
