import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { makeProject, readTree, SMALL_PLAN } from "../support/project.ts";
import { inProcess } from "../support/in_process.ts";
import { type Asked, README_PERMISSIONS, withServer } from "../support/server.ts";
import { NOT_UNIX, testUnless } from "../support/skip.ts";
import { itemsOf } from "../support/rows.ts";

/** Files that the server reads without being asked. */
const READ =
  ("package.json deno.json deno.jsonc package-lock.json pnpm-lock.yaml pnpm-workspace.yaml " +
    "yarn.lock deno.lock refrakt.config.json node_modules/@refrakt-md/plan/package.json " +
    "node_modules/@refrakt-md/runes/package.json plan/work/WORK-003-odd.md " +
    "specs/made/.ralph-state.json content/index.md").split(" ");

/** Replaces each with something that is not a plain file. */
function withSpecialFiles(make: (path: string) => void): string {
  const cwd = makeProject(SMALL_PLAN);
  for (const path of READ) {
    Deno.mkdirSync(dirname(join(cwd, path)), { recursive: true });
    make(join(cwd, path));
  }
  return cwd;
}

const KINDS: Readonly<Record<string, (path: string) => void>> = {
  "FIFOs": (path) => {
    new Deno.Command("mkfifo", { args: [path] }).outputSync();
  },
  "devices without an end": (path) => Deno.symlinkSync("/dev/zero", path),
  "links out of the project": (path) => Deno.symlinkSync("/etc/passwd", path),
  "folders, and links in a circle": (path) => {
    if (READ.findIndex((each) => path.endsWith(each)) % 2 === 0) Deno.mkdirSync(path);
    else Deno.symlinkSync(path, path);
  },
  "files of a gigabyte": (path) => {
    const file = Deno.openSync(path, { write: true, create: true });
    file.truncateSync(2 ** 30);
    file.close();
  },
};

/** Those that Deno's permissions or a process of its own matter for. */
const SERVED = ["FIFOs", "links out of the project"];

testUnless(
  NOT_UNIX,
  "what is no plain file in the place of any file of a project holds up nothing and shows nothing",
  async (test) => {
    const use = async ({ ok, call }: Asked) => {
      const answers = [await ok("refrakt_detect"), await ok("refrakt_version")];
      const items = itemsOf(await ok("plan_list"));
      assert.equal(items.length, Object.keys(SMALL_PLAN).length);
      for (const name of ["plan_next", "plan_status", "plan_validate", "ralph_status"]) {
        answers.push(await call(name, {}));
      }
      assert.ok(!JSON.stringify(answers).includes("root:x:0"));
    };
    for (const [kind, make] of Object.entries(KINDS)) {
      await test.step(kind, async () => {
        const cwd = withSpecialFiles(make);
        if (!SERVED.includes(kind)) return await inProcess(cwd, use, { plugins: ["ralph"] });
        await withServer(cwd, use, { grants: README_PERMISSIONS, args: ["--plugin", "ralph"] });
      });
    }
  },
);

/** Markdown that takes its parsers seconds, hours or forever. */
const HARD: Readonly<Record<string, string>> = {
  "open tags": "{% a %}".repeat(101),
  "tags": "{% work ".repeat(20_000),
  "table": `${"|a".repeat(20_000)}\n${"|-".repeat(20_000)}\n${"|x\n".repeat(60_000)}`,
  "images": `${"![".repeat(200)}${"[a](<".repeat(5000)}`,
  "boxes": "- [ ] a\n".repeat(2_500_000),
};

const REFUSED = ["open-tags", "tags", "table", "boxes"];

Deno.test("slow Markdown is a warning and delays no other file", async (test) => {
  const header = (id: string) => `{% work id="${id}" status="ready" %}\n\n# Title\n\n`;
  const hard = Object.entries(HARD).map(([name, text]) => ({ name: name.replace(" ", "-"), text }));
  const cwd = makeProject({
    ...SMALL_PLAN,
    "package.json": '{"dependencies":{"@refrakt-md/plan":"^0.25.1"}}',
    "pnpm-lock.yaml": "  '".repeat(700_000),
    "yarn.lock": '"'.repeat(2_000_000),
    "deno.jsonc": "/*".repeat(100_000),
    "refrakt.config.json": '{"plan":{"dir":"plan"},"site":{"contentDir":"content"}}',
    "content/index.md": "# Start\n\nWelcome.\n",
    "content/front.md": `---\n${"title: x\n".repeat(20_000)}---\n# T\n`,
    "content/_partials/hard.md": HARD["open tags"]!,
    "specs/large/tasks.md": "- [ ] 1.1 a\n".repeat(80_000),
    "specs/large/requirements.md": "- ```\n- [ ] a\n".repeat(70_000),
    "specs/large/design.md": `x${"`".repeat(500_001)}`,
    "plan/work/escapes.md": `{% work id="${'\\"'.repeat(100_000)}`,
    ...Object.fromEntries(hard.flatMap(({ name, text }) => [
      [`plan/work/${name}.md`, `${header(name)}${text}\n{% /work %}\n`],
      [`content/${name}.md`, `# Title\n\n${text}\n`],
    ])),
  });
  await withServer(cwd, async ({ ok, call }) => {
    await test.step("in a plan and a site", async () => {
      const { issues } = await ok("plan_validate", { detail: "full" });
      const { groups } = await ok("refrakt_check", { code: "render-failed" });
      const said = JSON.stringify([issues, groups]);
      for (const name of REFUSED) {
        assert.ok(said.includes(`work/${name}.md\\" cannot be read: `), name);
        assert.ok(said.includes(`content/${name}.md`), name);
      }
      assert.equal((await ok("plan_next")).items[0].id, "WORK-001");
      assert.match(said, /content\/open-tags\.md[^"]*101 open tags in a paragraph, at most 95/);
      assert.match(said, /content\/_partials\/hard\.md[^"]*too hard to parse/);
    });
    await test.step("in a spec", async () => {
      for (const name of ["ralph_status", "ralph_check"]) await ok(name, { spec_name: "large" });
    });
    await test.step("in an argument", async () => {
      const before = readTree(cwd);
      const source = HARD["open tags"]!;
      const cases = [
        ["plan_update", { id: "WORK-001", sections: { Notes: source } }],
        ["plan_create", { type: "work", id: "WORK-100", title: "T", body: source }],
        ["refrakt_render", { source }],
      ] as const;
      for (const [name, input] of cases) {
        const { isError, errorCode, content } = await call(name, input);
        assert.deepEqual(
          [name, isError, errorCode],
          [name, true, "VALIDATION_ERROR"],
          content[0].text,
        );
      }
      assert.deepEqual(readTree(cwd), before);
    });
  }, { args: ["--plugin", "ralph"] });
});
