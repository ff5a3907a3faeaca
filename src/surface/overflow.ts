/**
 * Results that were too long for a model's context, kept for a while to be read
 * in pages.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import { randomSuffix } from "../sandbox/files.ts";
import type { Resource } from "./resource.ts";

/** How many results are kept. */
const KEPT = 16;

/** A store of long results. */
export interface Overflow {
  /** Keeps a text and gives it an address. */
  keep(text: string): { uri: string; pages: number };
  /** The resource that reads them. */
  readonly resource: Resource;
}

/**
 * Makes a store.
 *
 * @param pageSize How many characters a page has.
 */
export function createOverflow(pageSize: number): Overflow {
  const texts = new Map<string, string>();
  const pagesOf = (text: string) => Math.max(1, Math.ceil(text.length / pageSize));
  return {
    keep(text) {
      const id = randomSuffix();
      texts.set(id, text);
      for (const oldest of texts.keys()) {
        if (texts.size <= KEPT) break;
        texts.delete(oldest);
      }
      return { uri: `refrakt://result/${id}`, pages: pagesOf(text) };
    },
    resource: {
      uri: "refrakt://result/{id}",
      name: "result",
      title: "Long result",
      description: "The whole of a result that was too long to send at once, in pages from 1.",
      mimeType: "text/plain",
      query: ["page"],
      read: ({ id, page = "1" }) => {
        const text = texts.get(id!);
        if (text === undefined) {
          throw new RefraktError("NOT_FOUND", `No kept result: "${id}"`, {
            hint: "Results are kept for a short while only; call the tool again.",
          });
        }
        const pages = pagesOf(text);
        const number = Number(page);
        if (!Number.isInteger(number) || number < 1 || number > pages) {
          throw new RefraktError("INVALID_ARGS", `No page "${page}"`, {
            hint: `The pages are 1 to ${pages}.`,
          });
        }
        return { text: text.slice((number - 1) * pageSize, number * pageSize) };
      },
    },
  };
}
