/**
 * What a page says and where it leads: its headings, links, images and ids, with their places.
 *
 * @module
 */

import type { MarkdocNode } from "../shapes.ts";
import type { SiteContext } from "../site.ts";
import { type Diagnostic, diagnostic, type Place } from "./diagnostics.ts";
import type { Locator } from "./locate.ts";
import { isDeferred } from "./validate_page.ts";

/** A link or an image, and where it stands. */
export interface Reference {
  /** Whether it is followed or shown. */
  readonly kind: "link" | "image";
  /** The address as written. */
  readonly target: string;
  /** Where it stands. */
  readonly place: Place;
}

/** What was found in a page. */
export interface PageFacts {
  /** Its links and images. */
  readonly references: readonly Reference[];
  /** The ids that a link can lead to. */
  readonly ids: readonly string[];
  /** Findings about headings and images. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the facts of a page from its syntax tree. */
export function pageFacts(
  site: SiteContext,
  ast: MarkdocNode,
  locator: Locator,
  { headings = true }: { readonly headings?: boolean } = {},
): PageFacts {
  const references: Reference[] = [];
  const diagnostics: Diagnostic[] = [];
  const ids = new Set<string>();
  let level = 1;
  const visit = (node: MarkdocNode, counted: boolean) => {
    if (isDeferred(site, node)) return;
    const { attributes } = node;
    const id = attributes["id"];
    if (typeof id === "string") ids.add(id);
    if (node.type === "heading") {
      for (const made of headingIds(node)) ids.add(made);
      const own = Number(attributes["level"]);
      if (counted && headings) {
        if (own > level + 1) {
          diagnostics.push(diagnostic(
            "heading-jump",
            `A heading of level ${own} follows one of level ${level}`,
            locator.start(node),
          ));
        }
        level = own;
      }
    } else if (node.type === "link") {
      note("link", node, attributes["href"], `](`);
    } else if (node.type === "image") {
      note("image", node, attributes["src"], `![`);
      if (attributes["alt"] === "" || attributes["alt"] === undefined) {
        diagnostics.push(diagnostic(
          "image-alt",
          `The image ${JSON.stringify(attributes["src"])} has no text: ![text](…)`,
          references.at(-1)?.place ?? locator.start(node),
        ));
      }
    } else if (node.type === "tag" && typeof attributes["href"] === "string") {
      references.push({
        kind: "link",
        target: attributes["href"],
        place: locator.attribute(node, "href"),
      });
    }
    const inside = counted && !hasOwnHeadings(site, node);
    for (const child of node.children) visit(child, inside);
  };
  const note = (kind: Reference["kind"], node: MarkdocNode, target: unknown, mark: string) => {
    if (typeof target !== "string") return;
    const place = locator.text(node, mark === "![" ? mark : `](${target}`);
    // A link is pointed at where its address begins.
    references.push({
      kind,
      target,
      place: mark === "![" ? place : { line: place.line, column: place.column + 2 },
    });
  };
  visit(ast, true);
  return { references, ids: [...ids], diagnostics };
}

/** Runes that read their content in a way of their own use headings as names of groups. */
function hasOwnHeadings(site: SiteContext, node: MarkdocNode): boolean {
  const { tag } = node;
  if (node.type !== "tag" || tag === undefined || !Object.hasOwn(site.tags, tag)) return false;
  const model = site.upstream.runes.schemaContentModels?.get(site.tags[tag]!);
  return typeof model === "object" && model.type === "custom";
}

/** The ids that the packages make of a heading; their table of contents and their markup differ. */
function headingIds(node: MarkdocNode): string[] {
  const all: string[] = [];
  const direct: string[] = [];
  for (const child of node.walk()) {
    const { content } = child.attributes;
    if (child.type === "text" && typeof content === "string") all.push(content);
  }
  for (const inline of node.children) {
    for (const child of inline.children) {
      const { content } = child.attributes;
      if (child.type === "text" && typeof content === "string") direct.push(content);
    }
  }
  const id = (texts: readonly string[], dropped: RegExp) =>
    texts.join(" ").replace(dropped, "").replace(/\s+/g, "-").toLowerCase();
  return [id(all, /[?]/g), id(all, /[?{}%]/g), id(direct, /[?{}%]/g)];
}
