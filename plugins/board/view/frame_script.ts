/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** The script of the frame: it shows HTML that the view sends, and reports links. */

import type { FrameContent, FromFrame } from "./frame.ts";
import { keepImages, openedParts, parsePage } from "./frame_page.ts";

/** The exports of `@refrakt-md/behaviors` that run a page; two return what ends it. */
interface Behaviors {
  registerElements?(): void;
  initRuneBehaviors?(container: Document): unknown;
  initLayoutBehaviors?(container: Document): unknown;
  RfContext?: { pages?: unknown; currentUrl?: unknown; theme?: unknown };
}

const send = (message: FromFrame) => parent.postMessage({ refrakt: message }, "*");
const { documentElement: root, head } = document;
const css = head.appendChild(document.createElement("style"));

/** What is shown. */
const state: {
  page?: string;
  html?: string;
  /** Imported by the first page that has them. */
  behaviors?: Behaviors;
  /** Ends the behaviours of the page. */
  endings: unknown[];
  /** One page after the other: each waits for its style sheets. */
  last: Promise<void>;
} = { endings: [], last: Promise.resolve() };

/** Behaviours rely on what a sandboxed frame does not have, such as storage. */
const attempt = (work: unknown): unknown => {
  try {
    return typeof work === "function" ? work() : undefined;
  } catch {
    // The page stays as its HTML is.
  }
};

async function show(content: FrameContent): Promise<void> {
  const { html, page, theme, tint, context, isPage, anchor = "" } = content;
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
  css.textContent = content.css + (isPage ? "" : "\nbody{margin:16px}");
  if (behaviors.RfContext !== undefined) {
    Object.assign(behaviors.RfContext, context, { theme });
  }
  if (state.page !== page || state.html !== html) {
    const isEdit = state.page === page;
    Object.assign(state, { page, html });
    const top = scrollY;
    const reopen = isEdit ? openedParts() : undefined;
    replacePage(html, behaviors);
    reopen?.();
    if (isEdit) scrollTo(0, top);
    else reveal(anchor);
  }
  send({ shown: content.revision });
}

function replacePage(html: string, behaviors: Behaviors): void {
  state.endings.forEach(attempt);
  const page = parsePage(html);
  keepImages(page);
  document.body.replaceChildren(...page.childNodes);
  attempt(() => behaviors.registerElements?.());
  state.endings = [
    attempt(() => behaviors.initRuneBehaviors?.(document)),
    attempt(() => behaviors.initLayoutBehaviors?.(document)),
  ];
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
  const link = event.composedPath().find((target): target is Element =>
    target instanceof Element && /^(?:a|area)$/i.test(target.localName)
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
