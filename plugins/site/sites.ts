/** The sites in a config, which has three forms: `sites`, `site` and the old flat one. */

import type { Project, SiteConfig, SiteFacts, Warning } from "../../src/plugin/project.ts";
import { meantBy, quotedName } from "../../src/plain_text.ts";
import { basename, isAbsolute, join, resolve } from "node:path";
import { didYouMean, orElse, RefraktError } from "../../src/errors.ts";
import { asObject, isObject, textOf } from "../../src/io/json.ts";
import { isInside, resolveInside } from "../../src/io/paths.ts";
import { CONFIG_NAME, MOST_PLUGINS, pluginsIn } from "../../src/plugin/config.ts";

/** The name of a singular site. */
const DEFAULT_SITE_NAME = "main";

/** Finds the sites; `plugins` at the top level alone is not a site. */
export function findSites(config: Project["config"], warnings: Warning[]): SiteFacts | null {
  if (config === null) return null;
  const { raw } = config;
  const warn = (message: string, hint: string) =>
    warnings.push({ code: "CONFIG_INVALID", message, hint });
  if (raw["site"] !== undefined && raw["sites"] !== undefined) {
    warn(
      `${CONFIG_NAME} declares both "site" and "sites"`,
      'Keep one of them: "sites" for several sites, "site" for one.',
    );
    return null;
  }
  const { site = typeof raw["contentDir"] === "string" ? raw : undefined } = raw;
  let declared = site === undefined ? {} : { [DEFAULT_SITE_NAME]: site };
  if (raw["sites"] !== undefined) {
    declared = asObject(raw["sites"]);
    if (Object.keys(declared).length === 0) {
      warn(`"sites" in ${CONFIG_NAME} declares no site`, 'Add one: "sites": { "main": { … } }.');
    }
  }
  const sites = new Map<string, SiteConfig>();
  for (const [name, value] of Object.entries(declared)) {
    if (!isObject(value)) {
      const message = `Site ${quotedName(name)} in ${CONFIG_NAME} must be an object`;
      warn(message, "Give it at least a contentDir.");
      continue;
    }
    const plugins = pluginsIn(value).filter((plugin) => config.packages.includes(plugin));
    sites.set(name, { name, raw: value, plugins: plugins.slice(0, MOST_PLUGINS) });
  }
  if (sites.size === 0) return null;
  return {
    configPath: config.path,
    names: [...sites.keys()],
    sites,
    packages: config.packages,
    ...modulesOf([...sites.values()]),
  };
}

/** The themes that sites name, and the project's own modules that they name. */
function modulesOf(sites: readonly SiteConfig[]): Pick<SiteFacts, "themes" | "modules"> {
  const themes = sites.flatMap(({ raw: { theme } }) =>
    textOf(asObject(theme)["package"] ?? theme) ?? []
  );
  const local = sites.flatMap(({ raw }) => Object.keys(asObject(asObject(raw["runes"])["local"])));
  const modules: string[] = [];
  if (local.length > 0) modules.push("local runes");
  if (themes.some((name) => name.startsWith(".") || isAbsolute(name))) {
    modules.push("a theme of its own");
  }
  return { themes, modules };
}

/** The site of a project that is a theme: its own folder is the theme. */
export function siteOfTheme(cwd: string): SiteFacts {
  const site = { name: DEFAULT_SITE_NAME, raw: { theme: "." }, plugins: [] };
  return {
    configPath: join(cwd, "manifest.json"),
    isTheme: true,
    names: [site.name],
    sites: new Map([[site.name, site]]),
    packages: [],
    themes: [site.raw.theme],
    modules: ["a theme of its own"],
  };
}

type SiteProject = Pick<Project, "cwd" | "config" | "site" | "warnings">;

export function siteMissing({ cwd, config, warnings }: SiteProject): RefraktError {
  const cause = warnings.find(({ code }) => code === "CONFIG_INVALID");
  const add = `Add "site": { "contentDir": "content", "theme": "…" } to ${CONFIG_NAME}.`;
  const place =
    `Only the working directory ${quotedName(basename(cwd))} is searched, not its parents: ` +
    "if the project is elsewhere, start the server there or with --cwd.";
  return new RefraktError("SITE_CONFIG_MISSING", `No site is declared in ${CONFIG_NAME}`, {
    hint: cause !== undefined
      ? `${cause.message}. ${cause.hint ?? ""}`.trim()
      : config === null
      ? `${add} ${place}`
      : add,
  });
}

/** The real content folders of the sites, which corrections and moves may write in. */
export function contentFolders(project: SiteProject): string[] {
  return contentDirs(project).flatMap(([, dir]) =>
    orElse(() => resolveInside(project.cwd, dir, "The content folder"), [])
  );
}

/** The site whose content folder has a path, if it is the only one; `undefined` otherwise. */
export function siteWith(project: SiteProject, path: string): string | undefined {
  const file = resolve(project.cwd, path);
  const sites = contentDirs(project)
    .filter(([, dir]) => isInside(resolve(project.cwd, dir), file));
  return sites.length === 1 ? sites[0]![0] : undefined;
}

/** The content folders as the config has them, by site. */
function contentDirs({ site }: SiteProject): [site: string, dir: string][] {
  return [...site?.sites ?? []].flatMap(([name, { raw: { contentDir } }]) =>
    typeof contentDir === "string" && contentDir !== "" ? [[name, contentDir]] : []
  );
}

/** The start of memo keys of a site's values: the config is the same object until it changes. */
export function configKey({ config }: Pick<SiteProject, "config">): object[] {
  return config === null ? [] : [config];
}

/** Selects a site; throws `SITE_CONFIG_MISSING`, `SITE_AMBIGUOUS` or `SITE_UNKNOWN`. */
export function chooseSite(project: SiteProject, wanted: string | undefined): SiteConfig {
  const { site } = project;
  if (site === null) throw siteMissing(project);
  const names = site.names.map(quotedName).join(", ");
  if (wanted === undefined) {
    if (site.names.length === 1) return site.sites.get(site.names[0]!)!;
    throw new RefraktError("SITE_AMBIGUOUS", `Several sites are declared: ${names}`, {
      hint: `Pass "site" as one of ${names}.`,
      data: { sites: [...site.names] },
    });
  }
  const chosen = site.sites.get(meantBy(wanted, site.names) ?? wanted);
  if (chosen !== undefined) return chosen;
  const message = `Site ${quotedName(wanted)} is not declared in ${CONFIG_NAME}`;
  throw new RefraktError("SITE_UNKNOWN", message, {
    hint: `${didYouMean(wanted, site.names)} The sites are ${names}.`.trim(),
    data: { sites: [...site.names] },
  });
}
