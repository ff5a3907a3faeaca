/// <reference lib="dom" />
/** The frames of the preview: the content at device widths, scaled down to fit. */

import { h } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { elementMarks, type FrameContent, frameDocument, type FromFrame } from "./frame.ts";
import { listedOf, type Shown } from "./preview_model.ts";

/** In CSS pixels; desktop is a minimum. */
const WIDTHS = { phone: 375, tablet: 768, desktop: 1280 } as const;

/** Between two frames, in CSS pixels. */
const GAP = 16;

export type Device = keyof typeof WIDTHS;

/** A frame: a width and a theme. */
export interface Screen {
  device: Device;
  theme: string;
}

interface StageProps {
  shown: Shown | undefined;
  screens: readonly Screen[];
  marked: string | undefined;
  anchor: string | undefined;
  /** The line to scroll to; a new object scrolls again. */
  line: { at: number } | undefined;
  receive(message: FromFrame): void;
}

export function Stage({ screens, ...rest }: StageProps) {
  const stage = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState({ width: 1280, height: 600 });
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      const { clientWidth, clientHeight } = stage.current!;
      setRoom({ width: clientWidth, height: clientHeight });
    });
    observer.observe(stage.current!);
    return () => observer.disconnect();
  }, []);
  const least = screens.reduce(
    (sum, { device }) => sum + WIDTHS[device],
    GAP * (screens.length - 1),
  );
  const scale = Math.min(1, room.width / least);
  const wide = screens.filter(({ device }) => device === "desktop").length;
  const spare = wide === 0 ? 0 : Math.max(0, room.width - least) / wide;
  return (
    <div id="stage" ref={stage} tabIndex={0} role="region" aria-label="Preview">
      {screens.map(({ device, theme }, index) => (
        <Frame
          key={`${device} ${theme}`}
          id={index === 0 ? "frame" : `frame-${index + 1}`}
          device={device}
          theme={theme}
          width={Math.floor(WIDTHS[device] + (device === "desktop" ? spare : 0))}
          height={room.height}
          scale={scale}
          {...rest}
        />
      ))}
    </div>
  );
}

interface FrameProps extends Omit<StageProps, "screens">, Screen {
  id: string;
  width: number;
  height: number;
  scale: number;
}

function Frame(props: FrameProps) {
  const { id, device, theme, width, height, scale, shown, marked, anchor, line, receive } = props;
  const frame = useRef<HTMLIFrameElement>(null);
  const [ready, setReady] = useState(0);
  const { preview, assets, document: page } = shown ?? {};
  const script = page?.script;
  const html = useMemo(() => frameDocument([...script ? [script] : [], ownScript()]), [
    script?.hash,
  ]);
  const marks = useMemo(() => elementMarks(preview?.elements ?? [], marked), [
    preview?.elements,
    marked,
  ]);
  // Before the frame's script runs: an effect after the paint can miss its first message.
  useLayoutEffect(() => {
    const listen = ({ source, data }: MessageEvent<{ refrakt?: FromFrame }>) => {
      if (source !== frame.current?.contentWindow) return;
      const message: FromFrame = Object(data?.refrakt);
      if (message.ready === true) setReady((count) => count + 1);
      else if (message.shown !== undefined) frame.current!.dataset["shown"] = message.shown;
      else receive(message);
    };
    addEventListener("message", listen);
    return () => removeEventListener("message", listen);
  });
  const post = (message: object) =>
    frame.current!.contentWindow?.postMessage({ refrakt: message }, "*");
  useEffect(() => {
    if (ready === 0 || preview === undefined || page == null) return;
    const { locked, mode } = page.tint;
    const content: FrameContent = {
      revision: assets!.revision,
      page: `${preview.kind} ${preview.path ?? preview.url ?? preview.title}`,
      isPage: preview.kind === "page",
      html: page.html,
      css: page.css,
      marks,
      theme: locked && mode !== null ? mode : theme === "dark" ? "dark" : "light",
      tint: page.tint,
      context: page.context,
      findings: listedOf(preview.diagnostics).flatMap(({ index, finding }) => {
        const { line, severity, message } = finding;
        return line === undefined ? [] : [{ index, line, severity, message }];
      }),
      anchor,
    };
    post({ show: content });
  }, [ready, shown, marks, theme, anchor]);
  useEffect(() => {
    if (line !== undefined) post({ line: line.at });
  }, [line]);
  return (
    <div class="screen" data-device={device} style={{ width: `${Math.round(width * scale)}px` }}>
      <iframe
        id={id}
        ref={frame}
        sandbox="allow-scripts"
        title={`The content in its theme, ${device}, ${theme}`}
        srcdoc={html}
        style={{
          width: `${width}px`,
          height: `${Math.round(height / scale)}px`,
          transform: scale === 1 ? "none" : `scale(${scale})`,
        }}
      />
    </div>
  );
}

/** The frame's script, which the build puts into the document. */
function ownScript() {
  const { textContent, dataset } = document.getElementById("frame-script")!;
  return { text: textContent ?? "", hash: dataset["hash"] ?? "" };
}
