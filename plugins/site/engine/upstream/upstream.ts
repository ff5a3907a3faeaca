/** Loads the refrakt packages that every site needs. */

import { RefraktError } from "../../../../src/errors.ts";
import { requireParsable } from "../../../../src/markdoc/markup_limits.ts";
import { importVersion } from "../../../../src/packages/load.ts";
import type { PackageVersion } from "../../../../src/packages/package.ts";
import { linearPatterns } from "./linear_patterns.ts";
import type { Markdoc, RunesModule, TransformModule } from "./shapes.ts";
import type { UpstreamVersions } from "./package_versions.ts";

export type Upstream = Awaited<ReturnType<typeof loadUpstream>>;

export async function loadUpstream(versions: UpstreamVersions) {
  const [linearly, runes, transform, markdoc] = await Promise.all([
    linearPatterns(),
    importVersion<RunesModule>(versions.runes),
    importVersion<TransformModule>(versions.transform),
    importVersion<{ default?: Markdoc } & Markdoc>(versions.markdoc),
  ]);
  requireSupported({ ...runes }, versions.runes);
  const { default: whole = markdoc } = markdoc;
  const check = parsableCheck(whole);
  const parse: Markdoc["parse"] = (source) => {
    check(source);
    return whole.parse(source);
  };
  return {
    /** Calls functions of packages that match patterns of pages and configs. */
    linearly,
    runes,
    transform: {
      ...transform,
      matchRouteRule: (...args: Parameters<TransformModule["matchRouteRule"]>) =>
        linearly(() => transform.matchRouteRule(...args)),
    },
    markdoc: { ...whole, parse },
    /** Throws if a text has too much markup; call it before a package parses the text. */
    requireParsable: check,
    examples: { ...runes.RUNE_EXAMPLES },
  };
}

/** Returns the check of a text. It lets Markdoc find the paragraphs where they matter. */
function parsableCheck(markdoc: Markdoc): (text: string) => void {
  const { parser } = new markdoc.Tokenizer();
  const inlinesIn = (text: string) => {
    const tokens: Parameters<typeof parser.block.parse>[3] = [];
    parser.block.parse(text, parser, {}, tokens);
    return tokens.flatMap(({ type, content }) => type === "inline" ? content : []);
  };
  return (text) => requireParsable(text, inlinesIn);
}

/** Exports that the site tools need, the newest among them; all exist since 0.24. */
const NEEDED = [
  ...["mergePlugins", "runes", "tags", "baseConfig", "parseFixture", "schemaContentModels"],
  ...["createCorePipelineHooks", "captureDeferredBodies", "matchesFieldMatch", "firstH1"],
];

export function requireSupported(
  runes: Readonly<Record<string, unknown>>,
  { name, version, from }: PackageVersion,
): void {
  const missing = NEEDED.filter((key) => runes[key] === undefined);
  if (missing.length === 0) return;
  const lacking = missing.join(", ");
  const message = `${name} ${version} (from ${from}) is not supported: it has no ${lacking}`;
  throw new RefraktError("PLUGIN_LOAD_FAILED", message, {
    hint: "Sites work with @refrakt-md/runes 0.24 and newer. Update the project's packages.",
    data: { package: name },
  });
}
