import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import manifest from "../../deno.json" with { type: "json" };
import * as library from "../../mod.ts";
import * as plugin from "../../src/lib/plugin.ts";
import * as ralph from "../../plugins/ralph/mod.ts";
import { ROOT } from "../support/server.ts";

const AUTHORING = {
  values: "ERROR_CODES RefraktError WARNING_CODES defineSchema defineTool withContent withText"
    .split(" "),
  types: ("BlockCommon BrowserView CallContext Cell CliPlugin CliPluginCommand CodePolicy " +
    "ConfigFile ContentAnnotations ContentBlock ContentResult Detected " +
    "EmbeddedResourceBlock Entries ErrorCode Grants InputOf JsonSchema ListedEntry " +
    "Listing LogLevel MayList McpHandlerContext MediaBlock Meta Need OwnPackage " +
    "PackageKind PlanFacts Plugin PluginCommand PluginCommandInput PluginReport " +
    "ProgressUpdate Project Prompt PromptArgument PromptMessage RemoteChoice " +
    "RenderedPrompt ReportLine Resource ResourceBody ResourceLinkBlock ResourceParams Row " +
    "Schema SchemaIssue SchemaSource SiteConfig SiteFacts Skill Table TablePart " +
    "TableState Terminal TextBlock TextResult Tool ToolAnnotations ToolDefinition TypedTool ValueOf " +
    "Warning WarningCode WorkedPackage Memo MemoKey MemoOptions MemoShape Paint Reads ShellLines ZodSchema")
    .split(" "),
};

const ENTRY_POINTS: Record<string, { module: object; values: string[]; types: string[] }> = {
  ".": {
    module: library,
    values: ["createServer", "detect", "discoverPlugins"],
    types:
      ("DetectOptions Origin PackageReport Detection DiscoveredPlugin ListedPrompt ListedResource ListedTool Permissions " +
        "PluginSource PluginSummary ProjectKind RefraktServer RemoteReport " +
        "ServerOptions ServerTransport ShellCommand SitePackage SiteReport").split(" "),
  },
  "./plugin": { module: plugin, ...AUTHORING },
  "./ralph": { module: ralph, values: ["loadRalphPlugin"], types: [] },
};

// deno-lint-ignore no-explicit-any -- looked into freely
type Data = any;

async function denoJson(...args: string[]): Promise<Data> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT }).output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

/**
 * What `deno doc` says of each entry point, read together as JSR reads them: a symbol of two entry
 * points would be a reference without documentation in the second.
 */
const DOCUMENTED = denoJson("doc", "--json", ...Object.values(manifest.exports));

Deno.test("the package has three entry points", () => {
  assert.deepEqual(Object.keys(manifest.exports), Object.keys(ENTRY_POINTS));
});

for (const [name, { module, values, types }] of Object.entries(ENTRY_POINTS)) {
  Deno.test(`entry point ${name} exports exactly its documented symbols`, async (t) => {
    const path = manifest.exports[name as keyof typeof manifest.exports];
    const { module_doc, symbols } = (await DOCUMENTED).nodes[pathToFileURL(join(ROOT, path)).href]!;

    await t.step("as values", () => {
      assert.deepEqual(Object.keys(module).sort(), [...values].sort());
    });

    await t.step("as values and types", () => {
      const names = symbols.map((symbol: Data) => symbol.name).sort();
      assert.deepEqual(names, [...values, ...types].sort());
    });

    await t.step("with module docs, an example, and docs on each symbol", () => {
      assert.ok(module_doc?.doc);
      assert.ok(module_doc.tags?.some((tag: Data) => tag.kind === "example"));
      for (const { name, declarations } of symbols) {
        assert.ok(declarations.some((declaration: Data) => declaration.jsDoc?.doc), name);
      }
    });
  });
}

Deno.test("importing an entry point loads no npm package", async () => {
  for (const path of Object.values(manifest.exports)) {
    const { modules } = await denoJson("info", "--json", path);
    const imports = new Map<string, Data>(
      modules.map(({ specifier, dependencies = [] }: Data) => [specifier, dependencies]),
    );
    const entry = pathToFileURL(join(ROOT, path)).href;
    assert.ok(imports.has(entry));
    // The set grows by what each module imports.
    const loaded = new Set([entry]);
    for (const specifier of loaded) {
      assert.ok(!specifier.startsWith("npm:"), `${path} loads ${specifier}`);
      for (const { code, isDynamic } of imports.get(specifier) ?? []) {
        if (code?.specifier !== undefined && isDynamic !== true) loaded.add(code.specifier);
      }
    }
  }
});
