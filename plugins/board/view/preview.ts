/// <reference lib="dom" />
/**
 * A page or a rune as its theme shows it, beside its outline and its diagnostics.
 *
 * @module
 */

import { byId, h } from "./dom.ts";
import { frameDocument, type Named } from "./frame.ts";
import { connect } from "./host.ts";

interface Finding {
  line?: number;
  severity: string;
  code: string;
  message: string;
}

interface Preview {
  title?: string;
  outline: string;
  diagnostics: Finding[];
  elements?: Named[];
  leftOut?: string[];
  warnings?: string[];
}

let preview: Preview | undefined;
let assets: { html: string | null; css: string } = { html: null, css: "" };
let marked: string | undefined;

const opened = Promise.withResolvers<Record<string, unknown>>();
const host = await connect("refrakt preview", {
  namespace: "refrakt",
  onInput: opened.resolve,
});
byId<HTMLSelectElement>("theme").value = matchMedia("(prefers-color-scheme: dark)").matches
  ? "dark"
  : "light";
const { theme } = document.documentElement.dataset;
if (theme !== undefined) byId<HTMLSelectElement>("theme").value = theme;
byId("theme").addEventListener("input", draw);
byId("width").addEventListener("input", draw);
byId("reload").addEventListener("click", () => void load());
await load();

async function load(): Promise<void> {
  const message = byId("message");
  message.classList.remove("bad");
  message.textContent = "Rendering…";
  try {
    const answer = await host.ask("preview", { ...await opened.promise, assets: true });
    preview = answer.structuredContent as unknown as Preview;
    assets = answer._meta?.["refrakt/preview"] as typeof assets ?? assets;
    message.textContent = [
      ...(preview.leftOut ?? []).map((what) => `Left out: ${what}.`),
      ...(preview.warnings ?? []),
    ].join(" ");
    describe(preview);
    draw();
  } catch (error) {
    message.classList.add("bad");
    message.textContent = (error as Error).message;
  }
}

function describe({ title = "Preview", outline, diagnostics, elements = [] }: Preview): void {
  byId("title").textContent = title;
  byId("outline").textContent = outline;
  byId("diagnostics").replaceChildren(
    ...diagnostics.map(({ line, severity, code, message }) =>
      h(
        "li",
        { class: severity },
        `${line === undefined ? "" : `line ${line}: `}${severity} ${code}: ${message}`,
      )
    ),
    ...(diagnostics.length === 0 ? [h("li", {}, "none")] : []),
  );
  byId("names").replaceChildren(
    ...elements.map(({ selector, rune, name }) => {
      const button = h("button", { title: selector, "aria-pressed": "false" }, `${rune}: ${name}`);
      button.addEventListener("click", () => mark(button, selector));
      return button;
    }),
  );
}

/** Without a pointer, a name marks its elements. */
function mark(button: HTMLElement, selector: string): void {
  marked = marked === selector ? undefined : selector;
  for (const other of byId("names").children) {
    other.setAttribute("aria-pressed", String(other === button && marked !== undefined));
  }
  draw();
}

function draw(): void {
  const frame = byId<HTMLIFrameElement>("frame");
  frame.classList.toggle("phone", byId<HTMLSelectElement>("width").value === "phone");
  frame.srcdoc = frameDocument({
    html: assets.html ?? "",
    css: assets.css,
    theme: byId<HTMLSelectElement>("theme").value,
    elements: preview?.elements ?? [],
    marked,
  });
}
