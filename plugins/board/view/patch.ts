/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Changes the frame's page in place. It compares the new source with the previous one, not with the
 * page, so that what behaviours and the reader did to unchanged parts stays.
 */

/** @param start Attaches behaviours to new elements before they are inserted. */
export function createPatcher(start: (fragment: DocumentFragment) => void) {
  /** The page's nodes by the nodes of the source. */
  let live = new WeakMap<Node, ChildNode>();
  let source: HTMLElement | undefined;

  const create = (from: ChildNode): ChildNode => {
    const node = document.importNode(from, true);
    pair(from, node);
    return node;
  };
  const pair = (from: ChildNode, node: ChildNode): void => {
    live.set(from, node);
    from.childNodes.forEach((child, index) => pair(child, node.childNodes[index]!));
  };
  /** The page keeps what it shows for an equal source. */
  const keep = (old: Node, now: Node): void => {
    const node = live.get(old);
    if (node !== undefined) live.set(now, node);
    now.childNodes.forEach((child, index) => keep(old.childNodes[index]!, child));
  };
  const replace = (before: ChildNode, now: ChildNode): void => {
    const fragment = document.createDocumentFragment();
    fragment.append(create(now));
    start(fragment);
    const after = fragment.firstChild;
    before.replaceWith(fragment);
    if (before instanceof Element && after instanceof Element) restore(before, after);
  };
  const updateNode = (old: ChildNode, now: ChildNode): void => {
    const node = live.get(old);
    if (node === undefined) return;
    if (old.isEqualNode(now)) keep(old, now);
    else if (old instanceof Text && now instanceof Text && node instanceof Text) {
      node.data = now.data;
      live.set(now, node);
    } else if (
      node instanceof Element && isPlain(old) && isPlain(now) && old.localName === now.localName
    ) {
      updateAttributes(old, now, node);
      live.set(now, node);
      updateChildren(old, now, node);
    } else replace(node, now);
  };
  const updateChildren = (old: Node, now: Node, parent: Node): void => {
    const [olds, nows] = [[...old.childNodes], [...now.childNodes]];
    let first = 0;
    while (first < olds.length && first < nows.length && olds[first]!.isEqualNode(nows[first]!)) {
      keep(olds[first]!, nows[first]!);
      first++;
    }
    let [lastOld, lastNow] = [olds.length, nows.length];
    while (
      lastOld > first && lastNow > first && olds[lastOld - 1]!.isEqualNode(nows[lastNow - 1]!)
    ) keep(olds[--lastOld]!, nows[--lastNow]!);
    const both = Math.min(lastOld, lastNow);
    for (let index = first; index < both; index++) updateNode(olds[index]!, nows[index]!);
    for (const one of olds.slice(both, lastOld)) {
      live.get(one)?.remove();
    }
    if (lastNow === both) return;
    const fragment = document.createDocumentFragment();
    for (const one of nows.slice(both, lastNow)) fragment.append(create(one));
    start(fragment);
    const next = nows[lastNow] === undefined ? null : live.get(nows[lastNow]!) ?? null;
    if (next?.parentNode) next.parentNode.insertBefore(fragment, next);
    else parent.appendChild(fragment);
  };
  return {
    /** Shows another page. */
    replace(now: HTMLElement): void {
      live = new WeakMap();
      document.body.replaceChildren(...[...now.childNodes].map(create));
      live.set(now, document.body);
      source = now;
    },
    /** Shows the same page after an edit. */
    update(now: HTMLElement): void {
      if (source === undefined) return this.replace(now);
      updateChildren(source, now, document.body);
      source = now;
    },
  };
}

/** Elements without behaviours of their own, whose children can change one by one. */
function isPlain(node: Node): node is Element {
  return node instanceof Element && !node.hasAttribute("data-rune") &&
    !node.localName.includes("-") && node.localName !== "pre" && node.localName !== "svg";
}

function updateAttributes(old: Element, now: Element, node: Element): void {
  for (const { name } of old.attributes) if (!now.hasAttribute(name)) node.removeAttribute(name);
  for (const { name, value } of now.attributes) {
    if (old.getAttribute(name) !== value) node.setAttribute(name, value);
  }
}

/** Opens in a new element what was open in the one that it replaces. */
function restore(before: Element, after: Element): void {
  const controls = (root: Element) =>
    root.querySelectorAll<HTMLElement>("[aria-selected], [aria-expanded]");
  const olds = controls(before);
  controls(after).forEach((control, index) => {
    const old = olds[index];
    const wasChosen = old?.getAttribute("aria-selected") === "true";
    const isChosen = control.getAttribute("aria-selected") === "true";
    const expanded = old?.getAttribute("aria-expanded");
    const isOther = control.hasAttribute("aria-expanded") && expanded != null &&
      control.getAttribute("aria-expanded") !== expanded;
    if (wasChosen && !isChosen || isOther) control.click();
  });
  const details = before.querySelectorAll("details");
  after.querySelectorAll("details").forEach((one, index) => {
    const old = details[index];
    if (old !== undefined) one.open = old.open;
  });
  if (before instanceof HTMLDetailsElement && after instanceof HTMLDetailsElement) {
    after.open = before.open;
  }
}
