import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { makeProject, SMALL_PLAN } from "../support/project.ts";
import { README_PERMISSIONS, withServer } from "../support/server.ts";
import { NOT_UNIX, testUnless } from "../support/skip.ts";

/** Files that the server reads of a project by itself. */
const READ = [
  "package.json",
  "deno.json",
  "deno.jsonc",
  "package-lock.json",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "yarn.lock",
  "deno.lock",
  "refrakt.config.json",
  "node_modules/@refrakt-md/plan/package.json",
  "node_modules/@refrakt-md/runes/package.json",
  "plan/work/WORK-003-odd.md",
  "specs/made/.ralph-state.json",
  "content/index.md",
];

/** Puts something that is no plain file in the place of each. */
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
  "links in a circle": (path) => Deno.symlinkSync(path, path),
  "folders": (path) => Deno.mkdirSync(path),
  "files of a gigabyte": (path) => {
    const file = Deno.openSync(path, { write: true, create: true });
    file.truncateSync(2 ** 30);
    file.close();
  },
};

for (const [kind, make] of Object.entries(KINDS)) {
  testUnless(
    NOT_UNIX,
    `${kind} in the place of every file of a project hold up nothing and show nothing`,
    async () => {
      await withServer(withSpecialFiles(make), async ({ ok, call }) => {
        const answers = [await ok("refrakt.detect"), await ok("refrakt.version")];
        const { items } = await ok("plan.list");
        assert.equal(items.length, Object.keys(SMALL_PLAN).length);
        for (const name of ["plan.next", "plan.status", "plan.validate", "ralph_status"]) {
          answers.push(await call(name, {}));
        }
        assert.ok(!JSON.stringify(answers).includes("root:x:0"));
      }, { grants: README_PERMISSIONS, args: ["--plugin", "ralph"] });
    },
  );
}

Deno.test("texts that take parsers long are warnings or entities, and delay no other file", async () => {
  const cwd = makeProject({
    ...SMALL_PLAN,
    "package.json": '{"dependencies":{"@refrakt-md/plan":"^0.25.1"}}',
    "pnpm-lock.yaml": "  '".repeat(700_000),
    "yarn.lock": '"'.repeat(2_000_000),
    "deno.jsonc": "/*".repeat(100_000),
    "plan/work/tags.md": "{% work ".repeat(50_000),
    "plan/work/quotes.md": `{% work id="${'\\"'.repeat(200_000)}`,
    "plan/work/spaces.md": `{% work${" ".repeat(500_000)}x`,
    "plan/work/WORK-777-boxes.md": `{% work id="WORK-777" status="ready" %}\n\n# Boxes\n\n${
      "- [ ] a\n".repeat(20_000)
    }\n{% /work %}\n`,
  });
  await withServer(cwd, async ({ ok }) => {
    await ok("refrakt.detect");
    const { items } = await ok("plan.list");
    const ids = items.map(({ id }: { id: string }) => id);
    for (const id of ["WORK-001", "BUG-001", "SPEC-001"]) assert.ok(ids.includes(id), id);
    for (const name of ["plan.next", "plan.status", "plan.validate"]) await ok(name);
  });
});
