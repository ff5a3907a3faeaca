/**
 * What the site pipeline uses of `@refrakt-md/content`.
 *
 * @module
 */

import type { MarkdocNode } from "./markdoc_shapes.ts";

/** The hooks of the build's passes over the pages. */
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
  // deno-lint-ignore no-explicit-any -- as above
  readonly contributePages?: (...args: any[]) => unknown;
  // deno-lint-ignore no-explicit-any -- as above
  readonly aggregate?: (...args: any[]) => unknown;
  postProcess?(page: { readonly url: string }, aggregated: unknown, context: unknown): unknown;
}

/** A page as the passes of the build see it. */
export interface BuiltPage {
  readonly route: { readonly url: string; readonly filePath: string; readonly draft: boolean };
  readonly frontmatter: Readonly<Record<string, unknown>>;
  readonly content: string;
  readonly renderable: unknown;
  readonly headings: readonly unknown[];
  readonly layout: unknown;
  readonly seo: unknown;
}

/** A page that a hook makes. */
export interface ContributedPage {
  readonly url: string;
  readonly title?: string;
  readonly frontmatter?: Readonly<Record<string, unknown>>;
  readonly content: string;
  /** Variables of its own, such as `item`. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** `@refrakt-md/content`, as far as it is used here. */
export interface ContentModule {
  readonly Router: new (basePath: string) => {
    resolve(path: string, frontmatter: Readonly<Record<string, unknown>>): BuiltPage["route"];
  };
  parseFrontmatter(raw: string): { readonly frontmatter: unknown; readonly content: string };
  runPipeline?(
    pages: readonly BuiltPage[],
    hooks: readonly { readonly pluginName: string; readonly hooks: PipelineHooks }[],
    options: Readonly<Record<string, unknown>>,
  ): Promise<{
    readonly pages: readonly BuiltPage[];
    readonly warnings: readonly {
      readonly severity: string;
      readonly url?: string;
      readonly message: string;
    }[];
  }>;
  resolveTimestamps?(
    relative: string,
    path: string,
    fromGit: ReadonlyMap<string, unknown>,
    frontmatter: Readonly<Record<string, unknown>>,
  ): { readonly created?: string; readonly modified?: string };
  /** Its trees can be made of a map since the packages read by `ProjectFiles`, 0.26. */
  readonly ContentTree?: { readonly fromContentMap?: unknown };
}
