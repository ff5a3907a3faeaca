import assert from "node:assert/strict";
import { launchFor } from "../../src/cli/grants.ts";
import { RefraktError } from "../../src/errors.ts";
import { openProject, type Project } from "../../src/project/project.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";
import { copyExample } from "../support/run.ts";

const config = (value: unknown) => ({ "refrakt.config.json": JSON.stringify(value) });

Deno.test("third-party code of sites and plugins is isolated", () => {
  const isolated = (project: Project) => {
    const { args } = launchFor(project);
    const flags = ["--unstable-worker-options", "--allow-import=jsr.io:443", "--isolate"];
    const given = flags.filter((flag) => args.includes(flag));
    assert.ok(given.length === 0 || given.length === flags.length, String(args));
    return given.length > 0;
  };
  assert.equal(isolated(openProject(copyExample("plan"))), false);
  assert.equal(isolated(openProject(copyExample("site"))), true);
  const own = makeProject({ ...SMALL_PLAN, ...config({ plugins: ["@refrakt-md/plan", "ralph"] }) });
  assert.equal(isolated(openProject(own)), false);
  const foreign = makeProject({ ...SMALL_PLAN, ...config({ plugins: ["@team/tools"] }) });
  assert.equal(isolated(openProject(foreign)), true);
});

Deno.test("a path with a comma, which Deno would split, is rejected", () => {
  const plain = openProject(makeProject(SMALL_PLAN));
  const planned = openProject(makeProject({
    ...config({ plan: { dir: "a,b" } }),
    "a,b/work/.gitkeep": "",
  }));
  for (
    const launch of [() => launchFor(plain, { base: "/home/ada,/" }), () => launchFor(planned)]
  ) {
    assert.throws(launch, (error) => {
      assert.ok(error instanceof RefraktError && error.code === "VALIDATION_ERROR");
      return /comma/.test(error.message);
    });
  }
});

Deno.test("the printed permissions exclude folders that a repository must not choose", () => {
  const names = [
    ".",
    "./",
    ".git",
    ".git/hooks",
    ".vscode",
    ".github/workflows",
    "node_modules/x",
    "${HOME}",
    "${workspaceFolder}",
    "$HOME",
    "%USERPROFILE%",
    "`id`",
    "-rf",
    "a b;c",
    "a\nb",
    "~",
  ];
  for (const dir of names) {
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
  for (const dir of ["plan", "docs/plan", "Plan 2", "plän", "my_plan-1.0"]) {
    const project = openProject(
      makeProject({ ...config({ plan: { dir } }), [`${dir}/.keep`]: "" }),
    );
    assert.ok(launchFor(project).args.includes(`--allow-write=${dir}`), dir);
  }
});
