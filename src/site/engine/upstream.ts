/**
 * The refrakt packages that the site tools stand on, loaded at the project's versions.
 *
 * @module
 */

import { RefraktError } from "../../errors.ts";
import { parseMarkup } from "../../io/markup_limits.ts";
import { FILE_LIMIT_MS, inTime } from "../../io/time_limit.ts";
import { importVersion } from "../../npm/load.ts";
import type { PackageVersion } from "../../npm/package.ts";
import { notePackages } from "../../sandbox/modules.ts";
import type { Markdoc, RunesModule, TransformModule } from "./shapes.ts";
import type { UpstreamVersions } from "./upstream_versions.ts";

/** The packages, loaded. */
export interface Upstream {
  readonly runes: RunesModule;
  readonly transform: TransformModule;
  readonly markdoc: Markdoc;
  readonly examples: Readonly<Record<string, string>>;
}

export async function loadUpstream(versions: UpstreamVersions): Promise<Upstream> {
  // Style sheets are read beside the modules of their package.
  notePackages();
  const [runes, transform, markdoc] = await Promise.all([
    importVersion<RunesModule>(versions.runes),
    importVersion<TransformModule>(versions.transform),
    importVersion<{ default?: Markdoc } & Markdoc>(versions.markdoc),
  ]);
  requireSupported({ ...runes }, versions.runes);
  return {
    runes,
    transform,
    markdoc: guarded(markdoc.default ?? markdoc),
    examples: { ...runes.RUNE_EXAMPLES },
  };
}

/** Markdoc, but for texts that keep it or the runes of a site too long: they are refused. */
function guarded(markdoc: Markdoc): Markdoc {
  return {
    ...markdoc,
    parse: (source) => parseMarkup(source, (text) => markdoc.parse(text)),
    transform: (...args) => inTime(FILE_LIMIT_MS, () => markdoc.transform(...args)),
  };
}

/** What the site tools call of `@refrakt-md/runes`; it is all there since 0.12. */
const NEEDED = ["mergePlugins", "defineRune", "runeTagMap", "runes", "tags", "baseConfig"];

/** Makes sure that the site tools can work with a version of `@refrakt-md/runes`. */
export function requireSupported(
  runes: Readonly<Record<string, unknown>>,
  { name, version, from }: PackageVersion,
): void {
  const missing = NEEDED.filter((key) => runes[key] === undefined);
  if (missing.length === 0) return;
  throw new RefraktError(
    "PLUGIN_LOAD_FAILED",
    `${name} ${version} (from ${from}) is not supported: it has no ${missing.join(", ")}`,
    {
      hint: "Sites work with @refrakt-md/runes 0.12 and newer. Update the project's refrakt " +
        "packages.",
      data: { package: name },
    },
  );
}
