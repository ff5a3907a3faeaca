import assert from "node:assert/strict";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { build, BUNDLE, packageInto } from "../../.ci/build.ts";
import { runProcess } from "../support/process.ts";
import { makeProject, readTree } from "../support/project.ts";
import { ROOT } from "../support/server.ts";

async function deno(cwd: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runProcess(Deno.execPath(), args, cwd);
  assert.equal(code, 0, stderr);
  return stdout;
}

Deno.test("the built package runs without npm packages and lists what it bundles", async (test) => {
  const out = join(makeProject(), "package");
  await packageInto(out);
  const files = readTree(out);
  const manifest = JSON.parse(files["deno.json"]!);
  const modules = Object.keys(files).filter((path) => path.startsWith("src/bundle/"));
  assert.doesNotMatch(files["README.md"]!, /not on JSR yet/);

  await test.step("no bundled module, also none that is loaded later, imports an npm package", async () => {
    const list = modules.map((path) => `import(${JSON.stringify(`./${path}`)});`).join("\n");
    await Deno.writeTextFile(join(out, "everything.ts"), list);
    const graph = JSON.parse(
      await deno(out, "info", "--no-config", "--json", "everything.ts"),
    ) as { modules: { specifier: string; error?: string }[]; npmPackages: object };
    await Deno.remove(join(out, "everything.ts"));
    assert.ok(graph.modules.length > modules.length, String(graph.modules.length));
    assert.deepEqual(graph.modules.filter((module) => module.error !== undefined), []);
    assert.deepEqual(graph.npmPackages, {});
  });

  await test.step("the notice and the bill of materials list every bundled package at its locked version", async () => {
    const locked = Object.keys(JSON.parse(await Deno.readTextFile(join(ROOT, "deno.lock"))).npm);
    const bundled = new Set(
      modules.flatMap((path) =>
        [...files[path]!.matchAll(/^ *\/\/ npm:(@?[^@\s]+@[^/\s]+)\//gm)].map(([, id]) => id!)
      ),
    );
    const named = [...files["NOTICE"]!.matchAll(/^-{72}\n(\S+) (\S+) \(\S+\)\n\n\S/gm)]
      .map(([, name, version]) => `${name}@${version}`);
    assert.deepEqual(named.toSorted(), [...bundled].toSorted());
    for (const name of ["@modelcontextprotocol/server", "zod", "postcss"]) {
      assert.ok(named.some((id) => id.startsWith(`${name}@`)), name);
    }
    for (const id of named) assert.ok(locked.some((key) => key.split("_")[0] === id), id);
    assert.match(files["NOTICE"]!, /"deno bundle".*changed in these ways/s);
    const { components } = JSON.parse(files["sbom.cdx.json"]!);
    const listed: string[] = components.map(({ purl }: { purl: string }) => purl);
    const expected = [...bundled, manifest.imports.preact.slice(4)]
      .map((id) => `pkg:npm/${id.replace(/^@/, "%40")}`);
    assert.deepEqual(listed.toSorted(), expected.toSorted());
  });

  await test.step("it contains no path of this machine and no registry host", () => {
    for (const path of modules) {
      assert.doesNotMatch(files[path]!, /\/npm\/[^\s/]*\.[a-z]+\/|createRequire\(import/, path);
      assert.ok(!files[path]!.includes(ROOT), path);
    }
  });

  await test.step("the build is reproducible", async () => {
    // Beside the first: the names of chunks depend on how far Deno's cache is from them.
    const built = Deno.env.get("REFRAKT_BUILT")?.slice(0, -BUNDLE.length - 1) ?? out;
    await build(`${built}-again`);
    assert.ok(isDeepStrictEqual(readTree(built), readTree(`${built}-again`)));
  });
});
