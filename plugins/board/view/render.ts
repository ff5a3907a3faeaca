/// <reference lib="dom" />
/**
 * Draws a view: components with JSX, compared with what was drawn before. Every change of a state
 * draws the whole view again, which keeps this small; a plan of thousands of cards takes a few
 * milliseconds.
 *
 * @module
 */

export type Children = Drawn | string | number | boolean | null | undefined | readonly Children[];

type Component<Props> = (props: Props & { children?: Children }) => Children;

interface Own {
  readonly [name: string]: unknown;
  readonly children?: Children;
  readonly ref?: { current: unknown };
  readonly style?: Readonly<Record<string, string | number>>;
}

/** A part of the view; the next drawing takes over what it holds. */
interface Drawn {
  /** A component, the name of an element, or an empty string for a text. */
  readonly type: Component<Own> | string;
  readonly props: Own;
  node?: Element | Text;
  inner?: readonly Drawn[];
  cells?: Cell[];
}

/** What a component remembers. */
interface Cell {
  // deno-lint-ignore no-explicit-any
  value?: any;
  end?: (() => void) | void;
}

interface Special {
  readonly key?: string | number | undefined;
  readonly children?: Children;
}

/** What elements take: attributes by their HTML names, and listeners. */
type Attributes<Node> =
  & Special
  & Listeners<Node>
  & { ref?: { current: Node | null } }
  & {
    readonly [name in Name | `data-${string}` | `aria-${string}`]?:
      | string
      | number
      | boolean
      | undefined;
  }
  & {
    style?: Readonly<Record<string, string | number>>;
    value?: string | undefined;
  };

type Name =
  | (
    | "autofocus"
    | "checked"
    | "class"
    | "closedby"
    | "disabled"
    | "draggable"
    | "id"
    | "inputMode"
    | "list"
  )
  | ("name" | "open" | "placeholder" | "popover" | "popovertarget" | "role" | "rows" | "sandbox")
  | ("srcdoc" | "tabIndex" | "title" | "type" | "d" | "height" | "text-anchor" | "viewBox")
  | ("width" | "x" | "y");

type Listeners<Node> = {
  readonly [
    Event in
      | (
        | "Cancel"
        | "Change"
        | "Click"
        | "Close"
        | "DragLeave"
        | "DragOver"
        | "DragStart"
        | "Drop"
        | "Focus"
      )
      | ("Input" | "KeyDown" | "Scroll" | "Submit" | "Toggle") as `on${Event}`
  ]?: (event: HTMLElementEventMap[Lowercase<Event>] & { readonly currentTarget: Node }) => unknown;
};

export declare namespace h {
  export namespace JSX {
    type Element = Drawn;
    // deno-lint-ignore no-explicit-any
    type ElementType = string | ((props: any) => Children);
    type IntrinsicAttributes = Special;
    interface ElementChildrenAttribute {
      children: unknown;
    }
    type IntrinsicElements =
      & { readonly [name in keyof HTMLElementTagNameMap]: Attributes<HTMLElementTagNameMap[name]> }
      & { readonly [name in "svg" | "path" | "text"]: Attributes<SVGElement> };
  }
}

const SVG = "http://www.w3.org/2000/svg";

/** Makes a part; JSX compiles to its calls. */
export function h(type: Drawn["type"], props: Own | null, ...children: Children[]): Drawn {
  return { type, props: { ...props, children } };
}

export function Fragment({ children }: { children?: Children }): Children {
  return children;
}

let root: Drawn | undefined;
let show: () => Children;
let isWaiting = false;
/** The place in the document where the next node belongs. */
let next: ChildNode | null = null;
let drawing: Drawn;
let place = 0;
let effects: (() => void)[] = [];

/** Shows a view in the body of the document. */
export function render(view: () => Children): void {
  show = view;
  redraw();
}

/** Draws again once the current event has been handled. */
export function redraw(): void {
  if (isWaiting) return;
  isWaiting = true;
  queueMicrotask(() => {
    isWaiting = false;
    const now = h(show, null);
    next = document.body.firstChild;
    draw(now, root, document.body, false);
    root = now;
    const due = effects;
    effects = [];
    for (const run of due) run();
  });
}

function cell(): Cell {
  const cells = drawing.cells ??= [];
  return cells[place++] ??= {};
}

export function useState<T>(first: T): readonly [T, (value: T) => void];
export function useState<T>(): readonly [T | undefined, (value: T | undefined) => void];
export function useState<T>(first?: T): readonly [T | undefined, (value: T | undefined) => void] {
  const own = cell();
  if (!("value" in own)) own.value = first;
  return [own.value, (value) => {
    if (own.value !== value) redraw();
    own.value = value;
  }];
}

/** Holds an element, or any other value that changes without a drawing. */
export function useRef<T>(first: T): { current: T };
export function useRef<T>(first: null): { current: T | null };
export function useRef<T>(first: T): { current: T } {
  return cell().value ??= { current: first };
}

/** Runs after a drawing in which one of the values has changed; what it returns ends it. */
export function useEffect(run: () => (() => void) | void, values?: readonly unknown[]): void {
  const own = cell();
  const before: typeof values = own.value;
  own.value = values;
  if (before && values?.every((value, at) => value === before[at])) return;
  effects.push(() => {
    own.end?.();
    own.end = run();
  });
}

function draw(now: Drawn, old: Drawn | undefined, parent: Element, isSvg: boolean): void {
  const { type, props } = now;
  if (typeof type !== "string") {
    [now.cells, drawing, place] = [old?.cells ?? [], now, 0];
    now.inner = drawAll([type(props)], old, parent, isSvg);
    return;
  }
  const text = String(props["text"]);
  isSvg ||= type === "svg";
  const node = now.node = old?.node ??
    (type === ""
      ? new Text(text)
      : isSvg
      ? document.createElementNS(SVG, type)
      : document.createElement(type));
  // A node in the way is put into its place later: the others stay, with their focus.
  if (next?.nextSibling === node) next = node;
  if (node === next) next = node.nextSibling;
  else parent.insertBefore(node, next);
  if (node instanceof Text) {
    if (node.data !== text) node.data = text;
    return;
  }
  const after = next;
  next = node.firstChild;
  now.inner = drawAll([props.children], old, node, isSvg);
  next = after;
  // After the children: a list of choices needs them for its value.
  for (const name of new Set([...Object.keys(old?.props ?? {}), ...Object.keys(props)])) {
    set(node, name, props, old?.props);
  }
}

/** Draws a list. A part takes over from the one with its key, else from the one in its place. */
function drawAll(
  children: readonly Children[],
  old: Drawn | undefined,
  parent: Element,
  isSvg: boolean,
): Drawn[] {
  const keyOf = ({ props }: Drawn, at: number) => props["key"] ?? -1 - at;
  const olds = new Map<unknown, Drawn>();
  old?.inner?.forEach((one, at) => {
    const key = keyOf(one, at);
    olds.set(olds.has(key) ? one : key, one);
  });
  const pairs = children.flat().map((child, at): [Drawn, Drawn?] => {
    const now = isDrawn(child)
      ? child
      : Array.isArray(child)
      ? h(Fragment, null, ...child)
      : child == null || typeof child === "boolean"
      ? h(Fragment, null)
      : h("", { text: child });
    const key = keyOf(now, at);
    const same = olds.get(key);
    if (same?.type !== now.type) return [now];
    olds.delete(key);
    return [now, same];
  });
  for (const one of olds.values()) remove(one, true);
  return pairs.map(([now, same]) => {
    draw(now, same, parent, isSvg);
    return now;
  });
}

function isDrawn(child: Children): child is Drawn {
  return typeof child === "object" && child !== null && "type" in child;
}

function remove({ node, inner, cells }: Drawn, isTop: boolean): void {
  for (const { end } of cells ?? []) end?.();
  for (const one of inner ?? []) remove(one, isTop && node === undefined);
  if (!isTop || node === undefined) return;
  if (node === next) next = node.nextSibling;
  node.remove();
}

function set(node: Element, name: string, { [name]: value, ref, style }: Own, old?: Own): void {
  if (name === "key" || name === "children") return;
  if (name === "ref") ref!.current = node;
  else if (name === "style") {
    if (!(node instanceof HTMLElement)) return;
    for (const [key, one] of Object.entries(style ?? {})) node.style.setProperty(key, String(one));
  } else if (value === old?.[name]) return;
  else if (name === "value" || name === "checked") {
    // The user may have changed it already.
    if (Reflect.get(node, name) !== value) Reflect.set(node, name, value ?? "");
  } else if (name.startsWith("on")) {
    // Without its result: `false` would cancel the event.
    const listen = typeof value === "function" ? (event: Event) => void value(event) : null;
    Reflect.set(node, name.toLowerCase(), listen);
  } else if (value == null || value === false && !name.includes("-")) node.removeAttribute(name);
  else node.setAttribute(name, String(value));
}
