/** Points the images and media of a rendered page at the files that a preview serves. */

import { fileOf } from "../pages/check/addresses.ts";
import type { ParsedPage } from "../pages/check/parse_page.ts";
import type { SiteContext } from "../upstream/site.ts";
import { projectAddress } from "../theme/style_source.ts";
import { visitElements } from "../upstream/elements.ts";

const ELEMENTS = new Set(["img", "source", "video", "audio", "track", "image"]);

/** Attributes with one address. */
const ADDRESSES = ["src", "poster"];

const URL_IN_STYLE = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^"')\s]+))\s*\)/g;

/** Changes the addresses in the tree, and returns those of other servers, which do not load. */
export function addressMedia(
  site: SiteContext,
  tree: unknown,
  page: Pick<ParsedPage, "route" | "file">,
  dir: string,
): readonly string[] {
  const foreign = new Set<string>();
  const served = (address: string): string => {
    if (/^data:/i.test(address) || address === "") return address;
    if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(address)) foreign.add(address);
    const file = fileOf(site, page, address, dir);
    return file === undefined ? address : projectAddress(site.project.cwd, file);
  };
  visitElements(tree, ({ name, attributes }) => {
    if (ELEMENTS.has(name)) {
      for (const key of ADDRESSES) {
        const address = attributes[key];
        if (typeof address === "string") attributes[key] = served(address);
      }
      const { srcset } = attributes;
      if (typeof srcset === "string") {
        attributes["srcset"] = srcset.split(/,\s+/).map((candidate) => {
          const [address = "", ...size] = candidate.trim().split(/\s+/);
          return [served(address), ...size].join(" ");
        }).join(", ");
      }
    }
    const { style } = attributes;
    if (typeof style === "string" && style.includes("url(")) {
      attributes["style"] = style.replace(
        URL_IN_STYLE,
        (_, double, single, plain) => `url("${served(double ?? single ?? plain)}")`,
      );
    }
  });
  return [...foreign];
}
