/// <reference lib="dom" />
/**
 * A page as its site shows it, or a rune's example, with the list of pages and its findings. It
 * follows edits of the files.
 */

import { h, render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FromFrame } from "./frame.ts";
import { Segments } from "./controls.tsx";
import { connect, type Host, reasonOf } from "./host.ts";
import { Findings } from "./preview_findings.tsx";
import { type Answer, type Shown, summaryOf, type Target, targetOf } from "./preview_model.ts";
import { Pages } from "./preview_pages.tsx";
import { type Device, Stage } from "./preview_stage.tsx";

const DEVICES: readonly Device[] = ["phone", "tablet", "desktop"];
const THEMES = ["light", "dark"] as const;

/** The pause between two renderings, so that an edit is seen within a second. */
const POLL_MS = 500;

const RENDERING = { text: "Rendering…", bad: false };

/** Renders the target again and again, until the returned function is called. */
function followTarget(
  host: Host,
  target: Target,
  show: (rendered: Shown, isAgain: boolean) => void,
  fail: (reason: string) => void,
): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let isStopped = false;
  let seen: string | undefined;
  const load = async () => {
    try {
      const args = seen === undefined ? target : { ...target, seen };
      const { data } = await host.call<Answer>("preview", args);
      const { preview, document, ...answer } = data;
      if (isStopped || preview === undefined) return;
      show({ ...answer, preview, document: document ?? null }, seen !== undefined);
      seen = answer.revision;
    } catch (error) {
      if (!isStopped) fail(reasonOf(error));
      seen = undefined;
    }
  };
  const next = async () => {
    if (!document.hidden) await load();
    if (!isStopped) timer = setTimeout(next, POLL_MS);
  };
  void next();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

function App({ host, first: { mode, width: wide, ...first } }: { host: Host; first: Target }) {
  const [target, setTarget] = useState<Target>(first);
  const [rendered, setRendered] = useState<Shown>();
  const [message, setMessage] = useState(RENDERING);
  const [anchor, setAnchor] = useState<string>();
  const [line, setLine] = useState<{ at: number }>();
  const isDark = document.documentElement.dataset["theme"] === "dark";
  const [theme, setTheme] = useState(
    THEMES.find((option) => option === mode) ?? (isDark ? "dark" : "light"),
  );
  const [width, setWidth] = useState(
    DEVICES.find((option) => option === wide) ?? (innerWidth < 560 ? "phone" : "desktop"),
  );
  const choose = (next: Target, to?: string) => {
    setAnchor(to);
    setTarget(next);
  };
  const say = (text: string, bad = false) => setMessage({ text, bad });

  useEffect(() => {
    setMessage(RENDERING);
    return followTarget(host, target, (next, isAgain) => {
      setRendered(next);
      say(summaryOf(next, isAgain));
    }, (reason) => say(reason, true));
  }, [target]);
  const isAtStart = useRef(true);
  useEffect(() => {
    if (!isAtStart.current) host.remember({ ...target, mode: theme, width });
    isAtStart.current = false;
  }, [target, theme, width]);
  useEffect(() => {
    host.onInput = ({ mode: _, width: __, ...next }) => choose(next);
  }, []);
  const { preview, document: page, site } = rendered ?? {};
  const title = preview?.title ?? "Preview";
  useEffect(() => host.entitle(title), [title]);

  const { path } = preview ?? {};
  const edit = host.editor === undefined || path === undefined
    ? undefined
    : (at: number) => void host.visit(`${host.editor}${encodeURI(path)}:${at}`);
  // The frame shows a page that nobody vouches for.
  const receive = ({ href }: FromFrame) => {
    if (typeof href !== "string" || preview === undefined) return;
    const to = targetOf(href, preview, page?.links ?? {});
    if (to === undefined) say(`No page of the site: ${href}`, true);
    else if ("visit" in to) void host.visit(to.visit);
    else choose({ ...target["site"] ? { site } : {}, path: to.path }, to.anchor);
  };
  const findings = preview?.diagnostics ?? [];
  const notes = preview
    ? [...preview.leftOut.map((feature) => `Not shown: ${feature}.`), ...preview.warnings]
    : [];
  return (
    <main>
      <header class="row">
        <h1 id="title">{title}</h1>
        {edit && <button onClick={() => edit(1)}>Open in editor</button>}
        <Segments label="Theme" values={THEMES} value={theme} choose={setTheme} />
        <Segments label="Width" values={DEVICES} value={width} choose={setWidth} />
      </header>
      <p id="message" role="status" class={message.bad ? "bad" : "soft"}>{message.text}</p>
      <div class={`preview${findings.length > 0 ? " found" : ""}`}>
        <Pages rendered={rendered} target={target} choose={choose} />
        <Stage
          files={host.files}
          rendered={rendered}
          device={width}
          theme={theme}
          anchor={anchor}
          line={line}
          receive={receive}
        />
        <Findings findings={findings} reveal={(at) => setLine({ at })} edit={edit} />
        {notes.length > 0 && (
          <details id="notes" class="box">
            <summary>Differences from the live site</summary>
            <ul>{notes.map((note) => <li key={note}>{note}</li>)}</ul>
          </details>
        )}
      </div>
    </main>
  );
}

const host = await connect("refrakt preview", "refrakt");
render(<App host={host} first={await host.input} />, document.body);
