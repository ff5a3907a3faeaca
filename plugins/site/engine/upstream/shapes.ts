/** The types of the refrakt packages and of Markdoc, as far as they are used. */

import type { MarkdocNode, ValidationError } from "../../../../src/markdoc/node.ts";

export interface MarkdocSchema {
  readonly attributes?: Readonly<
    Record<
      string,
      { readonly type?: unknown; readonly matches?: unknown; readonly description?: string }
    >
  >;
  readonly selfClosing?: boolean;
  readonly deferBody?: boolean;
}

export interface ContentField {
  readonly name: string;
  /** Such as `heading|paragraph`, `list:ordered`, `tag:step`, `any`. */
  readonly match: string;
  readonly optional?: boolean;
  readonly greedy?: boolean;
  /** How to write it, in Markdoc. */
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

export interface Rune {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly schema: MarkdocSchema;
  readonly description: string;
  readonly typeName?: string;
}

export interface RuneConfig {
  readonly block: string;
  readonly contextModifiers?: Readonly<Record<string, string>>;
  readonly staticModifiers?: readonly string[];
  readonly [field: string]: unknown;
}

export interface ThemeConfig {
  readonly prefix: string;
  readonly runes: Readonly<Record<string, RuneConfig>>;
  readonly [field: string]: unknown;
}

export interface StructureContract {
  readonly runes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface ValidationResult {
  readonly valid: boolean;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

export interface Finding {
  readonly path: string;
  readonly message: string;
}

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
  readonly runes: Readonly<Record<string, PluginEntry>>;
  readonly theme?: Readonly<Record<string, unknown>>;
  readonly pipeline?: PipelineHooks;
}

/** The input of `mergePlugins`. */
export interface LoadedPlugin {
  readonly pkg: PluginExport;
  readonly npmName: string;
  readonly runes: Record<string, Rune>;
  readonly fixtures: Record<string, string>;
  readonly fileRoots: Record<string, string>;
}

/** The result of `mergePlugins`. */
export interface MergedPlugins {
  readonly plugins?: readonly PluginExport[];
  readonly runes: Record<string, Rune>;
  readonly tags: Record<string, MarkdocSchema>;
  readonly provenance: Record<string, unknown>;
  readonly fixtures: Record<string, string>;
  readonly fileRoots?: Record<string, string>;
  readonly [field: string]: unknown;
}

export interface RuneInfo extends Rune {
  readonly plugin?: string;
}

export interface ReferenceContext {
  readonly runes: Readonly<Record<string, Rune>>;
  readonly fixtures: Readonly<Record<string, string>>;
  readonly source: Readonly<Record<string, string>>;
}

export interface SerializedRune {
  readonly name: string;
  readonly plugin: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly attributes: {
    readonly own: Readonly<Record<string, SerializedAttribute>>;
    readonly base?: { readonly attributes: Readonly<Record<string, SerializedAttribute>> };
  };
}

export interface SerializedAttribute {
  readonly type: string;
  readonly required: boolean;
  readonly matches?: readonly string[];
}

/** `@refrakt-md/runes`. */
export interface RunesModule {
  readonly runes: Readonly<Record<string, Rune>>;
  readonly tags: Readonly<Record<string, MarkdocSchema>>;
  readonly nodes: Readonly<Record<string, unknown>>;
  readonly baseConfig: ThemeConfig;
  readonly RUNE_EXAMPLES: Readonly<Record<string, string>>;
  readonly functions: Readonly<Record<string, unknown>>;
  readonly schemaContentModels: WeakMap<
    MarkdocSchema,
    ContentModel | ((attributes: Record<string, unknown>) => ContentModel)
  >;
  readonly UNIVERSAL_ATTRIBUTE_NAMES: ReadonlySet<string>;
  readonly coreTranslations?: unknown;
  matchesType(node: MarkdocNode, match: string): boolean;
  evaluateCondition(
    condition: unknown,
    children: readonly MarkdocNode[],
    attributes: Readonly<Record<string, unknown>>,
  ): boolean;
  stripContentModel(model: ContentModel): unknown;
  hasImageScheme(scheme: string): boolean;
  escapeFenceTags(markdown: string): string;
  captureDeferredBodies(ast: MarkdocNode, isDeferred: (name: string) => boolean): void;
  firstH1(ast: MarkdocNode): string | undefined;
  compileXrefPatterns(patterns: unknown): {
    readonly patterns: readonly { readonly match: { readonly source: string } }[];
  };
  resolveCoreSentinels?(
    tree: unknown,
    url: string,
    core: unknown,
    context: unknown,
    searched: readonly unknown[],
  ): unknown;
  createCorePipelineHooks(options: Readonly<Record<string, unknown>>): PipelineHooks;
  serializeTree(tree: unknown): unknown;
  extractHeadings(ast: unknown): unknown;
  defineRune(descriptor: Record<string, unknown>): Rune;
  runeTagMap(runes: Readonly<Record<string, Rune>>): Record<string, MarkdocSchema>;
  mergePlugins(
    loaded: readonly LoadedPlugin[],
    core: ReadonlySet<string>,
    prefer?: unknown,
  ): MergedPlugins;
  applyAliases(
    runes: Readonly<Record<string, Rune>>,
    tags: Readonly<Record<string, MarkdocSchema>>,
    aliases: Record<string, string>,
    provenance: Record<string, unknown>,
  ): { tags: Record<string, MarkdocSchema> };
  parseFixture(raw: string, file: string): {
    readonly rune: string;
    readonly scenario: string;
    readonly body: string;
    readonly frontmatter: { readonly role?: string };
  };
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
  generateScopedTintStylesheet?(
    tints: Readonly<Record<string, unknown>>,
    presets: Readonly<Record<string, unknown>>,
  ): string;
}

export interface PipelineHooks {
  configure?(options: {
    readonly config: unknown;
    readonly configDir: string;
    registerFileRoot(namespace: string, path: string): void;
    /** Since 0.26. */
    readonly projectFiles?: unknown;
  }): unknown;
  preprocess?(ast: MarkdocNode, page: unknown, context: unknown): unknown;
  // deno-lint-ignore no-explicit-any -- each hook has its own idea of what it takes
  readonly register?: (...args: any[]) => unknown;
  postProcess?(page: { readonly url: string }, aggregated: unknown, context: unknown): unknown;
}

export interface BuiltPage {
  readonly route: { readonly url: string; readonly filePath: string; readonly draft: boolean };
  readonly frontmatter: Readonly<Record<string, unknown>>;
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
  readonly frontmatter?: Readonly<Record<string, unknown>>;
  readonly content: string;
  /** Such as `item`. */
  readonly variables?: Readonly<Record<string, unknown>>;
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
    resolve(path: string, frontmatter: Readonly<Record<string, unknown>>): BuiltPage["route"];
  };
  parseFrontmatter(raw: string): { readonly frontmatter: unknown; readonly content: string };
  runPipeline(
    pages: readonly BuiltPage[],
    hooks: readonly { readonly pluginName: string; readonly hooks: PipelineHooks }[],
    options: Readonly<Record<string, unknown>>,
  ): Promise<{
    readonly pages: readonly BuiltPage[];
    readonly aggregated: Readonly<Record<string, unknown>>;
    readonly warnings: readonly {
      readonly severity: string;
      readonly url?: string;
      readonly message: string;
    }[];
  }>;
  resolveTimestamps(
    relative: string,
    path: string,
    fromGit: ReadonlyMap<string, unknown>,
    frontmatter: Readonly<Record<string, unknown>>,
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
  buildHighlightOptions?(site: unknown): Readonly<Record<string, unknown>>;
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
  readonly nodes: Readonly<Record<string, unknown>>;
  readonly tags: Readonly<Record<string, unknown>>;
  readonly functions: Readonly<Record<string, unknown>>;
  readonly Ast: { readonly Node: new (type: string, attributes?: object) => MarkdocNode };
  readonly Tokenizer: new () => { readonly parser: MarkdownIt };
  parse(source: string): MarkdocNode;
  format(ast: MarkdocNode): string;
  transform(ast: MarkdocNode, config: Record<string, unknown>): unknown;
  validator(node: MarkdocNode, config: Record<string, unknown>): readonly ValidationError[];
}
