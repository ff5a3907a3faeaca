/** @jsxImportSource preact */
/// <reference lib="dom" />
/**
 * A page or rune in its theme, with the list of pages, its outline and diagnostics. It follows
 * edits of the file.
 *
 * @module
 */

import { render } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { frameDocument, type Named } from "./frame.ts";
import { connect, type Host, reasonOf } from "./host.ts";
import { Segments } from "./parts.tsx";

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
  choices: { pages: string[]; runes: string[] };
  sites: string[];
  site?: string;
}

/** In CSS pixels; desktop is a minimum. */
const WIDTHS = { phone: 375, tablet: 768, desktop: 1280 } as const;

type Width = keyof typeof WIDTHS;
const DEVICES: readonly Width[] = ["phone", "tablet", "desktop"];

/** The tool's arguments: a page, a rune or a text, and options. */
type Target = Record<string, unknown>;

/** The minimum pause between two renderings. */
const POLL_MS = 1_500;

/**
 * The pause as a multiple of the rendering time, so that large sites do not keep the server busy.
 */
const PAUSE_FACTOR = 4;

function App({ host, first }: { host: Host; first: Target }) {
  const [target, setTarget] = useState(first);
  const [shown, setShown] = useState<{ preview: Preview; assets: Assets }>();
  const [message, setMessage] = useState({ text: "Rendering…", bad: false });
  const [marked, setMarked] = useState<string>();
  const dark = document.documentElement.dataset["theme"] === "dark" ||
    document.documentElement.dataset["theme"] === undefined &&
      matchMedia("(prefers-color-scheme: dark)").matches;
  const [theme, setTheme] = useState(dark ? "dark" : "light");
  const [width, setWidth] = useState<Width>(innerWidth < 560 ? "phone" : "desktop");

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let stopped = false;
    let last = "";
    setMarked(undefined);
    setMessage({ text: "Rendering…", bad: false });
    const load = async () => {
      const start = performance.now();
      if (!document.hidden) await show();
      const tookMs = performance.now() - start;
      if (!stopped) timer = setTimeout(load, Math.max(POLL_MS, PAUSE_FACTOR * tookMs));
    };
    const show = async () => {
      try {
        const { shown: assets, data } = await host.ask<Assets, Preview>(
          "preview",
          { ...target, assets: true },
        );
        const now = JSON.stringify([assets, data]);
        if (stopped || now === last) return;
        setShown({ preview: data, assets });
        setMessage({ text: summaryOf(data, assets, last !== ""), bad: false });
        last = now;
      } catch (error) {
        if (!stopped) setMessage({ text: reasonOf(error), bad: true });
        last = "";
      }
    };
    void load();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [target]);

  const choose = (next: Target) => {
    setTarget(next);
    host.remember(next);
  };
  const { preview, assets } = shown ?? {};
  return (
    <main>
      <header class="row">
        <h1 id="title">{preview?.title ?? "Preview"}</h1>
        <Segments label="Theme" values={["light", "dark"]} value={theme} choose={setTheme} />
        <Segments label="Width" values={DEVICES} value={width} choose={setWidth} />
      </header>
      <p id="message" role="status" class={message.bad ? "bad" : "soft"}>{message.text}</p>
      <div class="preview">
        <Pages assets={assets} target={target} choose={choose} />
        <Stage preview={preview} assets={assets} theme={theme} width={width} marked={marked} />
        {preview && <Aside preview={preview} marked={marked} mark={setMarked} />}
        {preview && (
          <section class="outline">
            <h2>Outline</h2>
            <pre id="outline" class="box">{preview.outline}</pre>
          </section>
        )}
      </div>
    </main>
  );
}

function summaryOf(
  { theme = "no theme", diagnostics: { length } }: Preview,
  { html }: Assets,
  again: boolean,
): string {
  if (html === null) return "Rendering failed: see the diagnostics.";
  const count = `${length === 0 ? "no" : length} finding${length === 1 ? "" : "s"}`;
  return `${again ? "Updated" : "Rendered"} with ${theme}: ${count}.`;
}

/** The searchable list of pages and runes. */
function Pages({ assets, target, choose: show }: {
  assets: Assets | undefined;
  target: Target;
  choose(target: Target): void;
}) {
  const { choices = { pages: [], runes: [] }, sites = [], site } = assets ?? {};
  const choose = (next: Target) => show(sites.length > 1 ? { site, ...next } : next);
  const [words, setWords] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const matches = (name: string) =>
    words.toLowerCase().split(/\s+/).every((word) => name.toLowerCase().includes(word));
  const groups = [
    { name: "Pages", key: "path", all: choices.pages },
    { name: "Runes", key: "rune", all: choices.runes },
  ].map((group) => ({ ...group, found: group.all.filter(matches) }));
  const isShown = (key: string, name: string) => {
    const wanted = String(target[key] ?? "");
    return wanted !== "" && (name === wanted || name.endsWith(`/${wanted}`));
  };
  useLayoutEffect(() => {
    list.current!.querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
  }, [choices, target]);
  return (
    <nav class="pages" aria-label="Pages and runes">
      {sites.length > 1 && (
        <select
          aria-label="Site"
          value={site}
          onChange={({ currentTarget }) => choose({ site: currentTarget.value })}
        >
          {sites.map((name) => <option key={name} value={name}>{name}</option>)}
        </select>
      )}
      <input
        type="search"
        id="name"
        placeholder="Search pages and runes"
        aria-label="Search pages and runes"
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key !== "Enter" || words === "") return;
          const exact = groups.find(({ all }) => all.includes(words));
          const { key: first, found } = groups.find(({ found }) => found.length > 0) ?? {};
          // Without a match, a page beyond the listed ones.
          choose({ [exact?.key ?? first ?? "path"]: exact ? words : found?.[0] ?? words });
        }}
      />
      <div class="list" ref={list} tabIndex={-1}>
        {groups.filter(({ found }) => found.length > 0).map(({ name, key, found }) => (
          <section key={name}>
            <h2>
              {name} <span class="count">{found.length}</span>
            </h2>
            <ul>
              {found.map((one) => (
                <li key={one}>
                  <button
                    class="plain"
                    value={one}
                    aria-current={isShown(key, one)}
                    onClick={() => choose({ [key]: one })}
                  >
                    {one}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
        {groups.every(({ found }) => found.length === 0) && words !== "" && (
          <p class="empty">
            No matching pages. <button onClick={() => setWords("")}>Clear search</button>
          </p>
        )}
      </div>
    </nav>
  );
}

/** The content at a device width, scaled down to fit. */
function Stage({ preview, assets, theme, width, marked }: {
  preview: Preview | undefined;
  assets: Assets | undefined;
  theme: string;
  width: Width;
  marked: string | undefined;
}) {
  const stage = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<{ width: number; height: number }>({ width: 1280, height: 600 });
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      const { clientWidth, clientHeight } = stage.current!;
      setRoom({ width: clientWidth, height: clientHeight });
    });
    observer.observe(stage.current!);
    return () => observer.disconnect();
  }, []);
  const pixels = width === "desktop" ? Math.max(WIDTHS.desktop, room.width) : WIDTHS[width];
  const scale = Math.min(1, room.width / pixels);
  return (
    <div id="stage" ref={stage} data-width={width} tabIndex={0} role="region" aria-label="Preview">
      <div id="screen" style={{ width: `${Math.round(pixels * scale)}px` }}>
        <iframe
          id="frame"
          sandbox=""
          title="The content in its theme"
          srcdoc={frameDocument({
            html: assets?.html ?? "",
            css: assets?.css ?? "",
            theme,
            elements: preview?.elements ?? [],
            marked,
          })}
          style={{
            width: `${pixels}px`,
            height: `${Math.round(room.height / scale)}px`,
            transform: scale === 1 ? "none" : `scale(${scale})`,
          }}
        />
      </div>
    </div>
  );
}

function Aside({ preview, marked, mark }: {
  preview: Preview;
  marked: string | undefined;
  mark(selector: string | undefined): void;
}) {
  const { diagnostics, elements = [], leftOut = [], warnings = [] } = preview;
  const notes = [...leftOut.map((what) => `Not rendered: ${what}.`), ...warnings];
  return (
    <div class="aside">
      <section class="box">
        <h2>
          Diagnostics <span class="count">{diagnostics.length || ""}</span>
        </h2>
        <ul id="diagnostics">
          {diagnostics.map(({ line, severity, code, message }) => (
            <li class={severity}>
              <span class="badge">{severity} {code}</span>
              <div>{line === undefined ? "" : `line ${line}: `}{message}</div>
            </li>
          ))}
          {diagnostics.length === 0 && <li class="count">None.</li>}
        </ul>
      </section>
      <section class="box">
        <h2>Elements of the contract</h2>
        <div id="names" class="row">
          {elements.map(({ selector, rune, name }) => (
            <button
              key={selector}
              title={selector}
              aria-pressed={selector === marked}
              onClick={() => mark(selector === marked ? undefined : selector)}
            >
              {rune}: {name}
            </button>
          ))}
          {elements.length === 0 && <span class="count">None.</span>}
        </div>
      </section>
      {notes.length > 0 && (
        <details id="notes" class="box">
          <summary>Differences from the live site</summary>
          <ul>{notes.map((note) => <li key={note}>{note}</li>)}</ul>
        </details>
      )}
    </div>
  );
}

const host = await connect("refrakt preview", "refrakt");
render(<App host={host} first={await host.input} />, document.body);
