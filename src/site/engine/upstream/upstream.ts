/** Loads the refrakt packages that every site needs. */

import { RefraktError } from "../../../errors.ts";
import { parseMarkup } from "../../../io/markup_limits.ts";
import { FILE_LIMIT_MS, withTimeLimit } from "../../../io/time_limit.ts";
import { importVersion } from "../../../npm/load.ts";
import type { PackageVersion } from "../../../npm/package.ts";
import type { Markdoc, RunesModule, TransformModule } from "./shapes.ts";
import type { UpstreamVersions } from "./package_versions.ts";

export interface Upstream {
  readonly runes: RunesModule;
  readonly transform: TransformModule;
  readonly markdoc: Markdoc;
  readonly examples: Readonly<Record<string, string>>;
}

export async function loadUpstream(versions: UpstreamVersions): Promise<Upstream> {
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

/** Markdoc with a timeout for parsing and transforming. */
function guarded(markdoc: Markdoc): Markdoc {
  return {
    ...markdoc,
    parse: (source) => parseMarkup(source, (text) => markdoc.parse(text)),
    transform: (...args) => withTimeLimit(FILE_LIMIT_MS, () => markdoc.transform(...args)),
  };
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
  const message = `${name} ${version} (from ${from}) is not supported: it has no ${
    missing.join(", ")
  }`;
  throw new RefraktError("PLUGIN_LOAD_FAILED", message, {
    hint: "Sites work with @refrakt-md/runes 0.24 and newer. Update the project's refrakt " +
      "packages.",
    data: { package: name },
  });
}
