import assert from "node:assert/strict";
import { join, posix } from "node:path";
import { pathToFileURL as toFileUrl } from "node:url";
import { isDeepStrictEqual } from "node:util";
import * as sdk from "@modelcontextprotocol/server";
import { z as original } from "zod";
import checkout from "../../deno.json" with { type: "json" };
import { build, type VendoredPackage } from "../../.ci/build.ts";
import { compiledAtOnce } from "../../.ci/eager.ts";
import { membersOf } from "../../.ci/members.ts";
import startFunctions from "../../.ci/start_functions.json" with { type: "json" };
import { runProcess } from "../support/process.ts";
import { makeProject, readTree } from "../support/project.ts";
import { ROOT } from "../support/server.ts";

async function deno(cwd: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runProcess(Deno.execPath(), args, cwd);
  assert.equal(code, 0, stderr);
  return stdout;
}

Deno.test("what a module takes of an import is found, and that it takes it as a whole", () => {
  const start = 'import { z as zod } from "../third_party/zod.js";';
  const members = (code: string) => membersOf(`${start}${code}`, "/zod.js", "z");
  assert.deepEqual(
    members("const a = { zod: zod.string() }, b = a.zod?.zod(zod.enum, zod.string);"),
    ["enum", "string"],
  );
  assert.deepEqual(membersOf("const z = z.string();", "/zod.js", "z"), []);
  for (const code of ["f(zod);", "({ zod });", "zod[name];", "a[zod];", "export { zod };"]) {
    assert.throws(() => members(code), /as a whole|computed/, code);
  }
});

Deno.test("functions that are compiled at once do what they did before", async () => {
  const code = `import { sep } from "node:path";
/** Used before it stands there. */
export { double, names, later, Box, sep };
const names = [double, (a) => a, async () => {}, function named() {}].map((each) => each.name);
/** Doubles. */ function double(value) { return ((x) => x * 2)(value); }
async function later(value) { const inner = async (x) => (y) => x + y; return (await inner(1))(value); }
class Box { #of = (x) => x; get one() { return this.#of(1); } two() { return { get a() { return 2; }, b() { return 3; } }; } }
`;
  const texts: string[] = [];
  const everything = new (class extends Set<string> {
    override has(): boolean {
      return true;
    }
  })();
  const changed = compiledAtOnce(code, everything);
  for (const text of [code, changed]) {
    const { double, names, later, Box } = await import(
      `data:text/javascript,${encodeURIComponent(text)}`
    );
    const box = new Box();
    texts.push(
      JSON.stringify([double(2), names, await later(2), box.one, box.two(), box.two().b()]),
    );
  }
  assert.equal(texts[1], texts[0]);
  assert.match(
    changed,
    /\/\*\* Doubles\. \*\/\nvar double = \(function double\(value\) \{ return \(\(\(x\)/,
  );
  assert.equal(compiledAtOnce(code, new Set()), code);
});

Deno.test("the built package needs no npm package and is what the lock file says", async (t) => {
  const out = join(makeProject(), "package");
  await build(out);
  const files = readTree(out);
  const manifest = JSON.parse(files["deno.json"]!);

  await t.step("no module of it, lazily loaded or a Worker's, imports an npm package", async () => {
    const all = Object.keys(files).filter((path) => /\.ts$|^src\/bundle\//.test(path));
    const entry = join(out, "everything.ts");
    const list = all.map((path) => `import(${JSON.stringify(`./${path}`)});`).join("\n");
    await Deno.writeTextFile(entry, list);
    const graph = JSON.parse(
      await deno(out, "info", "--config=deno.json", "--json", "everything.ts"),
    ) as { modules: { specifier: string; error?: string }[]; npmPackages: object };
    await Deno.remove(entry);
    assert.ok(graph.modules.length > all.length, String(graph.modules.length));
    assert.deepEqual(graph.modules.filter((module) => module.error !== undefined), []);
    assert.deepEqual(graph.npmPackages, {});
    assert.deepEqual(graph.modules.filter(({ specifier }) => specifier.startsWith("npm:")), []);
  });

  await t.step("every bundled module can be imported from a registry", async () => {
    const asked: string[] = [];
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      (request) => {
        const path = new URL(request.url).pathname.slice(1);
        const text = files[path];
        asked.push(path);
        return new Response(text, { headers: { "content-type": "text/javascript" } });
      },
    );
    const host = `127.0.0.1:${server.addr.port}`;
    const bundled = Object.keys(files).filter((path) => /^third_party\/.*\.js$/.test(path));
    assert.ok(bundled.length > 3);
    const script = bundled.map((path) => `await import("http://${host}/${path}");`).join("\n");
    await Deno.writeTextFile(join(out, "../imports.ts"), `${script}\n`);
    const flags = ["run", "--no-config", `--allow-import=${host}`];
    await deno(out, ...flags, "../imports.ts");
    for (const entry of Object.values<string>(manifest.exports)) {
      await deno(out, ...flags, `http://${host}/${entry.replace("./", "")}`, "--version");
    }
    assert.ok(asked.includes("src/bundle/mod.js"));
    // The sources are there to be read, and for their types.
    assert.deepEqual(asked.filter((path) => !/^(?:src\/bundle|third_party)\//.test(path)), []);
  });

  await t.step("what starts without npm packages imports none, and a start reads few files", () => {
    const closure = (entry: string, pattern: RegExp) => {
      const found = new Set([entry]);
      for (const path of found) {
        for (const [, specifier = ""] of files[path]!.matchAll(pattern)) {
          if (/^\..*\.js$/.test(specifier)) found.add(posix.join(posix.dirname(path), specifier));
        }
      }
      return [...found];
    };
    const STATIC = /^(?:import|export)\b[^;]*?\bfrom ['"]([^'"]+)['"];$/gm;
    const workers = ["plugin_host/plugin_worker.js", "site/engine/engine_worker.js"];
    for (const entry of ["mod.js", ...workers.map((path) => `src/${path}`)]) {
      const imported = closure(`src/bundle/${entry}`, STATIC);
      assert.ok(imported.length > 1, entry);
      assert.deepEqual(imported.filter((path) => path.startsWith("third_party/")), [], entry);
    }
    const ANY = /\b(?:from|import)[\s(]*['"]([^'"]+)['"]/g;
    assert.ok(closure("src/bundle/mod.js", ANY).length < 30);
  });

  await t.step(
    "the bundled SDK has the schemas of the package, and makes none on import",
    async () => {
      const file = toFileUrl(join(out, "third_party/modelcontextprotocol_server.js"));
      const { specTypeSchemas: made }: typeof sdk = await import(file.href);
      assert.deepEqual(Object.keys(made), Object.keys(sdk.specTypeSchemas));
      for (const [name, schema] of Object.entries(sdk.specTypeSchemas)) {
        const { get } = Object.getOwnPropertyDescriptor(made, name)!;
        assert.equal(typeof get, "function", name);
        assert.equal(get!(), made[name as sdk.SpecTypeName], name);
        const [described, expected] = [get!(), schema].map((each) =>
          original.toJSONSchema(each as original.ZodType, { unrepresentable: "any", io: "input" })
        );
        assert.deepEqual(described, expected, name);
      }
    },
  );

  await t.step("every bundled package has the version and the checksum of deno.lock", async () => {
    const locked = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.lock"))).npm;
    const packages: VendoredPackage[] = JSON.parse(files["third_party/packages.json"]!);
    const names = packages.map(({ name }) => name);
    for (const name of ["@modelcontextprotocol/server", "zod"]) assert.ok(names.includes(name));
    for (const { name, version, integrity } of packages) {
      const id = Object.keys(locked).find((key) => key.split("_")[0] === `${name}@${version}`);
      assert.equal(locked[id!]?.integrity, integrity, name);
      assert.ok(files["NOTICE"]!.includes(`\n${name} ${version} (`), name);
    }
  });

  await t.step("a second build gives the same bytes", async () => {
    const again = `${out}-again`;
    const found = new Set<string>();
    class Started extends Set<string> {
      override has(checksum: string): boolean {
        const isStarted = super.has(checksum);
        if (isStarted) found.add(checksum);
        return isStarted;
      }
    }
    await build(again, undefined, new Started(startFunctions));
    assert.ok(isDeepStrictEqual(readTree(again), files));
    // Else most of what a start runs has changed: deno task profile.
    assert.ok(found.size > startFunctions.length * 0.7, `${found.size} functions`);
  });

  await t.step("a package whose content is not the locked one stops the build", async () => {
    const lock = join(out, "../deno.lock");
    const text = await Deno.readTextFile(join(ROOT, "deno.lock"));
    const [, integrity = ""] = /"zod@[^"]*": \{\s*"integrity": "(sha512-[^"]+)"/.exec(text) ?? [];
    const other = `sha512-${"A".repeat(86)}==`;
    await Deno.writeTextFile(lock, text.replace(integrity, other));
    await assert.rejects(build(`${out}-other`, lock), /[Ii]ntegrity/);
  });

  await t.step("its entries export what those of the checkout do", async () => {
    const symbols = async (cwd: string, entry: string) => {
      const { nodes } = JSON.parse(await deno(cwd, "doc", "--json", entry)) as {
        nodes: Record<string, { symbols: { name: string }[] }>;
      };
      return Object.values(nodes).flatMap((each) => each.symbols.map(({ name }) => name)).sort();
    };
    assert.deepEqual(Object.keys(manifest.exports), Object.keys(checkout.exports));
    for (const [entry, path] of Object.entries(checkout.exports)) {
      const expected = await symbols(ROOT, path);
      assert.ok(expected.length > 0, entry);
      assert.deepEqual(await symbols(out, manifest.exports[entry]), expected, entry);
    }
  });
  await Deno.remove(join(out, ".."), { recursive: true });
});
