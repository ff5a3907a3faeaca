/** A parsed text with what it may refer to, for the checks. */

import type { MarkdocNode } from "../../../../../src/markdoc/node.ts";
import { parseContent } from "../../runes/example_page.ts";
import type { SiteContext } from "../../upstream/site.ts";
import type { ContentFile } from "./content_files.ts";
import { createLocator, type Locator } from "../../../../../src/markdoc/locate.ts";

/** Partials by name. */
export type Partials = Readonly<Record<string, MarkdocNode>>;

/** The valid names; kinds that cannot be determined are absent. */
export interface SiteNames {
  /** Such as `rocket` or `hint/warning`. */
  readonly icon?: ReadonlySet<string>;
  readonly tint?: ReadonlySet<string>;
  readonly background?: ReadonlySet<string>;
  readonly layout?: ReadonlySet<string> | undefined;
}

export interface Scope {
  readonly site: SiteContext;
  readonly ast: MarkdocNode;
  readonly locator: Locator;
  /** The variables of a partial come from the pages that use it. */
  readonly kind: ContentFile["kind"];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly partials: Partials;
  readonly names: SiteNames;
}

/** The scope of a rune's example. */
export function exampleScope(site: SiteContext, example: string): Scope {
  const ast = parseContent(site, example);
  const locator = createLocator(example, 0);
  return { site, ast, locator, kind: "page", variables: {}, partials: {}, names: {} };
}
