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
button[hidden]{display:none}
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
  /** The nearest element around that can be seen; the page itself if there is none. */
  const visible = (block: Element | undefined): Element => {
    for (let one = block ?? null; one !== null; one = one.parentElement) {
      const { width, height } = one.getBoundingClientRect();
      if (width > 0 && height > 0) return one;
    }
    return document.documentElement;
  };
  const place = () => {
    // The page may replace the document's elements.
    if (!host.isConnected) document.documentElement.append(host);
    for (const [block, own] of Map.groupBy(pins, ({ pin }) => visible(blockAt(pin.line)))) {
      const box = block.getBoundingClientRect();
      const left = Math.max(0, box.left + scrollX - 26);
      // Beside the block, or above it where there is no room.
      const top = Math.max(0, box.top + scrollY - (box.left < 26 ? 20 : 0));
      for (const [index, { pin, label }] of own.entries()) {
        label.hidden = index > 0;
        // Several of one place are one.
        const rest = own.length > 1 && index === 0 ? ` +${own.length - 1}` : "";
        label.textContent = `${pin.index + 1}${rest}`;
        label.title = own.map((one) => one.pin.message).join("\n");
        label.style.cssText = `top:${top}px;left:${left}px`;
      }
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
