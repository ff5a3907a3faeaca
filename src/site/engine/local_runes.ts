/**
 * The runes that a site's config takes from files of the project.
 *
 * @module
 */

import { isAbsolute, resolve } from "node:path";
import { messageOf, RefraktError } from "../../errors.ts";
import { asObject } from "../../io/json.ts";
import { fileStamp } from "../../io/stamp.ts";
import type { Project } from "../../project/project.ts";
import type { SiteConfig } from "../../project/sites.ts";
import { importLocal } from "./local_modules.ts";
import type { Rune, RunesModule } from "./shapes.ts";

/** The local runes of a site, the files that they were read from, and what could not be loaded. */
export interface LocalRunes {
  /** The runes by name. */
  readonly runes: Readonly<Record<string, Rune>>;
  /** Every file that was read, with its stamp. */
  readonly files: ReadonlyMap<string, string>;
  /** What could not be loaded. */
  readonly failures: readonly RefraktError[];
}

/** Loads the local runes of a site. */
export async function loadLocalRunes(
  project: Project,
  site: SiteConfig,
  core: RunesModule,
): Promise<LocalRunes> {
  const runes: Record<string, Rune> = {};
  const files = new Map<string, string>();
  const failures: RefraktError[] = [];
  for (const [name, path] of Object.entries(asObject(asObject(site.raw["runes"])["local"]))) {
    try {
      runes[name] = await loadLocalRune(project, name, path, core, (file) => {
        files.set(file, fileStamp(file));
      });
    } catch (error) {
      failures.push(
        error instanceof RefraktError ? error : new RefraktError(
          "PLUGIN_LOAD_FAILED",
          `Local rune "${name}": ${messageOf(error)}`,
          { cause: error },
        ),
      );
    }
  }
  return { runes, files, failures };
}

/** Whether the config has the old flat shape, in which relative paths stay as they are. */
export function isFlat(project: Project): boolean {
  return project.config?.raw["site"] === undefined && project.config?.raw["sites"] === undefined;
}

async function loadLocalRune(
  project: Project,
  name: string,
  path: unknown,
  core: RunesModule,
  note: (file: string) => void,
): Promise<Rune> {
  const what = `Local rune "${name}"`;
  if (typeof path !== "string") {
    throw new RefraktError("CONFIG_INVALID", `${what} must be the path of a module`, {
      hint: `Give runes.local.${name} a path such as "./runes/${name}.js".`,
    });
  }
  note(resolve(project.cwd, path));
  const module = await importLocal(project, path, what);
  module.files.forEach(note);
  const schema = asObject(module.exports["default"] ?? module.exports)["transform"];
  if (typeof schema !== "object" || schema === null) {
    throw new RefraktError(
      "PLUGIN_LOAD_FAILED",
      `${what} ("${path}") exports no transform (a Markdoc schema)`,
      { hint: "Export a schema made by createContentModelSchema() as transform." },
    );
  }
  const description = `Local rune from ${isFlat(project) ? path : absolute(project, path)}`;
  return core.defineRune({ name, schema, description });
}

/** The nested shapes of the config have their relative paths made absolute. */
function absolute(project: Project, path: string): string {
  return !isAbsolute(path) && /^\.\.?\//.test(path) ? resolve(project.cwd, path) : path;
}
