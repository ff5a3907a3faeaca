/**
 * Projects with all of refrakt installed, at versions that no registry has: the packages
 * of the lab, changed in what the server or the CLI calls and the releases changed.
 */

import { join } from "node:path";
import { lab } from "./lab.ts";
import { isolate, linkTree, renumber, replaceFile } from "./link_tree.ts";
import { type Change, MIGRATE_PR, NEWER } from "./newer_plan.ts";
import { commitAll, makeProject, SMALL_PLAN, writeFiles } from "./project.ts";

/** A project whose refrakt packages can be given another version. */
export interface Upgraded {
  /** Its folder. */
  readonly root: string;
  /** Where its CLI starts. */
  readonly cli: string;
  /** Installs a version. */
  install(version: string): void;
  /** Moves everything that is installed into a store, as pnpm has it. */
  isolate(): void;
  /** Puts the plan back as it was. */
  restorePlan(): void;
}

const SCOPE = "node_modules/@refrakt-md";
const LEFT_OUT = new Set(["@esbuild", "@refrakt-md", "tree-sitter-wasms", "typescript", ".bin"]);
/** The editor and the AI commands of the CLI, which are loaded on their own. */
const UNUSED = new Set(["ai", "editor"]);

/** In which a version differs from the lab's. */
interface Differences {
  /** Changes of texts, by package. */
  readonly changes?: Readonly<Record<string, readonly Change[]>>;
  /** Modules of packages that are elsewhere. */
  readonly moved?: Readonly<Record<string, string>>;
  /** New modules of packages. */
  readonly files?: Readonly<Record<string, string>>;
  /** What the main module of a package exports in the place of what it had, or beside it. */
  readonly exports?: Readonly<Record<string, string>>;
}

/** The examples of the CLI itself, which it had before 0.22; of other runes it showed a stub. */
export const CLI_EXAMPLES: Readonly<Record<string, string>> = {
  hint: '{% hint type="note" %}\nAn example that only the CLI has.\n{% /hint %}',
  pagination: "{% pagination /%}",
};

/** What came after a version is not there: an export that is shadowed counts as none. */
const without = (...names: string[]) =>
  names.map((name) => `export const ${name} = undefined;`).join("\n");

/** Before examples were shared (0.22), and attributes checked by a module of their own (0.24). */
const OLDER: Differences = {
  moved: { "plan/dist/commands/enums.js": "plan/dist/commands/values.js" },
  changes: {
    plan: [
      ...["validate", "create", "update"].map((name): Change => [
        `dist/commands/${name}.js`,
        "'./enums.js'",
        "'./values.js'",
      ]),
      ["dist/commands/create.js", "assertValidAttrs(type, attrs", "void (type, attrs"],
    ],
    cli: [
      ["dist/lib/fixtures.js", /import \{ RUNE_EXAMPLES \}.*\n/, ""],
      ["dist/lib/fixtures.js", "= RUNE_EXAMPLES", `= ${JSON.stringify(CLI_EXAMPLES)}`],
    ],
  },
  exports: { runes: without("hasImageScheme", "parseFixture") },
};

/** Statuses, attributes and a migration that came with 0.28. */
const WITH_MORE_STATUSES: Differences = {
  changes: { plan: NEWER },
  files: { "plan/dist/commands/migrate-pr.js": MIGRATE_PR },
};

/** What differs in each version. */
const VERSIONS: Readonly<Record<string, Differences>> = {
  "0.12.0": {
    ...OLDER,
    exports: {
      // Pages were built with fewer steps.
      runes: without(
        "captureDeferredBodies",
        "compileXrefPatterns",
        "createCorePipelineHooks",
        "firstH1",
        "functions",
        "hasImageScheme",
        "parseFixture",
      ),
      content: without("readFileRoots"),
    },
  },
  "0.20.0": OLDER,
  "0.28.0": WITH_MORE_STATUSES,
  // Texts that can be translated.
  "0.29.0": {
    ...WITH_MORE_STATUSES,
    exports: {
      runes: 'export const coreTranslations = { de: { "core.hint.note": "Hinweis" } };',
      transform: `import { assembleThemeConfig as assemble } from "./whole.js";
export const assembleThemeConfig = ({ locale, coreTranslations, ...input }) => {
  const made = assemble(input);
  return { ...made, config: { ...made.config, texts: coreTranslations[locale] } };
};
export const extractI18nKeys = ({ texts, runes }) => ({ ...texts, "core.runes": String(Object.keys(runes).length) });`,
    },
    changes: {
      plan: NEWER,
      cli: [
        [
          "dist/bin.js",
          "                provenance: merged.provenance,\n            });\n            mergedConfig",
          "                provenance: merged.provenance, locale: siteScoped.locale,\n" +
          "                coreTranslations: runesModule.coreTranslations,\n            });\n            mergedConfig",
        ],
        [
          "dist/bin.js",
          "else if (command === 'contracts') {",
          `else if (command === 'i18n') {
    Promise.all([import('@refrakt-md/runes'), import('@refrakt-md/transform')]).then(async ([runes, transform]) => {
        const { config } = await loadMergedConfig(runes, transform.assembleThemeConfig);
        console.log(JSON.stringify(transform.extractI18nKeys(config)));
    });
}
else if (command === 'contracts') {`,
        ],
      ],
    },
  },
};

/** The versions that can be installed. */
export const OTHER_VERSIONS: readonly string[] = Object.keys(VERSIONS);

const ASKED = ["cli", "lumina", "marketing", "plan"].map((name) => `@refrakt-md/${name}`);

const FILES = {
  ...SMALL_PLAN,
  "package.json": JSON.stringify({
    private: true,
    devDependencies: Object.fromEntries(ASKED.map((name) => [name, "*"])),
  }),
  "refrakt.config.json": JSON.stringify({
    plan: { dir: "plan" },
    site: {
      contentDir: "content",
      theme: "@refrakt-md/lumina",
      locale: "de",
      plugins: ["@refrakt-md/marketing", "@refrakt-md/plan"],
    },
  }),
  "content/index.md": '# Home\n\n{% hint type="warning" %}\nCareful\n{% /hint %}\n',
  ".gitignore": "node_modules\n",
};

/** Makes the project, with nothing of refrakt in it yet. */
export async function upgraded(): Promise<Upgraded> {
  const modules = join(await lab(), "node_modules");
  const root = makeProject(FILES);
  commitAll(root, "Start");
  linkTree(modules, join(root, "node_modules"), (name) => !LEFT_OUT.has(name));
  return {
    root,
    cli: join(root, SCOPE, "cli/dist/bin.js"),
    install: (version) => install(join(modules, "@refrakt-md"), root, version),
    isolate: () => isolate(root, ASKED),
    restorePlan: () => writeFiles(root, SMALL_PLAN),
  };
}

function install(from: string, root: string, version: string): void {
  const scope = join(root, SCOPE);
  try {
    Deno.removeSync(scope, { recursive: true });
  } catch {
    // It is the first one.
  }
  linkTree(from, scope, (name) => !UNUSED.has(name));
  for (const { name } of Deno.readDirSync(scope)) {
    renumber(join(scope, name, "package.json"), version);
  }
  const { moved = {}, changes = {}, files = {}, exports = {} } = VERSIONS[version] ?? {};
  for (const [path, to] of Object.entries(moved)) {
    Deno.renameSync(join(scope, path), join(scope, to));
  }
  for (const [name, list] of Object.entries(changes)) {
    for (const [path, before, after] of list) change(join(scope, name, path), before, after);
  }
  for (const [path, text] of Object.entries(files)) replaceFile(join(scope, path), text);
  for (const [name, source] of Object.entries(exports)) {
    const [main, whole] = ["index.js", "whole.js"].map((file) => join(scope, name, "dist", file));
    Deno.renameSync(main!, whole!);
    Deno.writeTextFileSync(main!, `export * from "./whole.js";\n${source}\n`);
  }
}

function change(path: string, before: string | RegExp, after: string): void {
  const text = Deno.readTextFileSync(path);
  const changed = text.replace(before, () => after);
  if (changed === text) throw new Error(`${path} has no ${before}`);
  replaceFile(path, changed);
}
