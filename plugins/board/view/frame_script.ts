/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * The script of the nested frame: it shows HTML that the view sends, changes it in place, and reports
 * links and source lines. Its policy allows only this script and the packages' behaviours.
 */

import type { FrameContent, FromFrame } from "./frame.ts";
import { createPins } from "./frame_pins.ts";
import { createPatcher } from "./patch.ts";

/** The exports of `@refrakt-md/behaviors` that run a page. */
interface Behaviors {
  registerElements?(): void;
  initRuneBehaviors?(container: Document | DocumentFragment): unknown;
  initLayoutBehaviors?(container: Document): unknown;
  RfContext?: { pages?: unknown; currentUrl?: unknown; theme?: unknown };
}

declare global {
  var refraktBehaviors: Behaviors | undefined;
}

const behaviors = globalThis.refraktBehaviors ?? {};
const send = (message: FromFrame) => parent.postMessage({ refrakt: message }, "*");
const root = document.documentElement;
const css = document.head.appendChild(document.createElement("style"));
const marks = document.head.appendChild(document.createElement("style"));
const pins = createPins(send);

/** Behaviours rely on what a sandboxed frame does not have, such as storage. */
const attempt = (work: (() => unknown) | undefined) => {
  try {
    work?.();
  } catch {
    // The page stays as its HTML is.
  }
};
const start = (fragment: DocumentFragment) =>
  attempt(() => behaviors.initRuneBehaviors?.(fragment));

const patcher = createPatcher(start);
let page: string | undefined;

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

function show(content: FrameContent): void {
  const { html, theme, tint, context, isPage } = content;
  root.dataset["theme"] = root.style.colorScheme = theme;
  root.toggleAttribute("data-tint-lock", tint.locked);
  if (tint.locked) root.dataset["tintLock"] = "true";
  if (tint.tint === null) delete root.dataset["tint"];
  else root.dataset["tint"] = tint.tint;
  const sheet = content.css + (isPage ? "" : "\nbody{margin:16px}");
  if (css.textContent !== sheet) css.textContent = sheet;
  if (behaviors.RfContext !== undefined) {
    Object.assign(behaviors.RfContext, context, { theme });
  }
  const isNew = page !== content.page;
  if (isNew) {
    page = content.page;
    patcher.replace(parsed(html));
    attempt(() => behaviors.registerElements?.());
    attempt(() => behaviors.initRuneBehaviors?.(document));
    attempt(() => behaviors.initLayoutBehaviors?.(document));
    scrollTo(0, 0);
  } else patcher.update(parsed(html));
  if (marks.textContent !== content.marks) marks.textContent = content.marks;
  pins.show(content.findings);
  if (content.anchor !== undefined && isNew) reveal(content.anchor);
  send({ shown: content.revision });
}

function reveal(id: string): void {
  if (id !== "") document.getElementById(id)?.scrollIntoView();
  else scrollTo(0, 0);
}

addEventListener("message", ({ source, data }: MessageEvent) => {
  if (source !== parent) return;
  const { show: content, line } = Object(data?.refrakt);
  if (content !== undefined) show(content);
  if (typeof line === "number") pins.reveal(line);
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
