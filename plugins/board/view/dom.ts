/// <reference lib="dom" />
/**
 * Elements from text and children. Text of the plan is only ever set as text.
 *
 * @module
 */

/** The attributes of an element by name; `true` is an empty one, and a function listens to `on…`. */
export type Attributes = Readonly<
  Record<string, string | number | boolean | null | undefined | EventListener>
>;

/** What stands in an element; `null`, `undefined`, `false` and an empty text are left out. */
export type Child = Node | string | null | undefined | false;

/** Makes an element: attributes by name, `on…` as listeners, then its children. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  return fill(document.createElement(name), attributes, children);
}

/** Makes an element of SVG, in the same way. */
export function svg(
  name: string,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  return fill(element, attributes, children);
}

function fill<Made extends Element>(
  element: Made,
  attributes: Attributes,
  children: readonly Child[],
): Made {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false || value === null) continue;
    if (typeof value === "function") element.addEventListener(key.slice("on".length), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter((child): child is Node | string => !!child));
  return element;
}

/** The element with this id. */
export function byId<Type extends HTMLElement>(id: string): Type {
  return document.getElementById(id) as Type;
}

/** Fills a select with values, and keeps what is chosen where it is still there. */
export function options(
  select: HTMLSelectElement,
  values: readonly (readonly [value: string, label: string])[],
): void {
  const chosen = select.value;
  select.replaceChildren(...values.map(([value, label]) => h("option", { value }, label)));
  select.value = values.some(([value]) => value === chosen) ? chosen : values[0]?.[0] ?? "";
}
