/// <reference lib="dom" />
/**
 * A page or a rune as its theme shows it, beside its outline and its diagnostics.
 *
 * @module
 */

import { byId, h } from "./dom.ts";
import { frameDocument, type Named } from "./frame.ts";
import { connect, reasonOf, shownBy } from "./host.ts";
import { fitted, isWidth, type Width } from "./widths.ts";

interface Finding {
  line?: number;
  severity: string;
  code: string;
  message: string;
}

interface Preview {
  title?: string;
  theme?: string;
  outline: string;
  diagnostics: Finding[];
  elements?: Named[];
  leftOut?: string[];
  warnings?: string[];
}

interface Assets {
  html: string | null;
  css: string;
  choices?: { pages: string[]; runes: string[] };
}

/** The key of `_meta` under which the server answers what is shown. */
const META = "refrakt/preview";

let preview: Preview | undefined;
let assets: Assets = { html: null, css: "" };
let marked: string | undefined;
let theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
let width: Width = "desktop";

const opened = Promise.withResolvers<Record<string, unknown>>();
const host = await connect("refrakt preview", {
  namespace: "refrakt",
  onInput: opened.resolve,
});
theme = document.documentElement.dataset["theme"] ?? theme;

pressing("theme", (value) => theme = value);
pressing("width", (value) => width = isWidth(value) ? value : width);
press("theme", theme);
new ResizeObserver(fit).observe(byId("stage"));
// A form does nothing in a frame with scripts alone.
byId("show").addEventListener("click", choose);
byId("name").addEventListener("keydown", ({ key }) => key === "Enter" && choose());
if (byId("stage").clientWidth < 560) width = "phone";
press("width", width);
let shown = await opened.promise;
byId<HTMLInputElement>("name").value = String(shown["path"] ?? shown["rune"] ?? "");
await load();

/** Shows the page or rune of the field. */
function choose(): void {
  const name = byId<HTMLInputElement>("name").value.trim();
  if (name === "") return;
  shown = assets.choices?.runes.includes(name) ? { rune: name } : { path: name };
  marked = undefined;
  void load();
}

async function load(): Promise<void> {
  say("Rendering…");
  try {
    const answer = await host.ask<Preview>("preview", { ...shown, assets: true });
    assets = shownBy(answer, META, "preview");
    preview = answer.structuredContent;
    if (preview === undefined) throw new Error("The host keeps back the answer's data.");
    describe(preview);
    draw();
    const { theme = "no theme", diagnostics: { length } } = preview;
    say(
      assets.html === null
        ? "This cannot be rendered: see the diagnostics."
        : `Shown in ${theme}: ${length === 0 ? "no" : length} finding${length === 1 ? "" : "s"}.`,
    );
  } catch (error) {
    say(reasonOf(error), true);
  }
}

function say(text: string, bad = false): void {
  byId("message").textContent = text;
  byId("message").classList.toggle("bad", bad);
}

function describe(
  { title = "Preview", outline, diagnostics, elements = [], leftOut = [], warnings = [] }: Preview,
): void {
  byId("title").textContent = title;
  byId("outline").textContent = outline;
  byId("findings").textContent = diagnostics.length === 0 ? "" : String(diagnostics.length);
  byId("diagnostics").replaceChildren(
    ...diagnostics.map(({ line, severity, code, message }) =>
      h(
        "li",
        { class: severity },
        h("span", { class: "badge" }, `${severity} ${code}`),
        h("div", {}, line === undefined ? "" : `line ${line}: `, message),
      )
    ),
    ...(diagnostics.length === 0 ? [h("li", { class: "count" }, "None.")] : []),
  );
  byId("names").replaceChildren(
    ...elements.map(({ selector, rune, name }) => {
      const button = h("button", {
        title: selector,
        "aria-pressed": String(selector === marked),
      }, `${rune}: ${name}`);
      button.addEventListener("click", () => mark(button, selector));
      return button;
    }),
    ...(elements.length === 0 ? [h("span", { class: "count" }, "None.")] : []),
  );
  const notes = [...leftOut.map((what) => `Left out: ${what}.`), ...warnings];
  byId("notes").hidden = notes.length === 0;
  byId("notes").querySelector("ul")!.replaceChildren(...notes.map((note) => h("li", {}, note)));
  const { pages, runes } = assets.choices ?? { pages: [], runes: [] };
  byId("choices").replaceChildren(
    ...[...pages, ...runes].map((value) => h("option", { value })),
  );
}

/** Without a pointer, a name marks its elements. */
function mark(button: HTMLElement, selector: string): void {
  marked = marked === selector ? undefined : selector;
  for (const other of byId("names").querySelectorAll("button")) {
    other.setAttribute("aria-pressed", String(other === button && marked !== undefined));
  }
  draw();
}

/** A group of buttons of which one is pressed. */
function pressing(group: string, chosen: (value: string) => void): void {
  for (const button of byId(group).querySelectorAll("button")) {
    button.addEventListener("click", () => {
      chosen(button.value);
      press(group, button.value);
      draw();
    });
  }
}

function press(group: string, value: string): void {
  for (const button of byId(group).querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button.value === value));
  }
}

function draw(): void {
  fit();
  byId<HTMLIFrameElement>("frame").srcdoc = frameDocument({
    html: assets.html ?? "",
    css: assets.css,
    theme,
    elements: preview?.elements ?? [],
    marked,
  });
}

/** The page is as wide as its device, and made smaller where that is too wide to be shown. */
function fit(): void {
  const { clientWidth, clientHeight } = byId("stage");
  const size = fitted(width, { width: clientWidth, height: clientHeight });
  byId("stage").dataset["width"] = width;
  byId("screen").style.width = `${size.shown}px`;
  const { style } = byId("frame");
  style.width = `${size.width}px`;
  style.height = `${size.height}px`;
  style.transform = size.scale === 1 ? "none" : `scale(${size.scale})`;
}
