/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * The script of the frame: it shows HTML that the view sends, changes it in place, and reports links.
 */

import type { FrameContent, FromFrame } from "./frame.ts";
import { createPatcher } from "./patch.ts";

/** The exports of `@refrakt-md/behaviors` that run a page. */
interface Behaviors {
  registerElements?(): void;
  initRuneBehaviors?(container: Document | DocumentFragment): unknown;
  initLayoutBehaviors?(container: Document): unknown;
  RfContext?: { pages?: unknown; currentUrl?: unknown; theme?: unknown };
}

const send = (message: FromFrame) => parent.postMessage({ refrakt: message }, "*");
const { documentElement: root, head } = document;
const css = head.appendChild(document.createElement("style"));
const marks = head.appendChild(document.createElement("style"));

/** What is shown. */
const state: {
  page?: string;
  /** Imported by the first page that has them. */
  behaviors?: Behaviors;
  /** One page after the other: each waits for its style sheets. */
  last: Promise<void>;
} = { last: Promise.resolve() };

/** Behaviours rely on what a sandboxed frame does not have, such as storage. */
const attempt = (work: (() => unknown) | undefined) => {
  try {
    work?.();
  } catch {
    // The page stays as its HTML is.
  }
};
const patcher = createPatcher((fragment) =>
  attempt(() => state.behaviors?.initRuneBehaviors?.(fragment))
);

const bodyOf = Object.getOwnPropertyDescriptor(Document.prototype, "body")!.get!;

/** Elements whose name or id becomes a property of the document or of their form. */
const NAMING = ":is(img, form, iframe, input, button, select, textarea, fieldset, output)";

/**
 * Parses without running anything, and without what could load or lead away, or hide properties that
 * this script uses.
 */
function parsed(html: string): HTMLElement {
  const body: HTMLElement = bodyOf.call(new DOMParser().parseFromString(html, "text/html"));
  body.querySelectorAll("script, meta, base, link, object, embed").forEach((one) => one.remove());
  const { getAttribute, removeAttribute } = Element.prototype;
  for (const one of body.querySelectorAll(NAMING)) {
    for (const key of ["id", "name"]) {
      const value = getAttribute.call(one, key) ?? "";
      const hides = value in Element.prototype || key === "name" && value in Document.prototype;
      if (hides) removeAttribute.call(one, key);
    }
  }
  return body;
}

async function show(content: FrameContent): Promise<void> {
  const { html, theme, tint, context, isPage } = content;
  if (content.behaviors !== undefined) {
    const address = new URL(content.behaviors, location.href).href;
    state.behaviors ??= await import(address).catch(() => ({}));
  }
  const { behaviors = {} } = state;
  await linkStyles(content.styles);
  root.dataset["theme"] = root.style.colorScheme = theme;
  root.toggleAttribute("data-tint-lock", tint.locked);
  if (tint.locked) root.dataset["tintLock"] = "true";
  if (tint.tint === null) delete root.dataset["tint"];
  else root.dataset["tint"] = tint.tint;
  const sheet = content.css + (isPage ? "" : "\nbody{margin:16px}");
  if (css.textContent !== sheet) css.textContent = sheet;
  if (marks.textContent !== content.marks) marks.textContent = content.marks;
  if (behaviors.RfContext !== undefined) {
    Object.assign(behaviors.RfContext, context, { theme });
  }
  if (state.page !== content.page) {
    state.page = content.page;
    patcher.replace(parsed(html));
    attempt(() => behaviors.registerElements?.());
    attempt(() => behaviors.initRuneBehaviors?.(document));
    attempt(() => behaviors.initLayoutBehaviors?.(document));
    reveal(content.anchor ?? "");
  } else patcher.update(parsed(html));
  send({ shown: content.revision });
}

/** Replaces the style sheets when the new ones have loaded. */
async function linkStyles(addresses: readonly string[]): Promise<void> {
  const before = [...head.querySelectorAll("link")];
  if (before.map((link) => link.getAttribute("href")).join() === addresses.join()) return;
  const links = addresses.map((address) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = address;
    return link;
  });
  css.before(...links);
  await Promise.all(links.map((link) =>
    new Promise((settle) => {
      link.onload = link.onerror = settle;
    })
  ));
  for (const link of before) link.remove();
}

function reveal(id: string): void {
  if (id !== "") document.getElementById(id)?.scrollIntoView();
  else scrollTo(0, 0);
}

/** Scrolls to the last block that begins at or before a line of the source, and marks it. */
function revealLine(line: number): void {
  const lineOf = (block: Element) => Number(block.getAttribute("data-refrakt-line"));
  const blocks = [...document.querySelectorAll("[data-refrakt-line]")]
    .filter((block) => lineOf(block) <= line && block.getBoundingClientRect().height > 0);
  const block = blocks.sort((a, b) => lineOf(a) - lineOf(b)).at(-1);
  block?.scrollIntoView({ block: "center" });
  block?.animate([{ outline: "3px solid #d97706" }, { outline: "3px solid transparent" }], 3000);
}

addEventListener("message", ({ source, data }: MessageEvent) => {
  if (source !== parent) return;
  const { show: content, line } = Object(data?.refrakt);
  if (content !== undefined) state.last = state.last.then(() => show(content)).catch(() => {});
  if (typeof line === "number") revealLine(line);
});

const follow = (event: MouseEvent) => {
  const link = event.composedPath().find((one): one is Element =>
    one instanceof Element && /^(?:a|area)$/i.test(one.localName)
  );
  if (link === undefined || event.defaultPrevented || event.button === 2) return;
  event.preventDefault();
  const href = link.getAttribute("href") ?? link.getAttribute("xlink:href") ?? "";
  if (href.startsWith("#")) reveal(decodeURIComponent(href.slice(1)));
  else if (href !== "") send({ href });
};
addEventListener("click", follow);
// The middle button would load the address.
addEventListener("auxclick", follow);
addEventListener("submit", (event) => event.preventDefault());

send({ ready: true });
