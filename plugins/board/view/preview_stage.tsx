/// <reference lib="dom" />
/** The frames of the preview: the content at device widths, scaled down to fit. */

import { h } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { elementMarks, type FrameContent, type FromFrame } from "./frame.ts";
import type { Shown } from "./preview_model.ts";

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
  /** The address of the folder with the files of all sites. */
  files: string | undefined;
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
  const gaps = GAP * (screens.length - 1);
  const least = screens.reduce((sum, { device }) => sum + WIDTHS[device], gaps);
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

/** What a frame shows; nothing without a page. */
function contentOf(
  { shown, theme, anchor }: FrameProps,
  marks: string,
): FrameContent | undefined {
  if (shown === undefined || shown.document === null) return undefined;
  const { revision, preview: { kind, path, url, title }, document: page } = shown;
  const { locked, mode } = page.tint;
  return {
    ...page,
    revision,
    page: `${kind} ${path ?? url ?? title}`,
    isPage: kind === "page",
    marks,
    theme: locked && mode !== null ? mode : theme,
    anchor,
  };
}

function Frame(props: FrameProps) {
  const { id, device, theme, width, height, scale, files, shown, marked, line, receive } = props;
  const frame = useRef<HTMLIFrameElement>(null);
  const [ready, setReady] = useState(0);
  const elements = shown?.preview.elements;
  const marks = useMemo(() => elementMarks(elements ?? [], marked), [elements, marked]);
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
    const content = contentOf(props, marks);
    if (ready > 0 && content !== undefined) post({ show: content });
  }, [ready, shown, marks, theme, props.anchor]);
  useEffect(() => {
    if (line !== undefined) post({ line: line.at });
  }, [line]);
  const site = shown?.sites.indexOf(shown.site) ?? 0;
  return (
    <div class="screen" data-device={device} style={{ width: `${Math.round(width * scale)}px` }}>
      <iframe
        id={id}
        ref={frame}
        sandbox="allow-scripts"
        title={`The content in its theme, ${device}, ${theme}`}
        src={`${files}${site}/frame`}
        style={{
          width: `${width}px`,
          height: `${Math.round(height / scale)}px`,
          transform: scale === 1 ? "none" : `scale(${scale})`,
        }}
      />
    </div>
  );
}
