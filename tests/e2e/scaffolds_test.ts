/** Projects as `create-refrakt` makes them, before and after `npm install`. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { detected } from "../support/detected.ts";
import { inProcess } from "../support/in_process.ts";
import { installReal } from "../support/installed.ts";
import { askOracle, lab, LAB_VERSION } from "../support/lab.ts";
import { whole } from "../support/parts.ts";
import { runProcess } from "../support/process.ts";
import { commitAll, git, makeProject, readTree, writeFiles } from "../support/project.ts";
import { FROM_DISK, FROM_REGISTRY, publish } from "../support/published.ts";
import { SITE_SCAFFOLDS } from "../support/scaffolds.ts";
import type { Asked } from "../support/server.ts";

const BUILD = fileURLToPath(new URL("../support/build_oracle.mjs", import.meta.url));

/** The expected answers of the CLI and the build. */
interface Expected {
  contracts: unknown;
  hint: Record<string, unknown>;
  pages: Record<string, string>;
}

async function expectedOf(projects: readonly string[]): Promise<Expected[]> {
  const commands = projects.flatMap((cwd) => [
    ["--cwd", cwd, "contracts"],
    ["--cwd", cwd, "inspect", "hint", "--json"],
  ]);
  const [answers, build] = await Promise.all([
    askOracle(projects[0]!, commands),
    runProcess("node", [BUILD, await lab(), ...projects], projects[0]!),
  ]);
  assert.equal(build.code, 0, build.stderr);
  const pages = JSON.parse(build.stdout);
  return projects.map((_, index) => ({
    contracts: JSON.parse(answers[index * 2]!.stdout),
    hint: JSON.parse(answers[index * 2 + 1]!.stdout),
    pages: pages[index],
  }));
}

interface Found {
  name: string;
  version: string;
  origin: string;
  problem?: string;
}

/** Compares the served answers with those of the CLI and the build. */
async function assertServed(
  cwd: string,
  kind: string,
  { ok }: Pick<Asked, "ok">,
  origin: string,
  expected: Expected,
): Promise<void> {
  const { sites, warnings } = await detected(ok);
  assert.deepEqual(warnings, [], kind);
  assert.deepEqual(sites.map(({ site }: { site: string }) => site), ["main"]);
  for (const { name, version, origin: from, problem } of sites[0].packages as Found[]) {
    assert.deepEqual([from, problem], [origin, undefined], `${kind}: ${name}`);
    if (name.startsWith("@refrakt-md/")) assert.equal(version, LAB_VERSION);
  }
  assert.deepEqual(await whole(ok, "refrakt.contracts"), expected.contracts, kind);
  const hint = await ok("refrakt.inspect", { rune: "hint" });
  for (const field of ["input", "config", "html", "selectors"]) {
    assert.deepEqual(hint[field], expected.hint[field], `${kind}: ${field}`);
  }
  const files = Object.keys(readTree(join(cwd, "content"))).filter((path) => !path.includes("_"));
  for (const path of files) {
    const page = await ok("refrakt.render", { path: `content/${path}`, format: "html" });
    assert.deepEqual(page.diagnostics, [], `${kind}: ${path}`);
    assert.equal(page.html, expected.pages[page.url], `${kind}: ${path}`);
  }
}

Deno.test("every site template of create-refrakt matches the CLI, with and without npm install", async (t) => {
  const kinds = Object.entries(SITE_SCAFFOLDS);
  const projects = kinds.map(([, files]) => makeProject(files));
  const expected = await expectedOf(projects);

  for (const [index, [kind]] of kinds.entries()) {
    await t.step(`${kind}, bare`, async () => {
      const cwd = projects[index]!;
      await inProcess(
        cwd,
        (session) => assertServed(cwd, kind, session, "registry", expected[index]!),
      );
    });
  }

  await using server = await publish();
  const asked = ["cli", "lumina", "marketing", "plan"].map((name) => [`@refrakt-md/${name}`, "*"]);
  const root = makeProject({
    "package.json": JSON.stringify({ devDependencies: Object.fromEntries(asked) }),
    "content/index.md": "# Home\n",
    ".gitignore": "node_modules\n",
  });
  commitAll(root, "Start");
  await installReal(root);
  await server.serve(root, FROM_DISK, async (session) => {
    for (const [index, [kind, files]] of kinds.entries()) {
      await t.step(`${kind}, installed`, async () => {
        Deno.removeSync(join(root, "content"), { recursive: true });
        writeFiles(root, files);
        await assertServed(root, kind, session, "node_modules", expected[index]!);
      });
    }
  });

  await t.step("a workspace member uses the packages of the root", async () => {
    const cwd = join(root, "apps/site");
    writeFiles(cwd, SITE_SCAFFOLDS["plan site"]!);
    const index = kinds.findIndex(([kind]) => kind === "plan site");
    git(root, "init", "-q");
    await server.serve(cwd, [...FROM_DISK, `--allow-read=${root}`], async (session) => {
      await assertServed(cwd, "member", session, "node_modules", expected[index]!);
    });
  });

  await t.step("doctor finds no errors and reports where packages come from", async () => {
    const report = async (cwd: string, flags: readonly string[]) => {
      const { code, stdout } = await server.run(cwd, flags, "doctor");
      assert.equal(code, 0, stdout);
      assert.doesNotMatch(stdout, /warn|FAIL/);
      return stdout.replaceAll(/\s+/g, " ");
    };
    assert.match(
      await report(projects[0]!, FROM_REGISTRY),
      /has no refrakt packages installed.* in a folder above, as in a workspace/,
    );
    assert.match(
      await report(root, FROM_DISK),
      /loads the project's installed packages/,
    );
  });
});
