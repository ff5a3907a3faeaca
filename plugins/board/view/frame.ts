/**
 * The messages between the view and the frame that shows a page.
 *
 * The frame has `sandbox="allow-scripts"`, which its response says, too: an origin of its own, no
 * forms, no popups, no navigation of the view. Its policy allows our script and the packages'
 * behaviours, so no script of the page runs, and the view's policy keeps it from other documents.
 */

import type { PageDocument } from "./preview_model.ts";

/** What the frame shows; addresses are relative to its own. */
export interface FrameContent extends PageDocument {
  revision: string;
  /** Names the page: another one is shown from its top. */
  page: string;
  /** Whether it is a whole page and not an example. */
  isPage: boolean;
  theme: string;
  /** The id to scroll to on another page. */
  anchor?: string | undefined;
}

/** What the frame reports; each message has one of these. */
export interface FromFrame {
  ready?: true;
  /** The revision. */
  shown?: string;
  href?: string;
}
