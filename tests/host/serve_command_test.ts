import assert from "node:assert/strict";
import { join } from "node:path";
import { chooseDeno, launchFor } from "../../src/host/serve_command.ts";
import { DENO, denoByNpx } from "../../src/host/shell.ts";
import { RefraktError } from "../../src/errors.ts";
import { openProject } from "../../src/host/open_project.ts";
import { TESTED_DENO } from "../../src/runtime.ts";
import { runProcess } from "../support/process.ts";
import { makeProject, readTree, SMALL_PLAN, writeFiles } from "../support/project.ts";
import { programOf } from "../support/server.ts";

const config = (value: unknown) => ({ "refrakt.config.json": JSON.stringify(value) });

Deno.test("a command that trusts the project's code has no git, unless it is asked for", () => {
  const project = openProject(makeProject(SMALL_PLAN), { code: { trust: true } });
  assert.ok(launchFor(openProject(project.cwd)).args.includes("--allow-run=git"));
  const { args } = launchFor(project);
  assert.equal(args.at(-1), "--trust");
  assert.ok(!args.some((arg) => arg.startsWith("--allow-run")), String(args));
  assert.ok(launchFor(project, { git: true }).args.includes("--allow-run=git"));
});

Deno.test("a path with a comma, which Deno would split, is rejected", () => {
  const plain = openProject(makeProject(SMALL_PLAN));
  const files = { ...config({ plan: { dir: "a,b" } }), "a,b/work/.gitkeep": "" };
  const planned = openProject(makeProject(files));
  const launches = [() => launchFor(plain, { base: "/home/ada,/" }), () => launchFor(planned)];
  for (const launch of launches) {
    assert.throws(launch, { code: "VALIDATION_ERROR", message: /comma/ });
  }
});

Deno.test("the printed permissions exclude folders that a repository must not choose", () => {
  const names = (". ./ .git .git/hooks .vscode .github/workflows node_modules/x sub/.git/hooks " +
    "sub/.husky sub/deep/.VSCODE sub/node_modules Node_Modules sub/NODE_MODULES/x node_modules. " +
    "${HOME} ${workspaceFolder} $HOME %USERPROFILE% `id` -rf ~").split(" ");
  for (const dir of [...names, "a b;c", "a\nb"]) {
    const cwd = makeProject({ ...config({ plan: { dir } }), "docs/.keep": "" });
    Deno.mkdirSync(`${cwd}/${dir}`, { recursive: true });
    const project = openProject(cwd);
    let args: readonly string[] = [];
    try {
      args = launchFor(project).args;
    } catch (error) {
      assert.ok(error instanceof RefraktError && error.code === "VALIDATION_ERROR", dir);
    }
    const write = args.find((arg) => arg.startsWith("--allow-write="));
    assert.ok(write === undefined || write === "--allow-write=plan", `${dir}: ${write}`);
  }
  for (const dir of ["..", "/etc", "../../other", "plan/../.."]) {
    const project = openProject(makeProject(config({ plan: { dir } })));
    assert.ok(launchFor(project).args.includes("--allow-write=plan"), dir);
  }
  const linked = makeProject({ ...SMALL_PLAN, "sub/.git/hooks/.keep": "" });
  Deno.symlinkSync(`${linked}/sub/.git/hooks`, `${linked}/specs`);
  assert.throws(
    () => launchFor(openProject(linked, { plugins: ["ralph"] })),
    /write access to "specs"/,
    "a link counts as what it leads to",
  );
  for (const dir of ["plan", "docs/plan", "Plan 2", "plän", "my_plan-1.0"]) {
    const files = { ...config({ plan: { dir } }), [`${dir}/.keep`]: "" };
    const project = openProject(makeProject(files));
    assert.ok(launchFor(project).args.includes(`--allow-write=${dir}`), dir);
  }
});

Deno.test("with installed packages, --trust reads them, also in a folder above or a store", () => {
  const plan = "node_modules/@refrakt-md/plan";
  const manifest = '{"name":"@refrakt-md/plan","version":"0.25.1"}';
  const root = makeProject({
    ...SMALL_PLAN,
    [`${plan}/package.json`]: manifest,
    "apps/site/package.json": "{}",
  });
  const flagsIn = (cwd: string, trust: boolean) =>
    launchFor(openProject(cwd), { trust }).args.filter((arg) => /modules|read/.test(arg));
  assert.deepEqual(flagsIn(root, false), ["--allow-read=."]);
  assert.deepEqual(flagsIn(root, true), ["--node-modules-dir=manual", "--allow-read=."]);
  const app = join(root, "apps/site");
  assert.deepEqual(flagsIn(makeProject(), true), ["--allow-read=."]);
  writeFiles(app, { "package.json": '{"dependencies":{"@refrakt-md/plan":"*"}}' });
  assert.deepEqual(flagsIn(app, true), ["--node-modules-dir=manual", "--allow-read=.,../.."]);
  const store = makeProject({ [`store/v10/links/p/1/${plan}/package.json`]: manifest });
  const linked = makeProject({ ...SMALL_PLAN, "node_modules/@refrakt-md/.keep": "" });
  const links = join(store, "store/v10/links");
  Deno.symlinkSync(join(links, "p/1", plan), join(linked, plan));
  assert.deepEqual(flagsIn(linked, true), ["--node-modules-dir=manual", `--allow-read=.,${links}`]);
});

const NPX = ["-y", `deno@${TESTED_DENO}`];
const BY_PATH = { execPath: "/home/ada/.deno/bin/deno", standalone: false, isOnPath: () => true };
const [CACHED, CACHED_WINDOWS] = ["/home/ada/.npm/_npx/1f/node_modules/deno", "C:\\x\\_npx\\deno"];

Deno.test("Deno is started by name, by path for clients with another PATH, or else by npx", () => {
  const npx = denoByNpx();
  const path = { command: BY_PATH.execPath, args: [] };
  const cases = [
    [false, false, {}, DENO],
    [false, true, {}, path],
    // A compiled binary is no Deno.
    [false, true, { execPath: "/opt/refrakt-mcp", standalone: true }, DENO],
    [true, false, {}, npx],
    [false, true, { isOnPath: () => false }, npx],
    [false, false, { execPath: CACHED }, npx],
    [false, false, { execPath: CACHED_WINDOWS }, npx],
  ] as const;
  for (const [isAsked, ownPath, facts, expected] of cases) {
    assert.deepEqual(chooseDeno(isAsked, ownPath, { ...BY_PATH, ...facts }), expected);
  }
  assert.deepEqual(denoByNpx("linux"), { command: "npx", args: NPX });
  // A script there, which needs the shell.
  assert.deepEqual(denoByNpx("windows"), { command: "cmd", args: ["/c", "npx", ...NPX] });
});

Deno.test("without deno on the PATH, everything printed and written starts it by npx", async () => {
  const cwd = makeProject({ "refrakt.config.json": '{ "plugins": ["@acme/x"] }' });
  const run = async (write: string, ...args: string[]) => {
    const grants = ["--no-prompt", "--allow-read=.", "--allow-run=git"];
    if (write !== "") grants.push(`--allow-write=${write}`);
    const command = ["run", ...grants, programOf(), ...args];
    const { stdout, stderr } = await runProcess(Deno.execPath(), command, cwd, undefined, {
      PATH: cwd,
    });
    return stdout + stderr;
  };
  const texts = [
    await run("", "help"),
    await run("", "doctor"),
    await run("", "call", "plan_next"),
    await run("", "setup", "claude-code", "--yes"),
    await run("plan", "call", "plan_init"),
    await run("", "read", "skill://refrakt-work-plan/SKILL.md"),
    await run(".", "setup", "claude-code", "--yes"),
    Object.values(readTree(cwd)).join("\n"),
  ];
  for (const text of texts) {
    const lines = text.replaceAll(/\s+/g, " ");
    assert.match(lines, /npx -y deno@|"npx"/);
    assert.doesNotMatch(lines, /(?<!npx -y )\bdeno run /);
  }
});
