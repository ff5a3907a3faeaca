/** Counts what was checked in a page, so that the absence of findings has a meaning. */

import type { SiteContext } from "../../upstream/site.ts";
import type { Diagnostic, DiagnosticCode } from "../read/diagnostics.ts";
import { isForeign } from "./links.ts";
import type { ParsedPage } from "./parse_page.ts";

const BROKEN: Readonly<Record<"links" | "images" | "headings", readonly DiagnosticCode[]>> = {
  links: ["link-broken", "anchor-broken"],
  images: ["image-missing"],
  headings: ["heading-jump", "heading-second"],
};

export function coverageOf(
  site: SiteContext,
  { facts: { references, headings } }: ParsedPage,
  diagnostics: readonly Diagnostic[],
) {
  const broken = (of: keyof typeof BROKEN) =>
    diagnostics.filter(({ code }) => BROKEN[of].includes(code)).length;
  const counted = (kind: "link" | "image", of: "links" | "images") => {
    const all = references.filter((reference) => reference.kind === kind);
    // Addresses of other sites are not opened.
    const external = all.filter(({ target }) => isForeign(site, target)).length;
    return {
      checked: all.length - external,
      broken: broken(of),
      ...(external === 0 ? {} : { external }),
    };
  };
  return {
    links: counted("link", "links"),
    images: counted("image", "images"),
    headings: { checked: headings.length, broken: broken("headings") },
  };
}
