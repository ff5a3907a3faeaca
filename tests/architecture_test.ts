import assert from "node:assert/strict";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** What each folder may import beside itself, as the table in CONTRIBUTING says. */
const MAY_IMPORT = readTable(Deno.readTextFileSync(join(ROOT, "CONTRIBUTING.md")));

/** Programs, which put folders together. */
const ENTRY_POINTS = new Set(["mod.ts", "plugins/ralph/mod.ts"]);

interface Import {
  file: string;
  specifier: string;
}

const imports = [...sources("src"), ...sources("plugins"), "mod.ts"].flatMap(importsOf);

Deno.test("every folder imports only the folders that the table in CONTRIBUTING allows", () => {
  const wrong = imports.filter(({ file, specifier }) => {
    if (!/^\..*\.ts$/.test(specifier) || ENTRY_POINTS.has(file)) return false;
    const [from, to] = [folderOf(file), folderOf(posix.join(posix.dirname(file), specifier))];
    return from !== to && !MAY_IMPORT.get(from)?.includes(to);
  });
  assert.deepEqual(wrong, []);
});

Deno.test("only src/mcp imports the MCP SDK", () => {
  const wrong = imports.filter(({ file, specifier }) =>
    /modelcontextprotocol/.test(specifier) && folderOf(file) !== "mcp"
  );
  assert.deepEqual(wrong, []);
});

Deno.test("nothing imports a published refrakt package by a literal specifier", () => {
  assert.deepEqual(imports.filter(({ specifier }) => /refrakt-md|^npm:|^jsr:/.test(specifier)), []);
});

Deno.test("no file imports tests, benchmarks or examples", () => {
  const wrong = imports.filter(({ specifier }) => /(^|\/)(tests|bench|examples)\//.test(specifier));
  assert.deepEqual(wrong, []);
});

Deno.test("every file of src and plugins stands in a folder of the table", () => {
  for (const { file } of imports) {
    if (!ENTRY_POINTS.has(file)) assert.ok(MAY_IMPORT.has(folderOf(file)), file);
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

function folderOf(file: string): string {
  const [top, second] = file.split("/") as [string, string | undefined];
  return top === "src" ? second!.replace(/\.ts$/, "") : top.replace(/\.ts$/, "");
}

/** The rows of the table as folder and what it may import. */
function readTable(markdown: string): ReadonlyMap<string, readonly string[]> {
  const rows = markdown.matchAll(/^\| `(?:src\/)?(\w+)(?:\.ts|\/)` *\|[^|]*\|([^|]*)\|$/gm);
  const table = new Map(
    [...rows].map(([, folder, allowed]) => [
      folder!,
      [...allowed!.matchAll(/`(\w+)`/g)].map((match) => match[1]!),
    ]),
  );
  assert.ok(table.size > 10, "CONTRIBUTING has the table of folders");
  return table;
}
