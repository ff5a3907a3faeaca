/** Puts a site's images into its HTML: a view loads nothing. */

import { extname } from "node:path";
import { readBytesInside, SIZE_LIMITS } from "../../../io/read.ts";
import { fileOf } from "../pages/check/links.ts";
import type { ParsedPage } from "../pages/check/parse_page.ts";
import type { SiteContext } from "../upstream/site.ts";
import { visitElements } from "../upstream/elements.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".avif": "image/avif",
  ".gif": "image/gif",
  ".ico": "image/x-icon",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
};

/** The images of one page together, in bytes. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Attributes with one address. */
const ADDRESSES = ["src", "poster"];

const URL_IN_STYLE = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^"')\s]+))\s*\)/g;

/** Changes the tree, and returns the addresses that stay empty: of other servers, and too large. */
export function inlineImages(
  site: SiteContext,
  tree: unknown,
  page: Pick<ParsedPage, "route" | "file">,
  dir: string,
): { readonly foreign: readonly string[]; readonly tooLarge: readonly string[] } {
  const foreign = new Set<string>();
  const tooLarge = new Set<string>();
  const known = new Map<string, string | undefined>();
  let size = 0;
  const dataOf = (address: string): string | undefined => {
    if (known.has(address)) return known.get(address);
    let data: string | undefined;
    const file = fileOf(site, page, address, dir);
    const type = file === undefined ? undefined : TYPES[extname(file).toLowerCase()];
    if (file !== undefined && type !== undefined) {
      try {
        const bytes = readBytesInside(site.project.cwd, file, "image");
        if (size + bytes.length > MOST_BYTES) throw new Error("Too many images");
        size += bytes.length;
        data = `data:${type};base64,${bytes.toBase64()}`;
      } catch {
        tooLarge.add(address);
      }
    }
    known.set(address, data);
    return data;
  };
  const inlined = (address: string): string => {
    if (/^data:/i.test(address) || address === "") return address;
    if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(address)) foreign.add(address);
    return dataOf(address) ?? address;
  };
  visitElements(tree, ({ name, attributes }) => {
    if (name === "img" || name === "source" || name === "video" || name === "image") {
      for (const key of ADDRESSES) {
        const address = attributes[key];
        if (typeof address === "string") attributes[key] = inlined(address);
      }
      const { srcset } = attributes;
      if (typeof srcset === "string") {
        attributes["srcset"] = srcset.split(/,\s+/).map((each) => {
          const [address = "", ...size] = each.trim().split(/\s+/);
          return [inlined(address), ...size].join(" ");
        }).join(", ");
      }
    }
    const { style } = attributes;
    if (typeof style === "string" && style.includes("url(")) {
      attributes["style"] = style.replace(
        URL_IN_STYLE,
        (_, double, single, plain) => `url("${inlined(double ?? single ?? plain)}")`,
      );
    }
  });
  return { foreign: [...foreign], tooLarge: [...tooLarge] };
}

/** The limit of one image, as text for people. */
export const IMAGE_LIMIT = `${SIZE_LIMITS.image / 1024 / 1024} MB`;
