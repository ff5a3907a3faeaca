/** Collects what a page contains: links, headings, runes, words and ids. */

import { asWritten, type MarkdocNode } from "../../../../../src/markdoc/node.ts";
import { quotedName } from "../../../../../src/plain_text.ts";
import { textOf } from "../../../../../src/io/json.ts";
import { contentModelOf, isDeferred, schemaOf } from "../../upstream/site.ts";
import { type Diagnostic, diagnostic } from "./diagnostics.ts";
import { linkPlaces, type WrittenAddress } from "./link_places.ts";
import type { Scope } from "./scope.ts";

export interface Reference extends WrittenAddress {
  readonly kind: "link" | "nav" | "image" | "partial" | "sandbox";
  /** The address as Markdoc reads it, or the name of the partial or sandbox source. */
  readonly target: string;
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
  /** The id of its text, before runes around it add a prefix; empty for a heading of code alone. */
  readonly id: string;
  /** Whether the page writes the id, as in `## Text {% #id %}`. */
  readonly hasOwnId: boolean;
}

/** A tag of a page. */
interface RuneUse {
  /** The rune's name, even if an alias is written; Markdoc's own tags have theirs. */
  readonly rune: string;
  /** The name as written. */
  readonly written: string;
  readonly line: number;
  /** The attributes as JSON, variables as text such as `$page.url`. */
  readonly attributes: string;
  /** The value without a name, as in `{% ref "WORK-1" /%}`. */
  readonly primary: string | undefined;
  /** The rune that contains it directly. */
  readonly parent: string | undefined;
}

export type PageFacts = ReturnType<typeof pageFacts>;

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu;

/** The context of a node. */
interface Around {
  /** The rune that contains it directly. */
  readonly rune: string | undefined;
  readonly isTemplate: boolean;
  /** Whether headings count as headings of the page. */
  readonly isCounted: boolean;
  /** Whether the node is at the top level. */
  readonly isOuter: boolean;
}

export function pageFacts({ site, ast, locator, kind }: Scope) {
  const isPage = kind === "page";
  const placeOf = linkPlaces({ ast, locator });
  const references: Reference[] = [];
  const headings: Heading[] = [];
  const uses: RuneUse[] = [];
  const diagnostics: Diagnostic[] = [];
  const ids = new Set<string>();
  const takenIds = new Set<string>();
  let words = 0;
  let level = 1;
  let titled = false;
  const complain = (...finding: Parameters<typeof diagnostic>) =>
    diagnostics.push(diagnostic(...finding));
  const visit = (node: MarkdocNode, around: Around) => {
    const { tag, attributes } = node;
    const rune = tag === undefined ? undefined : site.names.get(tag) ?? tag;
    if (tag !== undefined && rune !== undefined) {
      uses.push({
        rune,
        written: tag,
        line: locator.tag(node).line,
        attributes: JSON.stringify(attributes, asWritten),
        primary: textOf(attributes["primary"]),
        parent: around.rune,
      });
    }
    // A deferred body is a template: it appears once per entity, or never.
    const isTemplate = around.isTemplate || isDeferred(site, node);
    if (!isTemplate) {
      for (const text of ownText(node)) words += text.match(WORD)?.length ?? 0;
      const id = noteId(node, around.isOuter);
      if (node.type === "heading") noteHeading(node, id ?? "", around);
      else noteReferences(node, rune, around.rune);
    }
    // Runes with a custom content model use headings as group names.
    const model = contentModelOf(site, schemaOf(site, node), attributes);
    const isCounted = around.isCounted && model?.type !== "custom";
    const inside = { rune: rune ?? around.rune, isTemplate, isCounted, isOuter: node === ast };
    for (const child of node.children) visit(child, inside);
  };
  const noteId = (node: MarkdocNode, isOuter: boolean): string | undefined => {
    const ownId = textOf(node.attributes["id"]);
    const id = ownId ?? (node.type === "heading" ? headingId(node) : undefined);
    if (id === undefined) return undefined;
    ids.add(id);
    if (ownId === undefined && (!isOuter || !isPage || id === "")) return id;
    if (takenIds.has(id)) {
      const place = node.tag === undefined ? locator.start(node) : locator.attribute(node, "id");
      const finding = diagnostic(
        "id-duplicate",
        `Another element has the id ${quotedName(id)}`,
        place,
      );
      const message = `${finding.message}: give this heading its own, such as {% #another %}`;
      // A hint for headings: equal ones are common, and only links to them are affected.
      diagnostics.push(ownId === undefined ? { ...finding, severity: "hint", message } : finding);
    }
    takenIds.add(id);
    return id;
  };
  const noteHeading = (node: MarkdocNode, id: string, { rune, isCounted, isOuter }: Around) => {
    const rank = Number(node.attributes["level"]);
    const place = locator.start(node);
    const hasOwnId = typeof node.attributes["id"] === "string";
    headings.push({ level: rank, text: shownText(node), line: place.line, rune, id, hasOwnId });
    if (!isCounted || !isPage) return;
    if (rank === 1 && titled && isOuter) {
      complain("heading-second", "The page already has a first-level heading", place);
    } else if (rank > level + 1) {
      complain("heading-jump", `A heading of level ${rank} follows one of level ${level}`, place);
    }
    titled ||= rank === 1 && isOuter;
    level = rank;
  };
  const noteReferences = (node: MarkdocNode, rune: string | undefined, parent?: string) => {
    const { type, attributes } = node;
    const [href, src, file] = [attributes["href"], attributes["src"], attributes["file"]];
    // An outer navigation has the entries of those inside it.
    if (rune === "nav" && parent !== "nav") {
      for (const { target, isLink, item } of navEntries(node)) {
        if (!isLink) references.push({ kind: "nav", target, place: locator.start(item) });
      }
    }
    if (type === "link" && typeof href === "string") {
      const at = placeOf("link", node, href);
      references.push({ kind: "link", target: href, ...at, rune: parent, text: shownText(node) });
    } else if (type === "image" && typeof src === "string") {
      const at = placeOf("image", node, src);
      references.push({ kind: "image", target: src, ...at, alt: textOf(attributes["alt"]) });
      if (!attributes["alt"]) {
        const message = `The image ${JSON.stringify(src)} has no alternative text: ![text](…)`;
        complain("image-alt", message, at.place);
      }
    } else if (rune === "partial" && typeof file === "string") {
      references.push({ kind: "partial", target: file, place: locator.tag(node) });
    } else if (rune === "sandbox" && typeof src === "string") {
      references.push({ kind: "sandbox", target: src, place: locator.attribute(node, "src") });
    } else if (rune !== undefined && typeof href === "string") {
      const { line, column } = locator.attribute(node, "href");
      // The place of a link is the start of its address.
      const place = { line, column: column + 'href="'.length };
      references.push({ kind: "link", target: href, place, written: { text: href, place } });
    }
  };
  visit(ast, { rune: undefined, isTemplate: false, isCounted: true, isOuter: false });
  return { references, headings, uses, words, ids: [...ids], diagnostics };
}

export type NavEntry = ReturnType<typeof navEntries>[number];

/** The entries of a navigation, each in an `inline` node: links, or paths below the page's folder. */
export function navEntries(nav: MarkdocNode) {
  return [...nav.walk()].filter(({ type }) => type === "item").flatMap((item) => {
    // Entries below it are entries of their own.
    const nodes = item.children.slice(0, 1).flatMap((first) => [first, ...first.walk()]);
    const inline = nodes.find(({ type }) => type === "inline");
    const link = nodes.find(({ type }) => type === "link");
    const target = link ? textOf(link.attributes["href"]) : nodes.flatMap(ownText).join("").trim();
    const isEntry = link !== undefined || /^[\w./-]+$/.test(target ?? "");
    if (inline === undefined || target === undefined || !isEntry) return [];
    return [{ target, isLink: link !== undefined, item, inline }];
  });
}

/** The id that the packages give a heading: of its plain text, without code, links and emphasis. */
function headingId(node: MarkdocNode): string {
  const texts = node.children.flatMap((inline) => inline.children).flatMap(ownText);
  return texts.join(" ").replace(/[?{}%]/g, "").replace(/\s+/g, "-").toLowerCase();
}

/** The text that a reader sees, with code, which ids leave out. */
function shownText(node: MarkdocNode): string {
  const texts = [...node.walk()].flatMap((inner) =>
    inner.type === "code" ? String(inner.attributes["content"]) : ownText(inner)
  );
  return texts.join("").trim();
}

function ownText({ type, attributes: { content } }: MarkdocNode): string[] {
  return type === "text" && typeof content === "string" ? [content] : [];
}
