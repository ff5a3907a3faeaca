/** No tool writes outside its folder, whatever links a repository brings. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { entity, git, linkTo, makeProject, SMALL_PLAN } from "../support/project.ts";
import { refrakt } from "../support/run.ts";
import { type Asked, README_PERMISSIONS, withServer } from "../support/server.ts";
import { coreSite } from "../plugins/site/projects.ts";

/** The permissions of the README for a plan, for specs and for a site, and all of the project. */
const GRANTS = {
  "the README's permissions": [...README_PERMISSIONS, "--allow-write=plan,specs,content"],
  "write permission for the project": [...README_PERMISSIONS, "--allow-write=."],
};

const REFUSED = /^(?:PERMISSION_DENIED|FILE_OPERATION_FAILED|TOOL_FAILED)$/;

type Call = readonly [tool: string, args: Record<string, unknown>];

type Case = {
  files?: Record<string, string>;
  links: Record<string, string>;
  calls: readonly Call[];
};

const BUG = entity("bug", { id: "BUG-007", status: "confirmed", severity: "major" }, "Bug", "");
const WORK = entity("work", { id: "WORK-007", status: "ready" }, "Seven", "- [ ] BUG-007\n");

const OF_PLAN: readonly Call[] = [
  ["plan_create", { type: "bug", title: "New bug" }],
  ["plan_create", { type: "bug", title: "New bug", id: "BUG-055" }],
  ["plan_update", { id: "BUG-007", severity: "minor" }],
  ["plan_update", { id: "BUG-007", status: "in-progress", preview: true }],
  ["plan_claim", { id: "BUG-007", assignee: "ada" }],
  ["plan_rename", { kind: "id", from: "BUG-007", to: "BUG-070" }],
];

/** Repositories with links, and calls that write through them. */
const CASES: Record<string, Case> = {
  ...Object.fromEntries(
    ["src", ".claude", ".github/workflows", ".git/refs/tags"].map((target) => [
      `a folder of the plan that leads to ${target}`,
      {
        files: { [`${target}/BUG-007.md`]: BUG },
        links: { "plan/bugs": `../${target}` },
        calls: OF_PLAN,
      },
    ]),
  ),
  "a file of the plan that is another file of the project": {
    files: { "src/BUG-007.md": BUG },
    links: { "plan/bugs/BUG-007.md": "../../src/BUG-007.md" },
    calls: OF_PLAN.slice(2),
  },
  "a file with a wrong name in a folder that leads to the sources": {
    files: { "src/odd.md": BUG },
    links: { "plan/bugs": "../src" },
    calls: [["plan_migrate", { subcommand: "filenames", apply: true }]],
  },
  "a milestones folder that leads to the sources": {
    files: { "src/v9.md": entity("milestone", { name: "v9", status: "active" }, "v9 — Nine", "") },
    links: { "plan/milestones": "../src" },
    calls: [
      ["plan_create", { type: "milestone", id: "v10", title: "Ten" }],
      ["plan_update", { id: "v9", status: "complete" }],
    ],
  },
  "a new plan in a folder with links": {
    links: { "notes/work": "../src", "notes/INSTRUCTIONS.md": "../src/instructions.md" },
    calls: [["plan_init", { dir: "notes" }], ["plan_init", { dir: ".git/plan" }]],
  },
  "a plan below .git": {
    files: { ".git/plan/bugs/BUG-007.md": BUG },
    links: { "shortcut": ".git/plan" },
    calls: [".git/plan", "shortcut", "plan/../.git/plan"].flatMap((dir) =>
      OF_PLAN.map(([tool, args]): Call => [tool, { ...args, dir }])
    ),
  },
  ...Object.fromEntries(
    ["src", ".claude", ".git/refs/tags"].map((target) => [
      `a specs folder that leads to ${target}`,
      {
        files: { [`${target}/auth/.ralph-state.json`]: '{"phase":"research"}' },
        links: { specs: target },
        calls: [
          ["ralph_start", { goal: "New" }],
          ["ralph_start", { name: "auth", resume: true }],
          ["ralph_switch", { name: "auth" }],
          ["ralph_complete_phase", { spec_name: "auth", phase: "research", summary: "s" }],
          ["ralph_cancel", { spec_name: "auth", delete_files: true, confirm: true }],
        ],
      },
    ]),
  ),
  "files of a spec that lead elsewhere": {
    files: {
      "src/state.json": '{"phase":"research"}',
      "src/.progress.md": "# Progress\n",
      "specs/auth/research.md": "# Research\n",
    },
    links: {
      "specs/auth/.ralph-state.json": "../../src/state.json",
      "specs/auth/.progress.md": "../../src/.progress.md",
    },
    calls: [
      ["ralph_start", { name: "auth", resume: true }],
      ["ralph_complete_phase", { spec_name: "auth", phase: "research", summary: "s" }],
      ["ralph_cancel", { spec_name: "auth" }],
    ],
  },
};

for (const [granted, grants] of Object.entries(GRANTS)) {
  Deno.test(`a link in a plan or a spec leads no write elsewhere, with ${granted}`, async (test) => {
    for (const [name, { files = {}, links, calls }] of Object.entries(CASES)) {
      const cwd = repository({ ...withoutLinked(SMALL_PLAN, links), ...files }, links);
      const before = outsideOf(cwd);
      await test.step(name, () =>
        withServer(cwd, async ({ call }) => {
          for (const [tool, args] of calls) {
            const answer = await call(tool, args);
            const said = `${tool} ${JSON.stringify(args)}: ${answer.content[0].text}`;
            assert.match(answer.errorCode ?? "none", REFUSED, said);
            assert.deepEqual(outsideOf(cwd), before, said);
          }
        }, { grants, args: ["--plugin", "ralph"] }));
    }
  });
}

Deno.test("a pointer to the current spec that is a link is replaced", async () => {
  const cwd = repository({ "specs/auth/.ralph-state.json": '{"phase":"research"}' }, {
    "specs/.current-spec": "../src/a.ts",
  });
  const before = outsideOf(cwd);
  await withServer(cwd, async ({ ok }) => {
    await ok("ralph_switch", { name: "auth" });
    assert.equal(Deno.readTextFileSync(join(cwd, "specs/.current-spec")), "auth");
    assert.deepEqual(outsideOf(cwd), before);
  }, { grants: GRANTS["write permission for the project"], args: ["--plugin", "ralph"] });
});

Deno.test("links within a plan work, and so does a linked plan that Deno may write", async () => {
  const items = { "plan/items/BUG-007.md": BUG, "plan/items/seven.txt": WORK };
  const within = repository(items, {
    "plan/bugs": "items",
    "plan/work/WORK-007.md": "../items/seven.txt",
  });
  await withServer(within, async (session) => {
    const tree = await writesAndUndoes(session, within);
    assert.ok(Object.keys(tree).some((path) => /^plan\/items\/BUG-008.*\.md$/.test(path)));
  });
  const files = { "docs/plan/bugs/BUG-007.md": BUG, "docs/plan/work/WORK-007.md": WORK };
  const linked = repository(files, { plan: "docs/plan" });
  await withServer(linked, async (session) => void await writesAndUndoes(session, linked), {
    grants: [...README_PERMISSIONS, "--allow-write=docs/plan"],
  });
  // Deno was asked for `plan`, not for what the repository makes of it.
  await withServer(linked, async ({ call }) => {
    const before = allFiles(linked);
    assert.equal((await call("plan_update", { id: "BUG-007", severity: "minor" })).isError, true);
    assert.deepEqual(allFiles(linked), before);
  });
});

/** Creates and changes entities, and undoes that; returns the files in between. */
async function writesAndUndoes({ ok }: Asked, cwd: string): Promise<Record<string, string>> {
  const before = allFiles(cwd);
  const created = await ok("plan_create", { type: "bug", title: "New bug" });
  const changed = await ok("plan_update", { id: "WORK-007", priority: "high" });
  const renamed = await ok("plan_rename", { kind: "id", from: "BUG-007", to: "BUG-070" });
  const after = allFiles(cwd);
  for (const { undo: token } of [renamed, changed, created]) await ok("plan_undo", { token });
  assert.deepEqual(allFiles(cwd), before);
  return after;
}

Deno.test("an undo is judged when it happens", async () => {
  const swaps = { ".git/refs/tags": "../../.git/refs/tags", src: "../../src" };
  for (const [target, link] of Object.entries(swaps)) {
    const cwd = repository({ ...SMALL_PLAN, "plan/work/sub/BUG-007.md": BUG }, {});
    const sub = join(cwd, "plan/work/sub");
    await withServer(cwd, async ({ ok, call }) => {
      const { undo: renamed } = await ok("plan_rename", {
        kind: "id",
        from: "BUG-007",
        to: "BUG-070",
      });
      const { undo: changed } = await ok("plan_update", { id: "BUG-070", severity: "minor" });
      for (const { name } of Deno.readDirSync(sub)) {
        Deno.renameSync(join(sub, name), join(cwd, target, name));
      }
      Deno.removeSync(sub);
      linkTo(link, sub);
      const before = outsideOf(cwd);
      for (const token of [changed, renamed]) {
        for (const preview of [true, false]) {
          const answer = await call("plan_undo", { token, preview });
          assert.equal(answer.errorCode, "PERMISSION_DENIED", answer.content[0].text);
          assert.deepEqual(outsideOf(cwd), before);
        }
      }
    }, { grants: GRANTS["write permission for the project"] });
  }
});

Deno.test("a page moves only within the content folder, under a name that can be read", async () => {
  for (const [granted, grants] of Object.entries(GRANTS)) {
    const cwd = coreSite({}, { "content/index.md": "# A\n", "content/q.md": "# Q\n" });
    addOthers(cwd);
    const links = { "content/in": "../src", "content/tags": "../.git/refs/tags" };
    for (const [path, target] of Object.entries(links)) linkTo(target, join(cwd, path));
    linkTo("../src/new.md", join(cwd, "content/dangling.md"));
    const before = allFiles(cwd);
    const targets = [
      ...["content/in/q.md", "in/q.md", "content/in/", "content/in/new/q.md", "in/../in/q.md"],
      ...["content/tags/v1", "content/dangling.md", "../src/q.md", ".git/q.md"],
      ...["q\u200b.md", "q\n.md", "q\u200cr.md", "new\u2028/q.md", "q\u202e.md", "q\u0007.md"],
      ...["con.md", "aux/q.md", "a:b.md", "q./r.md", "q|r.md"],
    ];
    await withServer(cwd, async ({ call, ok }) => {
      for (const to of targets) {
        for (const redirect of [false, true]) {
          const answer = await call("refrakt_move", { path: "content/q.md", to, redirect });
          assert.ok(answer.isError, `${granted}, ${JSON.stringify(to)}: ${answer.content[0].text}`);
          assert.deepEqual(allFiles(cwd), before, to);
        }
      }
      assert.ok((await ok("refrakt_move", { path: "content/q.md", to: "sub/r.md" })).moved);
    }, { grants });
  }
});

Deno.test("corrections and setup write nothing in .git, nor outside of the content", async () => {
  const bad = '# A\n\n{% hint type="wrning" %}\nx\n{% /hint %}\n';
  const cwd = coreSite({}, { "content/index.md": "# A\n", "src/bad.md": bad });
  addOthers(cwd);
  linkTo("../src", join(cwd, "content/in"));
  linkTo("../src/bad.md", join(cwd, "content/bad.md"));
  linkTo(".git/refs/tags", join(cwd, ".claude"));
  const before = allFiles(cwd);
  const grants = ["--no-prompt", "--allow-read=.", "--allow-write=."];
  for (const args of [["check", "--fix"], ["check", "content/in", "--fix"]]) {
    await refrakt(cwd, args, { grants });
    assert.deepEqual(allFiles(cwd), before, args.join(" "));
  }
  const { code, stderr } = await refrakt(cwd, ["setup", "claude-code", "--yes"], { grants });
  assert.deepEqual([code, allFiles(cwd)], [1, before], stderr);
});

function repository(files: Record<string, string>, links: Record<string, string>): string {
  const cwd = makeProject(files);
  addOthers(cwd);
  for (const [path, target] of Object.entries(links)) {
    Deno.mkdirSync(join(cwd, path, ".."), { recursive: true });
    linkTo(target, join(cwd, path));
  }
  return cwd;
}

/** Adds what no tool may change. */
function addOthers(cwd: string): void {
  git(cwd, "init", "-q");
  for (const folder of ["src", ".github/workflows"]) {
    Deno.mkdirSync(join(cwd, folder), { recursive: true });
  }
  Deno.writeTextFileSync(join(cwd, "src/a.ts"), "export {};\n");
}

/** Leaves out the files in whose place there are links. */
function withoutLinked(files: Record<string, string>, links: Record<string, string>) {
  const taken = Object.keys(links);
  return Object.fromEntries(
    Object.entries(files).filter(([path]) => !taken.some((link) => path.startsWith(link))),
  );
}

/** Every file of a project, `.git` included, by its path. */
function allFiles(cwd: string, folder = ""): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { name, isDirectory, isSymlink } of Deno.readDirSync(join(cwd, folder))) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (isDirectory) Object.assign(files, { [path]: "" }, allFiles(cwd, path));
    else if (isSymlink) files[path] = Deno.readLinkSync(join(cwd, path));
    else files[path] = Deno.readTextFileSync(join(cwd, path));
  }
  return files;
}

function outsideOf(cwd: string): Record<string, string> {
  const written = /^(?:plan|specs|notes)\//;
  return Object.fromEntries(Object.entries(allFiles(cwd)).filter(([path]) => !written.test(path)));
}
