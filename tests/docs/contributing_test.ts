import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { exists, makeProject } from "../support/project.ts";
import { ROOT } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";

const TEXT = Deno.readTextFileSync(join(ROOT, "CONTRIBUTING.md"));

/**
 * The files that the section shows, by their paths. They have another name, because somebody who
 * tries the section runs this test, too.
 */
const SHOWN = new Map(
  [...TEXT.matchAll(/`([\w/]+\.ts)`[^`]*:\n\n```ts\n([^]*?)```/g)]
    .map(([, path, text]) => [renamed(path!), renamed(text!)]),
);

function renamed(text: string): string {
  return text.replaceAll("greet", "cheer").replaceAll("Greet", "Cheer").replaceAll(
    "GREET",
    "CHEER",
  );
}

/** Not the built package of a run of all tests: it lacks the tool. */
const ENV = { NO_COLOR: "1", REFRAKT_BUILT: "" };

function run(cwd: string, command: string, ...args: string[]): string {
  const { code, stdout, stderr } = new Deno.Command(command, { args, cwd, env: ENV })
    .outputSync();
  const [out, said] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert.equal(code, 0, `${command} ${args.join(" ")}\n${out}\n${said}`);
  return out!;
}

Deno.test("a tool that is added as CONTRIBUTING says passes the checks", () => {
  assert.deepEqual([...SHOWN.keys()], [
    "plugins/site/tools/cheer.ts",
    "tests/plugins/site/tools/cheer_test.ts",
  ]);
  const copy = temporaryFolder();
  // Also what git does not track yet, and without what is removed.
  const listed = run(ROOT, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard");
  for (
    const path of new Set(listed.split("\0").filter((one) => one !== "" && exists(join(ROOT, one))))
  ) {
    Deno.mkdirSync(join(copy, dirname(path)), { recursive: true });
    Deno.copyFileSync(join(ROOT, path), join(copy, path));
  }
  for (const [path, text] of SHOWN) Deno.writeTextFileSync(join(copy, path), text);
  const list = join(copy, "plugins/site/tools/mod.ts");
  Deno.writeTextFileSync(
    list,
    Deno.readTextFileSync(list)
      .replace(
        /(?=import .* from "\.\/inspect\.ts";)/,
        'import { cheerTool } from "./cheer.ts";\n',
      )
      .replace(/(?<=const SITE_TOOLS: .*\[\n)/, "  cheerTool,\n"),
  );
  const deno = Deno.execPath();
  const sources = [...SHOWN.keys(), "plugins/site/tools/mod.ts"];
  run(copy, deno, "fmt", "--check", ...sources);
  run(copy, deno, "lint", ...sources);
  run(copy, deno, "check", ...sources);
  run(copy, deno, "task", "docs");
  assert.match(Deno.readTextFileSync(join(copy, "docs/tools.md")), /`refrakt_cheer`/);
  const tests = ["tests/plugins/site/tools/cheer_test.ts", "tests/architecture_test.ts"];
  run(copy, deno, "test", "-A", "--no-check", "--filter", "/cheer|folder|opens/", ...tests);
});

Deno.test("the plugin that CONTRIBUTING shows serves a project with notes, and no other", async () => {
  const [, text = ""] = /```ts\n(import \{ createServer \}[^]*?)```/.exec(TEXT) ?? [];
  assert.ok(text.split("\n").length <= 36, "it is short");
  const module = join(temporaryFolder(), "notes.ts");
  const project = makeProject({ "notes/first.md": "Hello" });
  for (const [cwd, names] of [[project, ["notes_list"]], [makeProject(), []]] as const) {
    const program = text.replace(
      "{ plugins: [notes] }",
      () => JSON.stringify({ cwd }).replace("}", ", plugins: [notes] }"),
    );
    Deno.writeTextFileSync(module, program);
    const { server } = await import(`${pathToFileURL(module)}?${cwd}`);
    const listed: { name: string }[] = await server.listTools();
    assert.deepEqual(listed.map(({ name }) => name).filter((name) => /^notes/.test(name)), names);
    if (names.length > 0) {
      assert.deepEqual(await server.callTool("notes_list"), { names: ["first.md"] });
    }
  }
});
