import assert from "node:assert/strict";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** The folders that each folder may import, from the table in CONTRIBUTING. */
const CONTRIBUTING = Deno.readTextFileSync(join(ROOT, "CONTRIBUTING.md"));
const MAY_IMPORT = readTable(CONTRIBUTING);

/** Programs, which combine folders. */
const ENTRY_POINTS = new Set(["mod.ts", "plugins/ralph/mod.ts"]);

interface Import {
  file: string;
  specifier: string;
  isType: boolean;
}

const imports = [...sources("src"), ...sources("plugins"), "mod.ts"].flatMap(importsOf);

Deno.test("folders import only the folders that the table in CONTRIBUTING allows", () => {
  const wrong = imports.filter(({ file, specifier }) => {
    if (!/^\..*\.ts$/.test(specifier) || ENTRY_POINTS.has(file)) return false;
    const [from, to] = [folderOf(file), folderOf(posix.join(posix.dirname(file), specifier))];
    return from !== to && !MAY_IMPORT.get(from)?.includes(to);
  });
  assert.deepEqual(wrong, []);
});

for (const parent of ["plugins/plan", "plugins/site/engine"]) {
  Deno.test(`the layers of ${parent} import only from the layers above them in CONTRIBUTING`, () => {
    const rows = CONTRIBUTING.matchAll(
      new RegExp(`^\\| \`(${parent}/[\\w/]+)(?:/|\\.ts)\` `, "gm"),
    );
    const layers = Array.from(rows, ([, layer]) => layer!);
    const found = [...Deno.readDirSync(join(ROOT, parent))];
    const folders = found.filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
    const listed = new Set(layers.map((layer) => layer.slice(parent.length + 1).split("/")[0]!));
    assert.deepEqual(folders.filter((name) => !listed.has(name)), [], "not in the table");
    assert.ok(found.length - folders.length <= 6, "at most six files beside the folders");
    // Other files beside the folders are above all layers.
    const rankOf = (path: string) => {
      const rank = layers.findIndex((layer) =>
        path.startsWith(`${layer}/`) || path === `${layer}.ts`
      );
      return rank === -1 ? layers.length : rank;
    };
    const wrong = imports.map(({ file, specifier }) => ({
      file,
      imported: posix.join(posix.dirname(file), specifier),
    })).filter(({ file, imported }) =>
      [file, imported].every((path) => path.startsWith(`${parent}/`)) &&
      rankOf(imported) > rankOf(file)
    );
    assert.deepEqual(wrong, []);
  });
}

Deno.test("a plugin imports only types of another", () => {
  const pluginOf = (path: string) => /^plugins\/(\w+)\//.exec(path)?.[1];
  const wrong = imports.filter(({ file, specifier, isType }) => {
    const from = pluginOf(file);
    const to = pluginOf(posix.join(posix.dirname(file), specifier));
    return !isType && from !== undefined && to !== undefined && from !== to;
  });
  assert.deepEqual(wrong, []);
});

Deno.test("there are no circular imports, types and dynamic imports included", () => {
  const graph = new Map<string, string[]>();
  for (const { file, specifier } of imports) {
    if (!specifier.startsWith(".")) continue;
    graph.set(file, [...graph.get(file) ?? [], posix.join(posix.dirname(file), specifier)]);
  }
  const reached = (file: string) => {
    const found = new Set(graph.get(file));
    for (const each of found) for (const next of graph.get(each) ?? []) found.add(next);
    return found;
  };
  assert.deepEqual([...graph.keys()].filter((file) => reached(file).has(file)), []);
});

Deno.test("packages, tests and examples are imported only by the allowed files", () => {
  const wrong = imports.filter(({ file, specifier }) =>
    /modelcontextprotocol/.test(specifier) && folderOf(file) !== "mcp" ||
    // These use the project's versions.
    /refrakt-md|^npm:|^jsr:/.test(specifier) ||
    /(^|\/)(tests|bench|examples)\//.test(specifier)
  );
  assert.deepEqual(wrong, []);
});

Deno.test("every file of src and plugins is in a folder of the table", () => {
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
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

function importsOf(file: string): Import[] {
  const text = withoutComments(file);
  const patterns = [
    /^(?:import|export)\s[^;"`']*?from\s+"([^"]+)"/gm,
    /^import\s+"([^"]+)"/gm,
    /\bimport\(\s*"([^"]+)"\s*\)/g,
  ];
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => ({
      file,
      specifier: match[1]!,
      isType: /^(?:import|export) type\b/.test(match[0]),
    }))
  );
}

function withoutComments(file: string): string {
  return Deno.readTextFileSync(join(ROOT, file)).replace(/^\s*(?:\/\*\*?|\*|\/\/).*$/gm, "");
}

function folderOf(file: string): string {
  const [top, second] = file.split("/") as [string, string | undefined];
  return (second ?? top).replace(/\.ts$/, "");
}

/** The rows of the table: a folder and its allowed imports. */
function readTable(markdown: string): ReadonlyMap<string, readonly string[]> {
  const rows = markdown.matchAll(
    /^\| `(?:src|plugins)\/(\w+)(?:\.ts|\/)` *\|[^|]*\|([^|]*)\|$/gm,
  );
  const table = new Map(
    [...rows].map(([, folder, allowed]) => [
      folder!,
      [...allowed!.matchAll(/`(\w+)`/g)].map((match) => match[1]!),
    ]),
  );
  assert.ok(table.size > 10, "CONTRIBUTING has the table of folders");
  return table;
}

/** Returns the nodes that a visitor of a file's syntax tree reports, as text. */
function lint(
  file: string,
  source: string,
  visit: (
    context: Deno.lint.RuleContext,
    report: (node: Deno.lint.Node) => void,
  ) => Deno.lint.LintVisitor,
): string[] {
  const found: string[] = [];
  const create = (context: Deno.lint.RuleContext) =>
    visit(context, (node) => found.push(context.sourceCode.getText(node)));
  Deno.lint.runPlugin({ name: "own", rules: { rule: { create } } }, file, source);
  return found;
}

Deno.test("a replacement is a literal or a function: in other texts, $& has a meaning", () => {
  const folders = ["src", "plugins", ".ci"];
  const files = [...folders.flatMap((folder) => sources(folder)), "mod.ts"];
  const wrong = files.flatMap((file) => {
    const source = Deno.readTextFileSync(join(ROOT, file));
    if (!/\.replace(?:All)?\(/.test(source) || isBuiltView(file)) return [];
    return lint(file, source, (_context, report) => ({
      CallExpression(node) {
        const { callee, arguments: [, by, more] } = node;
        if (callee.type !== "MemberExpression" || by === undefined || more !== undefined) return;
        const { property } = callee;
        if (property.type !== "Identifier" || !/^replace(?:All)?$/.test(property.name)) return;
        const isLiteral = by.type === "Literal" ||
          by.type === "TemplateLiteral" && by.expressions.length === 0;
        if (!isLiteral && !by.type.endsWith("FunctionExpression")) report(node);
      },
    })).map((text) => `${file}: ${text}`);
  });
  assert.deepEqual(wrong, []);
});

/** Whether a file is built from the sources of the views. */
function isBuiltView(file: string): boolean {
  return /^plugins\/board\/\w+\.ts$/.test(file);
}

Deno.test("every file of src and plugins opens with a sentence on what it is", () => {
  // After pragmas, a comment that does not belong to a declaration.
  const opening = /^(?:\/\*\* @jsx.*\n|\/\/\/ .*\n)*\/\*\*(?:[^*]|\*(?!\/))*\*\/\n\n/;
  const without = [...sources("src"), ...sources("plugins")].filter((file) => {
    const text = Deno.readTextFileSync(join(ROOT, file));
    return !opening.test(text) && !text.startsWith("// Made by `deno task views`");
  });
  assert.deepEqual(without, []);
});

/** Facts that only the listed files may code, with a pattern that finds other copies. */
const KNOWN_ONCE: readonly (readonly [what: string, pattern: RegExp, ...files: string[]])[] = [
  [
    "the stamp of a file",
    /mtimeNs|\.mtime\b.*getTime/,
    "src/io/reads.ts",
    // The exact one of an open file.
    "src/io/read.ts",
    // The age of a temporary file.
    "plugins/plan/store/mod.ts",
  ],
  ["a plan that is missing", /"PLAN_DIR_MISSING"/, "plugins/plan/store/plan_folder.ts"],
  [
    "opening a file, whatever it is and wherever it leads, beside the bounded reader",
    /\bDeno\.(?:readTextFile|readFile)(?:Sync)?\(|\bDeno\.open(?:Sync)?\((?![^)]*\bcreateNew: true)|\breadFileSync\(/,
    // Locks the folder of a plan or of the specs.
    "src/io/lock.ts",
    // The file with the token, which may be outside the project.
    "src/cli/main.ts",
    // The versions that git passes to a merge driver, each with its own permission.
    "plugins/plan/commands/merge.ts",
    // What packages get for node:fs.
    "src/packages/package_fs.ts",
    // Writes a temporary file and renames it.
    "src/io/files.ts",
  ],
  [
    "changing what is on the disk, which a tool may only do in its folder",
    /\bDeno\.(?:copyFile|create|link|mkdir|remove|rename|symlink|truncate|write\w*File)(?:Sync)?\(/,
    "src/io/files.ts",
    "src/io/shared_files.ts",
    // Removes its own file in the folder.
    "src/io/lock.ts",
  ],
  ["what an object is", /function (?:isObject|isRecord|asObject)\b/, "src/io/json.ts"],
];

Deno.test("each fact is coded in one place", () => {
  const texts = [...sources("src"), ...sources("plugins")]
    .filter((file) => !isBuiltView(file))
    .map((file) => [file, withoutComments(file)] as const);
  for (const [what, pattern, ...places] of KNOWN_ONCE) {
    const found = texts.filter(([, text]) => pattern.test(text)).map(([file]) => file);
    assert.deepEqual(found.filter((file) => !places.includes(file)), [], what);
    assert.ok(found.includes(places[0]!), `${what}: ${places[0]}`);
  }
});

Deno.test("the host names no plugin's tools or kinds of things, but in bundled.ts", () => {
  const own = /^refrakt_(?:detect|version|plugins_list|more|undo)$/;
  const words = /\brunes?\b|\bralph\b|\bmilestones?\b|\b(?:plan|ralph|refrakt)_[a-z_]+\b/gi;
  // The texts of error codes, and the names of the packages in refrakt's scope.
  const exempt = ["src/bundled.ts", "src/errors.ts", "src/packages/names.ts"];
  const wrong = sources("src").filter((file) => !exempt.includes(file)).flatMap((file) =>
    Array.from(withoutComments(file).matchAll(words), ([word]) => word)
      .filter((word) => !own.test(word)).map((word) => `${file}: ${word}`)
  );
  assert.deepEqual(wrong, []);
});

Deno.test("no name of a module stands for two things in src or in a plugin", () => {
  const plugins = ["plan", "site", "board", "ralph", "query"].map((name) => `plugins/${name}`);
  const declared =
    /^(?:export )?(?:async )?(?:function\*?|const|class|interface|type|let) (\w+|\[[^\]]+\])/gm;
  for (const folder of ["src", ...plugins]) {
    const files = new Map<string, string>();
    for (const file of sources(folder).filter((file) => !isBuiltView(file))) {
      const names = Array.from(withoutComments(file).matchAll(declared), ([, name]) => name!);
      for (const name of names.join().match(/\w+/g) ?? []) {
        assert.equal(files.getOrInsert(name, file), file, name);
      }
    }
  }
});

Deno.test("what changes belongs to the memo of a project, not to a module", () => {
  const found = [...sources("src"), ...sources("plugins")]
    // It has the script of a page.
    .filter((file) => !isBuiltView(file) && file !== "src/cli/view_page.ts")
    .flatMap((file) =>
      withoutComments(file).match(/^(?:export )?let .*|WeakMap<Project\b/gm) ?? []
    );
  assert.deepEqual(found, []);
});
