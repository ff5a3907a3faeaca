import assert from "node:assert/strict";
import { join } from "node:path";
import { launchFor } from "../../src/host/serve_command.ts";
import { RefraktError } from "../../src/errors.ts";
import { openProject } from "../../src/host/open_project.ts";
import { makeProject, SMALL_PLAN, writeFiles } from "../support/project.ts";

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
  assert.deepEqual(flagsIn(linked, true), [
    "--node-modules-dir=manual",
    `--allow-read=.,${links}`,
  ]);
});
