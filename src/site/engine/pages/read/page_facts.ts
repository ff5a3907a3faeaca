/** Collects what a page contains: links, headings, runes, words and ids. */

import type { MarkdocNode } from "../../upstream/shapes.ts";
import { isDeferred, type SiteContext } from "../../upstream/site.ts";
import { type Diagnostic, diagnostic, type Place } from "./diagnostics.ts";
import type { Locator } from "./locate.ts";
import { type RuneUse, usesIn } from "./uses.ts";

export interface Reference {
  readonly kind: "link" | "nav" | "image" | "partial" | "sandbox";
  /** The address as written, or the name of the partial or sandbox source. */
  readonly target: string;
  readonly place: Place;
}

export interface Heading {
  /** From 1 to 6. */
  readonly level: number;
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

export interface PageFacts {
  readonly references: readonly Reference[];
  readonly headings: readonly Heading[];
  readonly uses: readonly RuneUse[];
  readonly words: number;
  readonly ids: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export function pageFacts(
  site: SiteContext,
  ast: MarkdocNode,
  locator: Locator,
  { isPage = true }: { readonly isPage?: boolean } = {},
): PageFacts {
  const references: Reference[] = [];
  const headings: Heading[] = [];
  const diagnostics: Diagnostic[] = [];
  const ids = new Set<string>();
  const written = new Set<string>();
  let words = 0;
  let level = 1;
  let titled = false;
  const complain = (...found: Parameters<typeof diagnostic>) =>
    diagnostics.push(diagnostic(...found));
  const visit = (node: MarkdocNode, counted: boolean, isOuter = false) => {
    const { attributes } = node;
    // A deferred body is a template: it appears once per entity, or never.
    if (isDeferred(site, node)) return;
    if (node.type === "tag" && site.names.get(node.tag ?? "") === "nav") noteEntries(node);
    const id = attributes["id"];
    if (typeof id === "string") {
      if (written.has(id)) {
        complain(
          "id-duplicate",
          `Another element has the id "${id}"`,
          node.tag === undefined ? locator.start(node) : locator.attribute(node, "id"),
        );
      }
      written.add(id);
      ids.add(id);
    }
    if (node.type === "text") words += wordsIn(attributes["content"]);
    if (node.type === "heading") {
      const made = headingIds(node);
      for (const each of made) ids.add(each);
      const [own] = made;
      if (isOuter && isPage && typeof id !== "string" && own !== undefined && own !== "") {
        if (written.has(own)) {
          // Common, and only links to it are affected.
          diagnostics.push({
            ...diagnostic(
              "id-duplicate",
              `Another element has the id "${own}": give this heading its own, such as {% #another %}`,
              locator.start(node),
            ),
            severity: "hint",
          });
        }
        written.add(own);
      }
      const rank = Number(attributes["level"]);
      const { line } = locator.start(node);
      headings.push({ level: rank, text: shownText(node), line });
      if (counted && isPage) {
        if (rank === 1 && titled && isOuter) {
          complain(
            "heading-second",
            "The page already has a first-level heading",
            locator.start(node),
          );
        } else if (rank > level + 1) {
          complain(
            "heading-jump",
            `A heading of level ${rank} follows one of level ${level}`,
            locator.start(node),
          );
        }
        titled ||= rank === 1 && isOuter;
        level = rank;
      }
    } else if (node.type === "link") {
      note("link", node, attributes["href"], `](`);
    } else if (node.type === "image") {
      note("image", node, attributes["src"], `![`);
      if (attributes["alt"] === "" || attributes["alt"] === undefined) {
        complain(
          "image-alt",
          `The image ${JSON.stringify(attributes["src"])} has no alternative text: ![text](…)`,
          references.at(-1)?.place ?? locator.start(node),
        );
      }
    } else if (node.tag === "partial" && typeof attributes["file"] === "string") {
      references.push({ kind: "partial", target: attributes["file"], place: locator.tag(node) });
    } else if (
      node.type === "tag" && site.names.get(node.tag ?? "") === "sandbox" &&
      typeof attributes["src"] === "string"
    ) {
      const place = locator.attribute(node, "src");
      references.push({ kind: "sandbox", target: attributes["src"], place });
    } else if (node.type === "tag" && typeof attributes["href"] === "string") {
      const { line, column } = locator.attribute(node, "href");
      // The place of a link is the start of its address.
      const place = { line, column: column + 'href="'.length };
      references.push({ kind: "link", target: attributes["href"], place });
    }
    const inside = counted && !hasOwnHeadings(site, node);
    for (const child of node.children) visit(child, inside, node === ast);
  };
  /** Navigation entries without a link are paths below the page's folder. */
  const noteEntries = (nav: MarkdocNode) => {
    for (const item of nav.walk()) {
      if (item.type !== "item") continue;
      const target = (item.children[0] === undefined ? [] : textsIn(item.children[0])).join("");
      if (!/^[\w./-]+$/.test(target) || [...item.walk()].some(({ type }) => type === "link")) {
        continue;
      }
      references.push({ kind: "nav", target, place: locator.start(item) });
    }
  };
  const note = (kind: Reference["kind"], node: MarkdocNode, target: unknown, mark: string) => {
    if (typeof target !== "string") return;
    const place = locator.text(node, mark === "![" ? mark : `](${target}`);
    // The address of a reference link stands elsewhere: its place is the start of the line.
    const isWritten = mark !== "![" && place.column > 1;
    references.push({
      kind,
      target,
      place: isWritten ? { line: place.line, column: place.column + 2 } : place,
    });
  };
  visit(ast, true);
  return {
    references,
    headings,
    uses: usesIn(site, ast, locator),
    words,
    ids: [...ids],
    diagnostics,
  };
}

/** Runes with a custom content model use headings as group names. */
function hasOwnHeadings(site: SiteContext, node: MarkdocNode): boolean {
  const { tag } = node;
  if (node.type !== "tag" || tag === undefined || !Object.hasOwn(site.tags, tag)) return false;
  const model = site.upstream.runes.schemaContentModels.get(site.tags[tag]!);
  return typeof model === "object" && model.type === "custom";
}

/** The ids of a heading: the packages' table of contents and markup compute them differently. */
function headingIds(node: MarkdocNode): string[] {
  const direct = node.children.flatMap((inline) => inline.children).flatMap(ownText);
  const id = (texts: readonly string[], dropped: RegExp) =>
    texts.join(" ").replace(dropped, "").replace(/\s+/g, "-").toLowerCase();
  const all = textsIn(node);
  return [id(direct, /[?{}%]/g), id(all, /[?]/g), id(all, /[?{}%]/g)];
}

/** The text that a reader sees; ids are made without what is in code. */
function shownText(node: MarkdocNode): string {
  const texts = [...node.walk()].flatMap((one) =>
    one.type === "code" ? String(one.attributes["content"]) : ownText(one)
  );
  return texts.join("").trim();
}

function textsIn(node: MarkdocNode): string[] {
  return [...node.walk()].flatMap(ownText);
}

function ownText({ type, attributes: { content } }: MarkdocNode): string[] {
  return type === "text" && typeof content === "string" ? [content] : [];
}

function wordsIn(content: unknown): number {
  return typeof content === "string"
    ? content.match(/[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu)?.length ?? 0
    : 0;
}
