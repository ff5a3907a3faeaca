/**
 * The presets that the tints of a site's config extend, loaded as a site's build does it.
 *
 * @module
 */

import { isAbsolute } from "node:path";
import { messageOf, RefraktError } from "../../errors.ts";
import { asObject } from "../../io/json.ts";
import { readInside } from "../../io/read.ts";
import { importVersion } from "../../npm/load.ts";
import { packageVersion } from "../../npm/versions.ts";
import { parseJson } from "./json_files.ts";
import { importLocal } from "./local_modules.ts";
import type { SiteContext } from "./site.ts";

/**
 * Loads the presets, by the specifier that the config has.
 *
 * @throws {RefraktError} `PLUGIN_LOAD_FAILED`, `NOT_FOUND` or `PERMISSION_DENIED`.
 */
export async function tintPresets(context: SiteContext): Promise<Record<string, unknown>> {
  const specifiers = new Set(
    Object.values(asObject(context.site.raw["tints"])).map((tint) => asObject(tint)["extends"])
      .filter((wanted): wanted is string => typeof wanted === "string" && /^[@./]/.test(wanted)),
  );
  return Object.fromEntries(
    await Promise.all(
      [...specifiers].map(async (specifier) => [specifier, await loadPreset(context, specifier)]),
    ),
  );
}

async function loadPreset({ project }: SiteContext, specifier: string): Promise<unknown> {
  const what = `Preset "${specifier}"`;
  if (specifier.startsWith(".") || isAbsolute(specifier)) {
    if (specifier.endsWith(".json")) {
      return parseJson(readInside(project.cwd, specifier, "config"), specifier);
    }
    return presetIn((await importLocal(project, specifier, what)).exports, what);
  }
  const [, name, subpath] = /^(@[^/]+\/[^/]+)\/(.+)$/.exec(specifier) ?? [];
  if (name === undefined || subpath === undefined) {
    throw new RefraktError(
      "CONFIG_INVALID",
      `${what} is neither a file nor an export of a package`,
      {
        hint: 'Tints extend such as "@refrakt-md/lumina/presets/nord" or "./presets/mine.js".',
      },
    );
  }
  try {
    return presetIn(await importVersion(packageVersion(project, name), subpath), what);
  } catch (error) {
    throw new RefraktError(
      "PLUGIN_LOAD_FAILED",
      `${what} cannot be loaded: ${messageOf(error).split("\n")[0]}`,
      { hint: `Install ${name}, or change "tints" in refrakt.config.json.`, cause: error },
    );
  }
}

function presetIn(exports: Readonly<Record<string, unknown>>, what: string): unknown {
  const found = exports["default"] ?? exports["config"];
  if (typeof found === "object" && found !== null) return found;
  throw new RefraktError("PLUGIN_LOAD_FAILED", `${what} exports no preset`, {
    hint: "Export the tokens as default.",
  });
}
