import assert from "node:assert/strict";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const FOUNDATION = ["sandbox", "errors"];
const INNER = ["surface", "project", "packages", "sandbox", "errors", "version"];

/** What each room may import beside itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  version: [],
  startup: [],
  sandbox: ["errors"],
  project: FOUNDATION,
  packages: [...FOUNDATION, "project"],
  surface: INNER,
  core: INNER,
  bridge: INNER,
  plugins: INNER,
  workspace: [...INNER, "core", "bridge", "plugins"],
  server: [...INNER],
  cli: [...INNER, "server", "workspace", "bridge", "core", "plugins", "library", "startup"],
};

/** Files that put rooms together: a program or a library begins there. */
const ENTRY_POINTS = new Set([
  "mod.ts",
  "plugins/ralph/mod.ts",
  "src/authoring.ts",
  "src/embed.ts",
  "src/library.ts",
]);

interface Import {
  file: string;
  specifier: string;
}

const imports = [...sources("src"), ...sources("plugins"), "mod.ts"].flatMap(importsOf);

Deno.test("every room imports only the rooms that it may", () => {
  const wrong = imports.filter(({ file, specifier }) => {
    if (!/^\..*\.ts$/.test(specifier) || ENTRY_POINTS.has(file)) return false;
    const [from, to] = [roomOf(file), roomOf(posix.join(posix.dirname(file), specifier))];
    return from !== to && !MAY_IMPORT[from]?.includes(to);
  });
  assert.deepEqual(wrong, []);
});

Deno.test("only the server imports the protocol's SDK", () => {
  const wrong = imports.filter(({ file, specifier }) =>
    /modelcontextprotocol/.test(specifier) && roomOf(file) !== "server"
  );
  assert.deepEqual(wrong, []);
});

Deno.test("nothing imports a published refrakt package by a literal specifier", () => {
  assert.deepEqual(imports.filter(({ specifier }) => /refrakt-md|^npm:|^jsr:/.test(specifier)), []);
});

Deno.test("no file imports itself round about through another room's tests or examples", () => {
  const wrong = imports.filter(({ specifier }) => /(^|\/)(tests|bench|examples)\//.test(specifier));
  assert.deepEqual(wrong, []);
});

Deno.test("every file of src and plugins belongs to a room", () => {
  for (const { file } of imports) {
    if (!ENTRY_POINTS.has(file)) assert.ok(roomOf(file) in MAY_IMPORT, file);
  }
  for (const { file, specifier } of imports) {
    if (specifier.startsWith("./") || specifier.startsWith("../")) {
      assert.ok(
        Deno.statSync(join(ROOT, dirname(file), specifier)).isFile,
        `${file}: ${specifier}`,
      );
    }
  }
});

function sources(folder: string): string[] {
  return [...Deno.readDirSync(join(ROOT, folder))].flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) return sources(path);
    return entry.name.endsWith(".ts") ? [path] : [];
  });
}

/** The imports and re-exports of a file, static, dynamic and of types, without its comments. */
function importsOf(file: string): Import[] {
  const text = Deno.readTextFileSync(join(ROOT, file)).replace(/^\s*(?:\/\*\*?|\*|\/\/).*$/gm, "");
  const patterns = [
    /^(?:import|export)\s[^;"`']*?from\s+"([^"]+)"/gm,
    /^import\s+"([^"]+)"/gm,
    /\bimport\(\s*"([^"]+)"\s*\)/g,
  ];
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => ({ file, specifier: match[1]! }))
  );
}

function roomOf(file: string): string {
  const [top, second] = file.split("/") as [string, string | undefined];
  return top === "src" ? second!.replace(/\.ts$/, "") : top.replace(/\.ts$/, "");
}
