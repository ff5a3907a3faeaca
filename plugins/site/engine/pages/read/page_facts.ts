/** Collects what a page contains: links, headings, runes, words and ids. */

import type { MarkdocNode } from "../../../../../src/markdoc/node.ts";
import type { Place } from "../../../../../src/markdoc/edits.ts";
import { quotedName } from "../../../../../src/plain_text.ts";
import { fieldOf, textOf } from "../../../../../src/io/json.ts";
import { contentModelOf, isDeferred, schemaOf, type SiteContext } from "../../upstream/site.ts";
import { type Diagnostic, diagnostic } from "./diagnostics.ts";
import { linkPlaces, type WrittenAddress } from "./link_places.ts";
import type { Scope } from "./scope.ts";

export interface Reference {
  readonly kind: "link" | "nav" | "image" | "partial" | "sandbox";
  /** The address as Markdoc reads it, or the name of the partial or sandbox source. */
  readonly target: string;
  readonly place: Place;
  /** The address as the file has it, and where; absent if it was not found. */
  readonly written?: WrittenAddress["written"];
  /** The text of a link, without markup. */
  readonly text?: string | undefined;
  /** The alternative text of an image. */
  readonly alt?: string | undefined;
  /** The rune that contains a link directly. */
  readonly rune?: string | undefined;
}

export interface Heading {
  /** From 1 to 6. */
  readonly level: number;
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** The rune that contains it directly. */
  readonly rune: string | undefined;
  /** As its markup has it, before runes around it add theirs; empty for a heading of code alone. */
  readonly id: string;
  /** Whether the page writes the id, as in `## Text {% #id %}`. */
  readonly hasOwnId: boolean;
}

/** A tag of a page. */
export interface RuneUse {
  /** The rune's name, even if an alias is written; Markdoc's own tags have theirs. */
  readonly rune: string;
  readonly line: number;
  /** The attributes as JSON, variables as text such as `$page.url`. */
  readonly attributes: string;
  /** The value without a name, as in `{% ref "WORK-1" /%}`. */
  readonly primary: string | undefined;
  /** The rune that contains it directly. */
  readonly parent: string | undefined;
}

export type PageFacts = ReturnType<typeof pageFacts>;

export function pageFacts({ site, ast, locator, kind }: Scope) {
  const isPage = kind === "page";
  const placeOf = linkPlaces({ ast, locator });
  const references: Reference[] = [];
  const headings: Heading[] = [];
  const uses: RuneUse[] = [];
  const diagnostics: Diagnostic[] = [];
  const ids = new Set<string>();
  const taken = new Set<string>();
  let words = 0;
  let level = 1;
  let titled = false;
  const complain = (...finding: Parameters<typeof diagnostic>) =>
    diagnostics.push(diagnostic(...finding));
  const visit = (node: MarkdocNode, around: Around) => {
    const { tag, attributes } = node;
    const rune = tag === undefined ? undefined : site.names.get(tag) ?? tag;
    if (rune !== undefined) {
      uses.push({
        rune,
        line: locator.tag(node).line,
        attributes: JSON.stringify(attributes, written),
        primary: textOf(attributes["primary"]),
        parent: around.rune,
      });
    }
    // A deferred body is a template: it appears once per entity, or never.
    const isTemplate = around.isTemplate || isDeferred(site, node);
    if (!isTemplate) note(node, rune, around);
    const isCounted = around.isCounted && !hasOwnHeadings(site, node);
    const inside = { rune: rune ?? around.rune, isTemplate, isCounted, isOuter: node === ast };
    for (const child of node.children) visit(child, inside);
  };
  const note = (node: MarkdocNode, rune: string | undefined, around: Around) => {
    const { isCounted, isOuter } = around;
    const { attributes } = node;
    // An outer navigation has the entries of those inside it.
    if (rune === "nav" && around.rune !== "nav") {
      for (const { target, isLink, item } of navEntries(node)) {
        if (!isLink) references.push({ kind: "nav", target, place: locator.start(item) });
      }
    }
    const id = attributes["id"];
    if (typeof id === "string") {
      if (taken.has(id)) {
        complain(
          "id-duplicate",
          `Another element has the id ${quotedName(id)}`,
          node.tag === undefined ? locator.start(node) : locator.attribute(node, "id"),
        );
      }
      taken.add(id);
      ids.add(id);
    }
    if (node.type === "text") words += wordsIn(attributes["content"]);
    if (node.type === "heading") {
      const made = typeof id === "string" ? id : headingId(node);
      ids.add(made);
      if (isOuter && isPage && typeof id !== "string" && made !== "") {
        if (taken.has(made)) {
          // Common, and only links to it are affected.
          diagnostics.push({
            ...diagnostic(
              "id-duplicate",
              `Another element has the id ${
                quotedName(made)
              }: give this heading its own, such as {% #another %}`,
              locator.start(node),
            ),
            severity: "hint",
          });
        }
        taken.add(made);
      }
      const rank = Number(attributes["level"]);
      const { line } = locator.start(node);
      const hasOwnId = typeof id === "string";
      const text = shownText(node);
      headings.push({ level: rank, text, line, rune: around.rune, id: made, hasOwnId });
      if (isCounted && isPage) {
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
      const text = shownText(node);
      noteLink("link", node, attributes["href"], { rune: around.rune, text });
    } else if (node.type === "image") {
      noteLink("image", node, attributes["src"], { alt: textOf(attributes["alt"]) });
      if (attributes["alt"] === "" || attributes["alt"] === undefined) {
        complain(
          "image-alt",
          `The image ${JSON.stringify(attributes["src"])} has no alternative text: ![text](…)`,
          references.at(-1)?.place ?? locator.start(node),
        );
      }
    } else if (rune === "partial" && typeof attributes["file"] === "string") {
      references.push({ kind: "partial", target: attributes["file"], place: locator.tag(node) });
    } else if (rune === "sandbox" && typeof attributes["src"] === "string") {
      const place = locator.attribute(node, "src");
      references.push({ kind: "sandbox", target: attributes["src"], place });
    } else if (rune !== undefined && typeof attributes["href"] === "string") {
      const { line, column } = locator.attribute(node, "href");
      // The place of a link is the start of its address.
      const place = { line, column: column + 'href="'.length };
      const target = attributes["href"];
      references.push({ kind: "link", target, place, written: { text: target, place } });
    }
  };
  const noteLink = (
    kind: "link" | "image",
    node: MarkdocNode,
    target: unknown,
    more: Pick<Reference, "alt" | "rune" | "text">,
  ) => {
    if (typeof target !== "string") return;
    const { place, written } = placeOf(kind, node, target);
    references.push({ kind, target, place, written, ...more });
  };
  visit(ast, { rune: undefined, isTemplate: false, isCounted: true, isOuter: false });
  return { references, headings, uses, words, ids: [...ids], diagnostics };
}

/** An entry of a navigation: a link, or a path below the page's folder. */
export interface NavEntry {
  readonly target: string;
  readonly isLink: boolean;
  readonly item: MarkdocNode;
  /** What holds it. */
  readonly inline: MarkdocNode;
}

export function navEntries(nav: MarkdocNode): NavEntry[] {
  return [...nav.walk()].filter(({ type }) => type === "item").flatMap((item) => {
    // Entries below it are entries of their own.
    const nodes = item.children.slice(0, 1).flatMap((first) => [first, ...first.walk()]);
    const inline = nodes.find(({ type }) => type === "inline");
    const link = nodes.find(({ type }) => type === "link");
    const target = link === undefined
      ? nodes.flatMap(ownText).join("").trim()
      : textOf(link.attributes["href"]);
    const isEntry = link !== undefined || /^[\w./-]+$/.test(target ?? "");
    if (inline === undefined || target === undefined || !isEntry) return [];
    return [{ target, isLink: link !== undefined, item, inline }];
  });
}

/** Where a node stands. */
interface Around {
  /** The rune that contains it directly. */
  readonly rune: string | undefined;
  readonly isTemplate: boolean;
  /** Whether headings are those of the page. */
  readonly isCounted: boolean;
  /** Whether it stands in no other node. */
  readonly isOuter: boolean;
}

/** Variables and functions are objects of Markdoc. */
function written(_name: string, value: unknown): unknown {
  const kind = fieldOf(value, "$$mdtype");
  if (kind === "Variable") {
    const path = fieldOf(value, "path");
    return `$${Array.isArray(path) ? path.map(String).join(".") : ""}`;
  }
  return kind === "Function" ? `${String(fieldOf(value, "name"))}()` : value;
}

/** Runes with a custom content model use headings as group names. */
function hasOwnHeadings(site: SiteContext, node: MarkdocNode): boolean {
  return contentModelOf(site, schemaOf(site, node), node.attributes)?.type === "custom";
}

/** The id that the packages give a heading: of its plain text, without code, links and emphasis. */
function headingId(node: MarkdocNode): string {
  const texts = node.children.flatMap((inline) => inline.children).flatMap(ownText);
  return texts.join(" ").replace(/[?{}%]/g, "").replace(/\s+/g, "-").toLowerCase();
}

/** The text that a reader sees; ids are made without what is in code. */
function shownText(node: MarkdocNode): string {
  const texts = [...node.walk()].flatMap((inner) =>
    inner.type === "code" ? String(inner.attributes["content"]) : ownText(inner)
  );
  return texts.join("").trim();
}

function ownText({ type, attributes: { content } }: MarkdocNode): string[] {
  return type === "text" && typeof content === "string" ? [content] : [];
}

function wordsIn(content: unknown): number {
  return typeof content === "string"
    ? content.match(/[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu)?.length ?? 0
    : 0;
}
