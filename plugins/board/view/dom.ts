/// <reference lib="dom" />
/**
 * Elements from text and children. Text of the plan is only ever set as text.
 *
 * @module
 */

type Child = Node | string | null | undefined | false;

/** Makes an element: attributes by name, `on…` as listeners, then its children. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, unknown> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false || value === null) continue;
    if (key.startsWith("on")) {
      element.addEventListener(key.slice(2), value as EventListener);
    } else if (value === true) element.setAttribute(key, "");
    else element.setAttribute(key, String(value));
  }
  element.append(...children.filter((child): child is Node | string => !!child));
  return element;
}

/** The element with this id. */
export function byId<Type extends HTMLElement>(id: string): Type {
  return document.getElementById(id) as Type;
}

/** Markdoc as elements: headings, lists, tables, code and paragraphs; tags as their words. */
export function prose(source: string): HTMLElement {
  const root = h("div", { class: "prose" });
  const blocks = source.replace(/\r/g, "").split(/\n{2,}|(?=^```)|(?<=^```$)\n/m);
  for (const block of blocks) {
    const lines = block.split("\n").filter((line) => line.trim() !== "");
    const first = lines[0] ?? "";
    if (first === "") continue;
    if (first.startsWith("```")) {
      root.append(
        h("pre", { tabindex: 0 }, lines.filter((line) => !line.startsWith("```")).join("\n")),
      );
    } else if (/^#{1,6} /.test(first)) {
      root.append(h("h4", {}, ...inline(first.replace(/^#+ /, ""))));
      if (lines.length > 1) root.append(prose(lines.slice(1).join("\n")));
    } else if (/^\s*(?:[-*+]|\d+\.) /.test(first)) {
      root.append(h("ul", {}, ...items(lines).map((item) => h("li", {}, ...inline(item)))));
    } else if (first.startsWith("|")) {
      const rows = lines.filter((line) => !/^\|[\s:|-]+\|?$/.test(line));
      root.append(
        h(
          "table",
          {},
          ...rows.map((row, at) =>
            h(
              "tr",
              {},
              ...row.replace(/^\||\|\s*$/g, "").split("|").map((cell) =>
                h(at === 0 ? "th" : "td", {}, ...inline(cell.trim()))
              ),
            )
          ),
        ),
      );
    } else root.append(h("p", {}, ...inline(lines.join(" "))));
  }
  return root;
}

function items(lines: readonly string[]): string[] {
  const found: string[] = [];
  for (const line of lines) {
    const item = /^\s*(?:[-*+]|\d+\.) (?:\[[ xX]\] )?(.*)$/.exec(line)?.[1];
    if (item !== undefined || found.length === 0) found.push(item ?? line);
    else found[found.length - 1] += ` ${line.trim()}`;
  }
  return found;
}

function inline(text: string): (Node | string)[] {
  const plain = text.replace(/\{%\s*ref\s+"([^"]*)"\s*\/?%\}/g, "$1").replace(/\{%[^%]*%\}/g, "");
  return plain.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) =>
    part.startsWith("`") && part.length > 1
      ? h("code", {}, part.slice(1, -1))
      : part.startsWith("**") && part.length > 4
      ? h("strong", {}, part.slice(2, -2))
      : part
  );
}
