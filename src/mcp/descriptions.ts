/**
 * Titles and descriptions in lists: plugins of the project write them, so they are
 * data, with nothing hidden in them and not too much of them.
 *
 * @module
 */

import { plainLine, plainText } from "../plain_text.ts";

/** The most characters of a title. */
const MOST_TITLE = 120;

/** The most characters of a description. */
const MOST_DESCRIPTION = 2000;

/** A title as it is sent. */
export function boundedTitle(title: string): string {
  return plainLine(title, MOST_TITLE);
}

/** A description as it is sent. */
export function boundedDescription(description: string): string {
  return plainText(description, MOST_DESCRIPTION);
}
