import assert from "node:assert/strict";
import { launchFor } from "../../src/npm/serve_command.ts";
import { RefraktError } from "../../src/errors.ts";
import { openProject } from "../../src/project/project.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";

const config = (value: unknown) => ({ "refrakt.config.json": JSON.stringify(value) });

Deno.test("a command that trusts third-party code has no git, unless it is asked for", () => {
  const project = openProject(makeProject(SMALL_PLAN), { code: { trusted: ["local", "@acme/x"] } });
  assert.ok(launchFor(openProject(project.cwd)).args.includes("--allow-run=git"));
  const { args } = launchFor(project);
  assert.deepEqual(args.slice(-2), ["--trust", "local,@acme/x"]);
  assert.ok(!args.some((arg) => arg.startsWith("--allow-run")), String(args));
  assert.ok(launchFor(project, { git: true }).args.includes("--allow-run=git"));
});

Deno.test("a path with a comma, which Deno would split, is rejected", () => {
  const plain = openProject(makeProject(SMALL_PLAN));
  const planned = openProject(makeProject({
    ...config({ plan: { dir: "a,b" } }),
    "a,b/work/.gitkeep": "",
  }));
  const launches = [() => launchFor(plain, { base: "/home/ada,/" }), () => launchFor(planned)];
  for (const launch of launches) {
    assert.throws(launch, (error) => {
      assert.ok(error instanceof RefraktError && error.code === "VALIDATION_ERROR");
      return /comma/.test(error.message);
    });
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
    const project = openProject(
      makeProject({ ...config({ plan: { dir } }), [`${dir}/.keep`]: "" }),
    );
    assert.ok(launchFor(project).args.includes(`--allow-write=${dir}`), dir);
  }
});
