/// <reference lib="dom" />
/** The frame of the preview: the content at a device's width, scaled down to fit. */

import { h } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { FrameContent, FromFrame } from "./frame.ts";
import type { Shown } from "./preview_model.ts";

/** In CSS pixels; desktop is a minimum. */
const WIDTHS = { phone: 375, tablet: 768, desktop: 1280 } as const;

export type Device = keyof typeof WIDTHS;

interface StageProps {
  /** The address of the folder with the files of all sites. */
  files: string | undefined;
  rendered: Shown | undefined;
  device: Device;
  theme: string;
  anchor: string | undefined;
  /** The line to scroll to; a new object scrolls again. */
  line: { at: number } | undefined;
  receive(message: FromFrame): void;
}

/** What the frame shows; nothing without a page. */
function contentOf({ rendered, theme, anchor }: StageProps): FrameContent | undefined {
  if (rendered === undefined || rendered.document === null) return undefined;
  const { revision, preview: { kind, path, url, title }, document: page } = rendered;
  const { locked, mode } = page.tint;
  return {
    ...page,
    revision,
    page: `${kind} ${path ?? url ?? title}`,
    isPage: kind === "page",
    theme: locked && mode !== null ? mode : theme,
    anchor,
  };
}

export function Stage(props: StageProps) {
  const { files, rendered, device, theme, anchor, line, receive } = props;
  const stage = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const [room, setRoom] = useState({ width: 1280, height: 600 });
  const [ready, setReady] = useState(0);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      const { clientWidth, clientHeight } = stage.current!;
      setRoom({ width: clientWidth, height: clientHeight });
    });
    observer.observe(stage.current!);
    return () => observer.disconnect();
  }, []);
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
    const content = contentOf(props);
    if (ready > 0 && content !== undefined) post({ show: content });
  }, [ready, rendered, theme, anchor]);
  useEffect(() => {
    if (line !== undefined) post({ line: line.at });
  }, [line]);
  const width = device === "desktop" ? Math.max(WIDTHS.desktop, room.width) : WIDTHS[device];
  const scale = Math.min(1, room.width / width);
  const site = rendered?.sites.indexOf(rendered.site) ?? 0;
  return (
    <div
      id="stage"
      ref={stage}
      data-device={device}
      tabIndex={0}
      role="region"
      aria-label="Preview"
    >
      <div class="screen" style={{ width: `${Math.round(width * scale)}px` }}>
        <iframe
          id="frame"
          ref={frame}
          sandbox="allow-scripts"
          title={`The content in its theme, ${device}, ${theme}`}
          src={`${files}${site}/frame`}
          style={{
            width: `${width}px`,
            height: `${Math.round(room.height / scale)}px`,
            transform: scale === 1 ? "none" : `scale(${scale})`,
          }}
        />
      </div>
    </div>
  );
}
