/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * What lies over the page in the frame: a pin at the block of each finding, and the source line of the
 * block under the pointer.
 */

import type { FramePin, FromFrame } from "./frame.ts";

const LINE = "data-refrakt-line";

const STYLE = `:host{all:initial;position:absolute;top:0;left:0;z-index:2147483646}
button{position:absolute;font:600 12px/20px system-ui,sans-serif;border:0;border-radius:99px;
padding:0 8px;min-width:20px;color:#fff;background:#92400e;cursor:pointer;white-space:nowrap;box-shadow:0 1px 4px #0006}
button.error{background:#b42318}button.line{background:#1d4ed8;border-radius:6px}
button:focus-visible{outline:2px solid #1d4ed8;outline-offset:2px}`;

export function createPins(send: (message: FromFrame) => void) {
  const host = document.createElement("refrakt-pins");
  const shadow = host.attachShadow({ mode: "closed" });
  const style = document.createElement("style");
  style.textContent = STYLE;
  const line = button("line", "");
  line.hidden = true;
  line.tabIndex = -1;
  let pins: { readonly pin: FramePin; readonly label: HTMLButtonElement }[] = [];
  shadow.append(style, line);

  /** The last block that begins at or before a line. */
  const blockAt = (wanted: number): Element | undefined => {
    let found: Element | undefined;
    let nearest = 0;
    for (const block of document.querySelectorAll(`[${LINE}]`)) {
      const own = Number(block.getAttribute(LINE));
      if (own <= wanted && own >= nearest) [found, nearest] = [block, own];
    }
    return found;
  };
  const place = () => {
    // The page may replace the document's elements.
    if (!host.isConnected) document.documentElement.append(host);
    let lowest = 0;
    for (const { pin, label } of pins) {
      const box = blockAt(pin.line)?.getBoundingClientRect();
      const top = box === undefined || box.height === 0 ? 4 : box.top + scrollY;
      const left = box === undefined ? 4 : Math.max(0, box.left + scrollX - 26);
      // Pins of one block stand side by side.
      label.style.cssText = `top:${top}px;left:${left + (top === lowest ? 28 : 0)}px`;
      lowest = top;
    }
  };
  const at = (block: Element | null | undefined) => {
    const own = block?.getAttribute(LINE);
    line.hidden = own == null;
    if (block == null || own == null) return;
    const { top, right } = block.getBoundingClientRect();
    line.textContent = `line ${own}`;
    const beside = Math.min(right + scrollX, scrollX + innerWidth - 16) - 70;
    line.style.cssText = `top:${Math.max(0, top + scrollY - 10)}px;left:${beside}px`;
  };
  addEventListener("mouseover", ({ target }) => {
    if (target !== host) at(target instanceof Element ? target.closest(`[${LINE}]`) : undefined);
  });
  line.addEventListener("click", () => send({ line: Number(line.textContent!.slice(5)) }));
  new ResizeObserver(place).observe(document.body);
  return {
    show(findings: readonly FramePin[]): void {
      for (const { label } of pins) label.remove();
      pins = findings.map((pin) => {
        const label = button(pin.severity, String(pin.index + 1));
        label.title = pin.message;
        label.setAttribute("aria-label", `Finding ${pin.index + 1}: ${pin.message}`);
        label.addEventListener("click", () => send({ finding: pin.index }));
        return { pin, label };
      });
      shadow.append(...pins.map(({ label }) => label));
      line.hidden = true;
      place();
    },
    /** Scrolls to the block of a line. */
    reveal(wanted: number): void {
      const block = blockAt(wanted);
      block?.scrollIntoView({ block: "center" });
      at(block);
    },
  };
}

function button(kind: string, text: string): HTMLButtonElement {
  const made = document.createElement("button");
  made.className = kind === "error" || kind === "line" ? kind : "warning";
  made.textContent = text;
  return made;
}
