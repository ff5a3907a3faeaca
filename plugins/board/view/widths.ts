/**
 * The widths at which a page is shown.
 *
 * @module
 */

/** CSS pixels of a device; a desktop has at least so many. */
export const WIDTHS = { phone: 375, tablet: 768, desktop: 1280 } as const;

/** The name of a width. */
export type Width = keyof typeof WIDTHS;

/** How large a frame is, and how much of that is seen. */
export interface Fitted {
  /** The width of the frame in its own pixels. */
  width: number;
  /** Its height, in the same. */
  height: number;
  /** By how much it is made smaller. */
  scale: number;
  /** The width that it takes of the room. */
  shown: number;
}

/** Fits the frame of a device into a room: it is made smaller, never larger. */
export function fitted(device: Width, room: { width: number; height: number }): Fitted {
  const width = device === "desktop" ? Math.max(WIDTHS.desktop, room.width) : WIDTHS[device];
  const scale = Math.min(1, room.width / width);
  return {
    width,
    height: Math.round(room.height / scale),
    scale,
    shown: Math.round(width * scale),
  };
}
