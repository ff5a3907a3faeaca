/** The types of the refrakt packages and of Markdoc that are used here. */

import type { MarkdocNode, ValidationError } from "../../../../src/markdoc/node.ts";

type ByName<Value> = Readonly<Record<string, Value>>;
type Fields = ByName<unknown>;
type Runes = ByName<Rune>;
type Tags = ByName<MarkdocSchema>;

export interface MarkdocSchema {
  readonly attributes?: ByName<Readonly<Record<"type" | "matches", unknown>>>;
  readonly selfClosing?: boolean;
  readonly deferBody?: boolean;
}

export interface ContentField {
  readonly name: string;
  /** Such as `heading|paragraph`, `list:ordered`, `tag:step`, `any`. */
  readonly match: string;
  readonly optional?: boolean;
  readonly greedy?: boolean;
  /** An example of the content, in Markdoc. */
  readonly template?: string;
  readonly itemModel?: ContentModel;
}

export interface ContentModel {
  readonly type?: "sequence" | "sections" | "delimited" | "custom";
  readonly fields?: readonly ContentField[];
  readonly zones?: readonly ContentModel[];
  readonly sectionModel?: ContentModel;
  readonly sectionHeading?: string;
  readonly implicitSection?: unknown;
  readonly when?: readonly { readonly condition: unknown; readonly model: ContentModel }[];
  readonly default?: ContentModel;
}

type ContentModelBy = (attributes: Fields) => ContentModel;

export interface Rune {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly schema: MarkdocSchema;
  readonly description: string;
  readonly typeName?: string;
}

export interface RuneConfig {
  readonly block: string;
  readonly contextModifiers?: ByName<string>;
  readonly staticModifiers?: readonly string[];
  readonly [field: string]: unknown;
}

export interface ThemeConfig {
  readonly prefix: string;
  readonly runes: ByName<RuneConfig>;
  readonly [field: string]: unknown;
}

export interface StructureContract {
  readonly runes: ByName<Fields>;
}

export interface ValidationResult {
  readonly valid: boolean;
  readonly errors: readonly PathFinding[];
  readonly warnings: readonly PathFinding[];
}

export type PathFinding = Readonly<Record<"path" | "message", string>>;

export interface PluginEntry {
  readonly transform: MarkdocSchema;
  readonly description?: string;
  readonly aliases?: readonly string[];
  readonly seoType?: string;
  readonly authoringHints?: string;
  readonly fixture?: string;
}

export interface PluginExport {
  readonly name: string;
  readonly displayName?: string;
  readonly version: string;
  readonly runes: ByName<PluginEntry>;
  readonly theme?: Fields;
  readonly pipeline?: PipelineHooks;
}

/** The input of `mergePlugins`. */
export interface LoadedPlugin {
  readonly pkg: PluginExport;
  readonly npmName: string;
  readonly runes: Runes;
  readonly fixtures: ByName<string>;
  readonly fileRoots: ByName<string>;
}

/** The result of `mergePlugins`. */
export interface MergedPlugins {
  readonly plugins?: readonly PluginExport[];
  readonly runes: Runes;
  readonly tags: Tags;
  readonly provenance: Fields;
  readonly fixtures: ByName<string>;
  readonly fileRoots?: ByName<string>;
  readonly [field: string]: unknown;
}

export interface RuneInfo extends Rune {
  readonly plugin?: string;
}

export interface ReferenceContext {
  readonly runes: Runes;
  readonly fixtures: ByName<string>;
  readonly source: ByName<string>;
}

export interface SerializedRune {
  readonly name: string;
  readonly plugin: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly attributes: {
    readonly own: ByName<SerializedAttribute>;
    readonly base?: { readonly attributes: ByName<SerializedAttribute> };
  };
}

export interface SerializedAttribute {
  readonly type: string;
  readonly required: boolean;
  readonly matches?: readonly string[];
}

interface Fixture extends Readonly<Record<"rune" | "scenario" | "body", string>> {
  readonly frontmatter: { readonly role?: string };
}

/** `@refrakt-md/runes`. */
export interface RunesModule {
  readonly runes: Runes;
  readonly tags: Tags;
  readonly nodes: Fields;
  readonly baseConfig: ThemeConfig;
  readonly RUNE_EXAMPLES: ByName<string>;
  readonly functions: Fields;
  readonly schemaContentModels: WeakMap<MarkdocSchema, ContentModel | ContentModelBy>;
  readonly UNIVERSAL_ATTRIBUTE_NAMES: ReadonlySet<string>;
  readonly coreTranslations?: unknown;
  matchesType(node: MarkdocNode, match: string): boolean;
  evaluateCondition(condition: unknown, children: readonly MarkdocNode[], values: Fields): boolean;
  stripContentModel(model: ContentModel): unknown;
  hasImageScheme(scheme: string): boolean;
  escapeFenceTags(markdown: string): string;
  captureDeferredBodies(ast: MarkdocNode, isDeferred: (name: string) => boolean): void;
  firstH1(ast: MarkdocNode): string | undefined;
  compileXrefPatterns(patterns: unknown): { readonly patterns: readonly { match: RegExp }[] };
  resolveCoreSentinels?(tree: unknown, url: string, ...build: readonly unknown[]): unknown;
  createCorePipelineHooks(options: Fields): PipelineHooks;
  serializeTree(tree: unknown): unknown;
  extractHeadings(ast: unknown): unknown;
  defineRune(descriptor: Record<string, unknown>): Rune;
  runeTagMap(runes: Runes): Tags;
  mergePlugins(loaded: LoadedPlugin[], core: ReadonlySet<string>, prefer?: unknown): MergedPlugins;
  applyAliases(runes: Runes, tags: Tags, aliases: ByName<string>, from: Fields): { tags: Tags };
  parseFixture(raw: string, file: string): Fixture;
  hydrateRuneByName(context: ReferenceContext, name: string): RuneInfo | undefined;
  hydrateAllRuneInfos(context: ReferenceContext): RuneInfo[];
  serializeRune(info: RuneInfo, plugin?: string): SerializedRune;
  describeRune(info: RuneInfo): string;
  renderReferenceMarkdown(context: ReferenceContext): string;
}

/** `@refrakt-md/transform`. */
export interface TransformModule {
  createTransform(config: ThemeConfig): (tree: unknown) => unknown;
  renderToHtml(tree: unknown, options: { pretty: boolean }): string;
  extractSelectors(tree: unknown, prefix: string): string[];
  assembleThemeConfig(input: Record<string, unknown>): { config: ThemeConfig };
  generateStructureContract(config: ThemeConfig): StructureContract;
  validateThemeConfig(config: unknown): ValidationResult;
  validateManifest(manifest: unknown): ValidationResult;
  /** Since 0.29. */
  extractI18nKeys?(config: ThemeConfig): unknown;
  matchRouteRule(url: string, rules: unknown): string;
  readonly defaultLayout?: unknown;
  readonly docsLayout?: unknown;
  readonly blogArticleLayout?: unknown;
  layoutTransform?(layout: unknown, page: unknown, prefix: string): unknown;
  withoutSearchLayout?(layout: unknown): unknown;
  mergeThemeTokensConfigs?(...configs: readonly unknown[]): unknown;
  validateThemeTokensConfig?(config: unknown): Pick<ValidationResult, "valid" | "errors">;
  generateThemeStylesheet?(config: unknown): string;
  generateScopedTintStylesheet?(tints: Fields, presets: Fields): string;
}

export interface PipelineHooks {
  configure?(options: Fields): unknown;
  preprocess?(ast: MarkdocNode, page: unknown, context: unknown): unknown;
  // deno-lint-ignore no-explicit-any -- each hook has its own idea of what it takes
  readonly register?: (...args: any[]) => unknown;
  postProcess?(page: { readonly url: string }, aggregated: unknown, context: unknown): unknown;
}

export interface BuiltPage {
  readonly route: { readonly url: string; readonly filePath: string; readonly draft: boolean };
  readonly frontmatter: Fields;
  readonly content: string;
  readonly renderable: unknown;
  readonly headings: readonly unknown[];
  readonly layout: unknown;
  readonly seo: unknown;
}

/** A page that a hook created. */
export interface ContributedPage {
  readonly url: string;
  readonly title?: string;
  readonly frontmatter?: Fields;
  readonly content: string;
  /** Such as `item`. */
  readonly variables?: Fields;
}

/** A folder of the content with its `_layout.md`. */
export interface LayoutFolder {
  readonly name: string;
  readonly layout?: { readonly relativePath: string; readonly raw: string };
  readonly children: readonly LayoutFolder[];
}

export interface LayoutRegion {
  readonly name: string;
  readonly mode: string;
  readonly content: readonly unknown[];
}

/** `@refrakt-md/content`. */
export interface ContentModule {
  readonly Router: new (basePath: string) => {
    resolve(path: string, frontmatter: Fields): BuiltPage["route"];
  };
  parseFrontmatter(raw: string): { readonly frontmatter: unknown; readonly content: string };
  runPipeline(
    pages: readonly BuiltPage[],
    hooks: readonly { readonly pluginName: string; readonly hooks: PipelineHooks }[],
    options: Fields,
  ): Promise<{
    readonly pages: readonly BuiltPage[];
    readonly aggregated: Fields;
    readonly warnings: readonly { severity: string; url?: string; message: string }[];
  }>;
  resolveTimestamps(
    relative: string,
    path: string,
    fromGit: ReadonlyMap<string, unknown>,
    frontmatter: Fields,
  ): { readonly created?: string; readonly modified?: string };
  resolveLayouts?(
    page: { readonly relativePath: string },
    root: LayoutFolder,
    icons: unknown,
  ): { readonly regions: ReadonlyMap<string, LayoutRegion> };
  resolveTintCascade?(
    page: { readonly relativePath: string; readonly raw: string },
    root: LayoutFolder,
    defaults: { readonly colorScheme?: unknown },
  ): { readonly tint: unknown; readonly tintMode: string; readonly locked: boolean };
  buildHighlightOptions?(site: unknown): Fields;
  /** `fromContentMap` exists since 0.26, when the packages began to read through `ProjectFiles`. */
  readonly ContentTree?: { readonly fromContentMap?: unknown };
}

/** The parser behind Markdoc: it can parse blocks alone. */
interface MarkdownIt {
  readonly block: {
    parse(
      text: string,
      parser: MarkdownIt,
      env: object,
      tokens: { readonly type: string; readonly content: string }[],
    ): void;
  };
}

/** `@markdoc/markdoc`. */
export interface Markdoc {
  readonly nodes: Fields;
  readonly tags: Fields;
  readonly functions: Fields;
  readonly Ast: { readonly Node: new (type: string, attributes?: object) => MarkdocNode };
  readonly Tokenizer: new () => { readonly parser: MarkdownIt };
  parse(source: string): MarkdocNode;
  format(ast: MarkdocNode): string;
  transform(ast: MarkdocNode, config: Record<string, unknown>): unknown;
  validator(node: MarkdocNode, config: Record<string, unknown>): readonly ValidationError[];
}
