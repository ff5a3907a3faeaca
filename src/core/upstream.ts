/**
 * The refrakt packages that the core stands on: their shapes, as far as they are
 * used here, and how they are loaded at the project's versions.
 *
 * @module
 */

import { join } from "node:path";
import { importVersion } from "../packages/load.ts";
import { declaredDependencies, readManifest } from "../packages/manifests.ts";
import {
  DEFAULT_VERSION,
  FIRST_PARTY_SCOPE,
  MARKDOC_PACKAGE,
  MARKDOC_VERSION,
} from "../packages/names.ts";
import { type PackageVersion, packageVersion } from "../packages/versions.ts";
import type { Project } from "../project/project.ts";

/** One attribute of a Markdoc schema. */
export interface AttributeDefinition {
  readonly type?: unknown;
  readonly required?: boolean;
  readonly matches?: unknown;
  readonly description?: string;
}

/** A Markdoc schema. */
export interface MarkdocSchema {
  readonly attributes?: Readonly<Record<string, AttributeDefinition>>;
  readonly selfClosing?: boolean;
}

/** A rune as the packages define it. */
export interface Rune {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly schema: MarkdocSchema;
  readonly description: string;
  readonly typeName?: string;
  readonly authoringHints?: string;
}

/** What the identity transform knows about one type of rune. */
export interface RuneConfig {
  readonly block: string;
  readonly modifiers?: unknown;
  readonly structure?: unknown;
  readonly contentWrapper?: unknown;
  readonly contextModifiers?: Readonly<Record<string, string>>;
  readonly rootAttributes?: unknown;
  readonly staticModifiers?: readonly string[];
  readonly styles?: unknown;
  readonly childDensity?: unknown;
  readonly projection?: unknown;
  readonly editHints?: unknown;
}

/** A theme configuration. */
export interface ThemeConfig {
  readonly prefix: string;
  readonly runes: Readonly<Record<string, RuneConfig>>;
  readonly [field: string]: unknown;
}

/** The structure contract of a configuration. */
export interface StructureContract {
  readonly $schema: string;
  readonly description: string;
  readonly prefix: string;
  readonly runes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What the validators answer. */
export interface ValidationResult {
  readonly valid: boolean;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** One thing that a validator found. */
export interface Finding {
  readonly path: string;
  readonly message: string;
}

/** One rune of a plugin package. */
export interface PluginEntry {
  readonly transform: MarkdocSchema;
  readonly description?: string;
  readonly aliases?: readonly string[];
  readonly seoType?: string;
  readonly authoringHints?: string;
  readonly fixture?: string;
  readonly schema?: Readonly<Record<string, unknown>>;
}

/** The object that a rune package exports. */
export interface PluginExport {
  readonly name: string;
  readonly displayName?: string;
  readonly version: string;
  readonly runes: Readonly<Record<string, PluginEntry>>;
  readonly theme?: Readonly<Record<string, unknown>>;
  readonly extends?: Readonly<Record<string, unknown>>;
  readonly fileRoots?: Readonly<Record<string, string>>;
}

/** A rune package in the form that `mergePlugins` takes. */
export interface LoadedPlugin {
  readonly pkg: PluginExport;
  readonly npmName: string;
  readonly runes: Record<string, Rune>;
  readonly fixtures: Record<string, string>;
  readonly fileRoots: Record<string, string>;
}

/** What `mergePlugins` answers. */
export interface MergedPlugins {
  readonly runes: Record<string, Rune>;
  readonly tags: Record<string, MarkdocSchema>;
  readonly themeRunes: Record<string, RuneConfig>;
  readonly themeIcons: Record<string, unknown>;
  readonly themeBackgrounds: Record<string, unknown>;
  readonly extensions: Record<string, unknown>;
  readonly provenance: Record<string, unknown>;
  readonly fixtures: Record<string, string>;
  readonly translations?: unknown;
}

/** A rune with everything that the reference says about it. */
export interface RuneInfo {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly schema: MarkdocSchema;
  readonly plugin?: string;
}

/** What the reference functions take. */
export interface ReferenceContext {
  readonly runes: Readonly<Record<string, Rune>>;
  readonly fixtures: Readonly<Record<string, string>>;
  readonly source: Readonly<Record<string, string>>;
}

/** A rune of the reference, as JSON. */
export interface SerializedRune {
  readonly name: string;
  readonly plugin: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly authoringHints?: string;
  readonly attributes: {
    readonly own: Readonly<Record<string, SerializedAttribute>>;
    readonly base?: {
      readonly name: string;
      readonly description: string;
      readonly attributes: Readonly<Record<string, SerializedAttribute>>;
    };
    readonly universal: readonly string[];
  };
  readonly contentModel?: unknown;
  readonly example?: string;
}

/** An attribute of the reference, as JSON. */
export interface SerializedAttribute {
  readonly type: string;
  readonly required: boolean;
  readonly matches?: readonly string[];
  readonly description?: string;
}

/** A fixture file in its parts. */
export interface ParsedFixture {
  readonly rune: string;
  readonly scenario: string;
  readonly body: string;
  readonly frontmatter: { readonly role?: string };
}

/** `@refrakt-md/runes`, as far as it is used here. */
export interface RunesModule {
  readonly runes: Readonly<Record<string, Rune>>;
  readonly tags: Readonly<Record<string, MarkdocSchema>>;
  readonly nodes: Readonly<Record<string, unknown>>;
  readonly baseConfig: ThemeConfig;
  readonly RUNE_EXAMPLES: Readonly<Record<string, string>>;
  readonly UNIVERSAL_ATTRIBUTE_NAMES?: ReadonlySet<string>;
  readonly coreTranslations?: unknown;
  serializeTree(tree: unknown): unknown;
  extractHeadings(ast: unknown): unknown;
  defineRune(descriptor: Record<string, unknown>): Rune;
  runeTagMap(runes: Record<string, Rune>): Record<string, MarkdocSchema>;
  mergePlugins(
    loaded: readonly LoadedPlugin[],
    core: ReadonlySet<string>,
    prefer?: unknown,
  ): MergedPlugins;
  applyAliases(
    runes: Record<string, Rune>,
    tags: Record<string, MarkdocSchema>,
    aliases: Record<string, string>,
    provenance: Record<string, unknown>,
  ): { tags: Record<string, MarkdocSchema> };
  parseFixture(raw: string, file: string): ParsedFixture;
  hydrateRuneByName(context: ReferenceContext, name: string): RuneInfo | undefined;
  hydrateAllRuneInfos(context: ReferenceContext): RuneInfo[];
  serializeRune(info: RuneInfo, plugin?: string): SerializedRune;
  describeRune(info: RuneInfo): string;
  renderReferenceMarkdown(context: ReferenceContext): string;
}

/** `@refrakt-md/transform`, as far as it is used here. */
export interface TransformModule {
  createTransform(config: ThemeConfig): (tree: unknown) => unknown;
  renderToHtml(tree: unknown, options: { pretty: boolean }): string;
  extractSelectors(tree: unknown, prefix: string): string[];
  assembleThemeConfig(input: Record<string, unknown>): { config: ThemeConfig };
  generateStructureContract(config: ThemeConfig): StructureContract;
  validateThemeConfig(config: unknown): ValidationResult;
  validateManifest(manifest: unknown): ValidationResult;
  extractI18nKeys?(config: ThemeConfig): unknown;
}

/** A node of Markdoc's syntax tree. */
export interface MarkdocNode {
  type: string;
  tag?: string;
  attributes: Record<string, unknown>;
  children: MarkdocNode[];
  lines: number[];
  walk(): Iterable<MarkdocNode>;
}

/** Markdoc, as far as it is used here. */
export interface Markdoc {
  readonly Ast: { readonly Node: new (type: string, attributes?: object) => MarkdocNode };
  parse(source: string): MarkdocNode;
  transform(ast: MarkdocNode, config: Record<string, unknown>): unknown;
}

/** The packages, loaded. */
export interface Upstream {
  readonly runes: RunesModule;
  readonly transform: TransformModule;
  readonly markdoc: Markdoc;
}

/** The versions of the packages that a project stands on. */
export interface UpstreamVersions {
  readonly runes: PackageVersion;
  readonly transform: PackageVersion;
  readonly markdoc: PackageVersion;
}

/** Finds the versions: the first-party packages are released together, so any of them tells. */
export function upstreamVersions(project: Project): UpstreamVersions {
  const runes = lockstepVersion(project, "@refrakt-md/runes");
  return {
    runes,
    transform: lockstepVersion(project, "@refrakt-md/transform"),
    markdoc: markdocVersion(project, runes),
  };
}

/**
 * Loads the packages.
 *
 * @throws {RefraktError} `PLUGIN_LOAD_FAILED`.
 */
export async function loadUpstream(versions: UpstreamVersions): Promise<Upstream> {
  const [runes, transform, markdoc] = await Promise.all([
    importVersion<RunesModule>(versions.runes),
    importVersion<TransformModule>(versions.transform),
    importVersion<{ default?: Markdoc } & Markdoc>(versions.markdoc),
  ]);
  return { runes, transform, markdoc: markdoc.default ?? markdoc };
}

function lockstepVersion(project: Project, name: string): PackageVersion {
  const found = packageVersion(project, name);
  if (found.from !== "default") return found;
  const siblings = new Set([
    ...project.site?.packages ?? [],
    ...declaredDependencies(project.cwd).map((declared) => declared.name),
  ]);
  for (const sibling of siblings) {
    if (!sibling.startsWith(FIRST_PARTY_SCOPE)) continue;
    const { version, from } = packageVersion(project, sibling);
    if (from !== "default") return { name, version, from: `${from} (${sibling})` };
  }
  return { name, version: DEFAULT_VERSION, from: "default" };
}

/** The pinned one, unless a newer `runes` in `node_modules` says its own. */
function markdocVersion(project: Project, runes: PackageVersion): PackageVersion {
  const name = MARKDOC_PACKAGE;
  if (!runes.from.endsWith("node_modules")) {
    return { name, version: MARKDOC_VERSION, from: "runes" };
  }
  const manifest = readManifest(join(project.cwd, runes.from, runes.name, "package.json"));
  const asked = (manifest?.["dependencies"] as Record<string, unknown> | undefined)?.[name];
  const version = typeof asked === "string" ? asked : MARKDOC_VERSION;
  return { name, version, from: "runes" };
}
