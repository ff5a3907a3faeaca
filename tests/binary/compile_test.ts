import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { EMBEDDED } from "../../.ci/compile.ts";
import { runProcess } from "../support/process.ts";
import { ROOT } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";

const NAMES = [...new Set(EMBEDDED.map((specifier) => /^npm:(.[^@]+)/.exec(specifier)![1]!))];

function embeddedPaths(report: string): string[] {
  const stack: string[] = [];
  const paths: string[] = [];
  for (const line of report.split("\n")) {
    const match = /^((?:[│ ] )*)(?:├|└)─[─┬] (.+?)(?: \(.*)?$/.exec(line);
    if (match === null) continue;
    stack.length = match[1]!.length / 2;
    stack.push(match[2]!);
    paths.push(stack.join("/").replace(/\/\*$/, ""));
  }
  return paths;
}

function embeddedPackages(paths: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const path of paths) {
    const match = /^\.deno_compile_node_modules\/[^/]+\/(@[^/]+\/[^/]+|[^@/][^/]*)/.exec(path);
    if (match !== null) found.add(match[1]!);
  }
  return found;
}

Deno.test("a binary embeds only the program and the pinned plugins", async (t) => {
  const out = temporaryFolder();
  try {
    // Embedding needs an executable of this platform; the runtime itself will do.
    const args = ["run", "-A", "--no-check", ".ci/compile.ts", "--out", out];
    const env = { DENORT_BIN: Deno.execPath() };
    const { code, stdout, stderr } = await runProcess(Deno.execPath(), args, ROOT, undefined, env);
    assert.equal(code, 0, stderr);
    const [, first, ...others] = stdout.split("Embedded Files");
    const paths = embeddedPaths(first!);
    const packages = embeddedPackages(paths);

    await t.step("it contains every listed package", () => {
      for (const name of NAMES) assert.ok(packages.has(name), name);
      // The server's own dependencies are bundled into the published package.
      assert.ok(!packages.has("@modelcontextprotocol/server"));
    });

    await t.step("it contains no package that only tests, or only other permissions, use", () => {
      const mcp = ["sdk", "client"].map((name) => `@modelcontextprotocol/${name}`);
      const foreign = ["express", "hono", "typescript", "tree-sitter-wasms", "@esbuild/linux-x64"];
      assert.deepEqual([...foreign, ...mcp].filter((name) => packages.has(name)), []);
      const size = Number(/Files:\D* ([\d.]+)MB/.exec(stripVTControlCharacters(first!))![1]);
      assert.ok(size < 30, String(size));
    });

    await t.step("that of Ralph contains no package at all", () => {
      assert.equal(others.length, 1);
      const modules = embeddedPaths(others[0]!);
      assert.ok(modules.length > 10, String(modules));
      assert.ok(modules.every((path) => path.startsWith("src")), String(modules));
    });

    await t.step("it contains only the program's files of the package", () => {
      const roots = new Set(paths.map((path) => path.split("/")[0]!));
      assert.deepEqual([...roots].sort(), [".deno_compile_node_modules", "src"]);
      const modules = paths.filter((path) => path.startsWith("src/"));
      assert.ok(modules.every((path) => path.startsWith("src/bundle")), String(modules));
    });

    await t.step("they have the permissions of the documented commands", async () => {
      const expected = {
        "refrakt-mcp": { allow_read: ["."], allow_write: ["plan"], allow_run: ["git"] },
        "refrakt-ralph": { allow_read: ["."], allow_write: ["specs", ".gitignore"] },
      };
      for (const [name, grants] of Object.entries(expected)) {
        const bytes = Buffer.from(await Deno.readFile(join(out, binary(name))));
        const start = bytes.lastIndexOf('{"argv":[],');
        assert.ok(start > 0);
        const text = bytes.subarray(start, start + 1000).toString();
        const { permissions } = JSON.parse(`${/^.*?"permissions":\{.*?\}/.exec(text)![0]}}`);
        const given = Object.entries(permissions).filter(([name, value]) =>
          name !== "allow_import" && value !== null
        );
        assert.deepEqual(Object.fromEntries(given), { ...grants, prompt: false });
      }
    });
  } finally {
    Deno.removeSync(out, { recursive: true });
  }
});

function binary(name: string): string {
  return Deno.build.os === "windows" ? `${name}.exe` : name;
}
