/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** The page in the frame: parsed without what could run or lead away, and replaced after an edit. */

/** Elements whose name or id becomes a property of the document or of their form. */
const NAMING = ":is(img, form, iframe, input, button, select, textarea, fieldset, output)";

const bodyOf = Object.getOwnPropertyDescriptor(Document.prototype, "body")!.get!;

/**
 * Parses without running anything, and without what could load or lead away, or hide properties that
 * the frame's script uses.
 */
export function parsePage(html: string): HTMLElement {
  const body: HTMLElement = bodyOf.call(new DOMParser().parseFromString(html, "text/html"));
  body.querySelectorAll("script, meta, base, link, object, embed").forEach((tag) => tag.remove());
  const { getAttribute, removeAttribute } = Element.prototype;
  for (const element of body.querySelectorAll(NAMING)) {
    for (const key of ["id", "name"]) {
      const value = getAttribute.call(element, key) ?? "";
      const hides = value in Element.prototype || key === "name" && value in Document.prototype;
      if (hides) removeAttribute.call(element, key);
    }
  }
  return body;
}

/** Equal images stay: they would load again, and the page would jump. */
export function keepImages(page: HTMLElement): void {
  const loaded = [...document.querySelectorAll("img")];
  for (const image of page.querySelectorAll("img")) {
    const at = loaded.findIndex((other) => other.isEqualNode(image));
    // Each is in one place.
    if (at >= 0) image.replaceWith(...loaded.splice(at, 1));
  }
}

/** Notes which tabs and sections are open, and returns what opens them again after an edit. */
export function openedParts(): () => void {
  const controls = () => [
    ...document.querySelectorAll<HTMLElement>("[aria-selected], [aria-expanded]"),
  ];
  const folds = () => [...document.querySelectorAll("details")];
  const stateOf = (control: Element) => [
    control.getAttribute("aria-selected") === "true",
    control.getAttribute("aria-expanded") === "true",
  ];
  const states = controls().map(stateOf);
  const open = folds().map((details) => details.open);
  return () => {
    controls().forEach((control, at) => {
      const [wasSelected, wasExpanded] = states[at] ?? [];
      const [isSelected, isExpanded] = stateOf(control);
      // A click selects, and folds or unfolds.
      if (wasSelected && !isSelected || wasExpanded !== isExpanded) control.click();
    });
    folds().forEach((details, at) => details.open = open[at] ?? details.open);
  };
}
