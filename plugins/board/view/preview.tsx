/// <reference lib="dom" />
/**
 * A page as its site shows it, or a rune's example, with the list of pages, its outline and
 * diagnostics. It follows edits of the files.
 */

import { Fragment, h, render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FromFrame } from "./frame.ts";
import { connect, type Host, reasonOf } from "./host.ts";
import { Segments } from "./parts.tsx";
import { Aside, Attributes, Findings, Source } from "./preview_aside.tsx";
import {
  type Assets,
  listedOf,
  marksOf,
  type Preview,
  type Shown,
  summaryOf,
  type Target,
  targetOf,
} from "./preview_model.ts";
import { Pages } from "./preview_pages.tsx";
import { type Device, Stage } from "./preview_stage.tsx";

/** Two frames side by side. */
const BOTH = "both";
const DEVICES: readonly (Device | typeof BOTH)[] = ["phone", "tablet", "desktop", BOTH];
const THEMES = ["light", "dark", BOTH] as const;

/** The pause between two renderings, so that an edit is seen within a second. */
const POLL_MS = 500;

/** The pause before the pages are marked, so that typing is not checked. */
const MARKS_MS = 1500;

const RENDERING = { text: "Rendering…", bad: false };

/** What of the address is about the frames and not about the page. */
interface Looks {
  mode?: unknown;
  width?: unknown;
}

function App({ host, first: { mode, width: wide, ...first } }: {
  host: Host;
  first: Target & Looks;
}) {
  const [target, setTarget] = useState<Target>(first);
  const [marks, setMarks] = useState<ReadonlyMap<string, string>>(new Map());
  const [shown, setShown] = useState<Shown>();
  const [message, setMessage] = useState(RENDERING);
  const [marked, setMarked] = useState<string>();
  const [anchor, setAnchor] = useState<string>();
  const [line, setLine] = useState<{ at: number }>();
  const [chosen, setChosen] = useState<number>();
  const dark = document.documentElement.dataset["theme"] === "dark" ||
    document.documentElement.dataset["theme"] === undefined &&
      matchMedia("(prefers-color-scheme: dark)").matches;
  const [theme, setTheme] = useState(
    THEMES.find((one) => one === mode) ?? (dark ? "dark" : "light"),
  );
  const [width, setWidth] = useState(
    DEVICES.find((one) => one === wide) ?? (innerWidth < 560 ? "phone" : "desktop"),
  );

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let stopped = false;
    let last: Shown | undefined;
    setMarked(undefined);
    setChosen(undefined);
    setMessage(RENDERING);
    const load = async () => {
      if (!document.hidden) await show();
      if (!stopped) timer = setTimeout(load, POLL_MS);
    };
    const show = async () => {
      try {
        const { shown: assets, data: preview } = await host.ask<Assets, Preview>("preview", {
          ...target,
          assets: true,
          ...(last === undefined ? {} : { seen: last.assets.revision }),
        });
        if (stopped || assets.document === undefined) return;
        const isAgain = last !== undefined;
        last = { preview, assets, document: assets.document };
        setShown(last);
        setMessage({ text: summaryOf(last, isAgain), bad: false });
      } catch (error) {
        if (!stopped) setMessage({ text: reasonOf(error), bad: true });
        last = undefined;
      }
    };
    void load();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [target]);

  const { preview, assets } = shown ?? {};
  const choose = (next: Target, to?: string) => {
    setAnchor(to);
    setTarget(next);
  };
  const isAtStart = useRef(true);
  useEffect(() => {
    // The address of our own page has texts only.
    const { attributes: _, ...kept } = target;
    if (!isAtStart.current) host.remember({ ...kept, mode: theme, width });
    isAtStart.current = false;
  }, [target, theme, width]);
  useEffect(() => {
    host.onInput = ({ mode: _, width: __, ...next }) => choose(next);
  }, []);
  const title = preview?.title ?? "Preview";
  useEffect(() => host.entitle(title), [title]);
  const revision = shown?.assets.revision;
  const site = shown?.assets.site;
  useEffect(() => {
    if (revision === undefined) return;
    // The page is shown first; then the others are marked.
    const timer = setTimeout(async () => {
      const args = { limit: 500, ...site === undefined ? {} : { site } };
      const found = await host.call<{ groups: Parameters<typeof marksOf>[0] }>("check", args)
        .catch(() => undefined);
      if (found) setMarks(marksOf(found.groups));
    }, MARKS_MS);
    return () => clearTimeout(timer);
  }, [revision, site]);
  const edit = host.editor === undefined || preview?.path === undefined
    ? undefined
    : (at: number) => void host.visit(`${host.editor}${encodeURI(preview.path!)}:${at}`);
  // The frame shows a page that nobody vouches for.
  const receive = ({ href, line: at, finding }: FromFrame) => {
    if (typeof finding === "number") setChosen(finding);
    if (typeof at === "number" && preview?.path !== undefined) {
      setMessage({ text: `${preview.path}, line ${at}`, bad: false });
      edit?.(at);
    }
    if (typeof href !== "string" || preview === undefined) return;
    const to = targetOf(href, preview, shown?.document?.links ?? {});
    if (to === undefined) setMessage({ text: `No page of the site: ${href}`, bad: true });
    else if ("visit" in to) void host.visit(to.visit);
    else {choose({
        ...(target["site"] === undefined ? {} : { site: target["site"] }),
        path: to.path,
      }, to.anchor);}
  };
  const screens = (width === BOTH ? ["phone", "desktop"] as const : [width]).flatMap((device) =>
    (theme === BOTH ? ["light", "dark"] : [theme]).map((theme) => ({ device, theme }))
  );
  const count = listedOf(preview?.diagnostics ?? []).length;
  const showFindings = (event: Event) => {
    event.preventDefault();
    const panel = document.getElementById("findings");
    panel?.scrollIntoView({ block: "nearest" });
    panel?.focus();
  };
  const copy = async (text: string) => {
    const isCopied = await host.copy(text);
    setMessage({ text: isCopied ? "The source was copied" : text, bad: false });
  };
  return (
    <main>
      <header class="row">
        <h1 id="title">{title}</h1>
        {edit && <button onClick={() => edit(1)}>Open in editor</button>}
        <Segments label="Theme" values={THEMES} value={theme} choose={setTheme} />
        <Segments label="Width" values={DEVICES} value={width} choose={setWidth} />
      </header>
      <p id="message" role="status" class={message.bad ? "bad" : "soft"}>
        {message.text}
        {preview && !message.bad && message !== RENDERING && (
          <>
            {": "}
            {count === 0
              ? "no findings"
              : <a href="#findings" onClick={showFindings}>{count} finding{count > 1 && "s"}</a>}.
          </>
        )}
      </p>
      <div class={`preview${count > 0 ? " found" : ""}`}>
        <Pages assets={assets} target={target} marks={marks} choose={choose} />
        <div class="content">
          {assets?.attributes && (
            <Attributes attributes={assets.attributes} target={target} choose={choose} />
          )}
          {assets?.source && <Source text={assets.source} copy={copy} />}
          <Stage
            shown={shown}
            screens={screens}
            marked={marked}
            anchor={anchor}
            line={line}
            receive={receive}
          />
        </div>
        {preview && (
          <Findings
            preview={preview}
            chosen={chosen}
            reveal={(at) => setLine({ at })}
            edit={edit}
          />
        )}
        {preview && <Aside preview={preview} marked={marked} mark={setMarked} />}
        {preview && (
          <details class="outline">
            <summary>Outline</summary>
            <pre id="outline" class="box">{preview.outline}</pre>
          </details>
        )}
      </div>
    </main>
  );
}

const host = await connect("refrakt preview", "refrakt");
render(<App host={host} first={await host.input} />, document.body);
