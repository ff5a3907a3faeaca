/**
 * What is wrong with the runes, the theme and the fixtures of a rune package.
 *
 * @module
 */

import { messageOf } from "../../errors.ts";
import { asObject, isObject } from "../../io/json.ts";
import { error, type Findings, warning } from "./findings.ts";
import { parseFixture } from "./load_plugin.ts";
import type { PluginEntry, PluginExport, RunesModule } from "./shapes.ts";

/** The plugin object: runes, theme, extensions, descriptions, fixtures. */
export function lintPlugin(
  plugin: PluginExport,
  fixtures: readonly { file: string; text: string }[],
  runes: RunesModule,
  found: Findings,
): void {
  for (const field of ["name", "version"] as const) {
    if (plugin[field] === "") error(found, `Plugin.${field}`, "Required, a text that is not empty");
  }
  const entries = Object.entries(plugin.runes);
  if (entries.length === 0) {
    error(found, "Plugin.runes", "Has to define at least one rune");
    return;
  }
  for (const [name, entry] of entries) lintRune(name, entry, found);
  lintTheme(asObject(plugin.theme), found);
  for (const [rune, extension] of Object.entries(asObject(plugin.extends))) {
    lintAttributes(asObject(extension)["schema"], `extends.${rune}.schema`, found);
  }
  lintCoverage(entries, rolesOf(fixtures, runes, found), found);
}

function lintRune(name: string, entry: PluginEntry, found: Findings): void {
  const path = `runes.${name}`;
  if (!isObject(entry)) {
    error(found, path, "Has to be an object");
    return;
  }
  const { transform, fixture, authoringHints, schema, aliases, description } = asObject(entry);
  if (typeof transform !== "object" || transform === null) {
    error(found, `${path}.transform`, "Required, a Markdoc schema");
  }
  if (fixture !== undefined) {
    if (typeof fixture !== "string") error(found, `${path}.fixture`, "Has to be a text");
    else if (fixture.trim() === "") error(found, `${path}.fixture`, "Is empty");
    else if (!usesTag(fixture, name)) {
      warning(found, `${path}.fixture`, `Does not use the tag {% ${name} %}`);
    }
  }
  if (authoringHints !== undefined) {
    if (typeof authoringHints !== "string") {
      error(found, `${path}.authoringHints`, "Has to be a text");
    } else if (authoringHints.trim() === "") {
      warning(found, `${path}.authoringHints`, "Is empty: fill it, or leave it out");
    }
  }
  if (schema !== undefined) lintAttributes(schema, `${path}.schema`, found);
  if (aliases !== undefined && aliases !== null) {
    if (!Array.isArray(aliases)) error(found, `${path}.aliases`, "Has to be a list of names");
    else if (aliases.some((alias) => typeof alias !== "string" || alias === "")) {
      error(found, `${path}.aliases`, "Every alias has to be a text that is not empty");
    }
  }
  if (description !== undefined && typeof description !== "string") {
    error(found, `${path}.description`, "Has to be a text");
  }
}

function lintAttributes(schema: unknown, path: string, found: Findings): void {
  for (const [name, attribute] of Object.entries(asObject(schema))) {
    if (typeof attribute !== "object" || attribute === null) {
      error(found, `${path}.${name}`, "Has to be an object");
      continue;
    }
    const { type, matches } = asObject(attribute);
    if (![undefined, "string", "number", "boolean"].some((known) => known === type)) {
      error(found, `${path}.${name}.type`, 'Has to be "string", "number" or "boolean"');
    }
    if (matches !== undefined && !Array.isArray(matches)) {
      error(found, `${path}.${name}.matches`, "Has to be a list");
    }
  }
}

function lintTheme(theme: Record<string, unknown>, found: Findings): void {
  for (const [type, config] of Object.entries(asObject(theme["runes"]))) {
    if (!isObject(config)) error(found, `theme.runes.${type}`, "Has to be an object");
    else if (typeof config["block"] !== "string" || config["block"] === "") {
      error(found, `theme.runes.${type}.block`, "Required, a text that is not empty");
    }
  }
  for (const [group, icons] of Object.entries(asObject(theme["icons"]))) {
    if (!isObject(icons)) error(found, `theme.icons.${group}`, "Has to map names to SVG texts");
    for (const [name, svg] of Object.entries(asObject(icons))) {
      if (typeof svg !== "string") {
        error(found, `theme.icons.${group}.${name}`, "Has to be SVG text");
      }
    }
  }
}

function lintCoverage(
  entries: readonly [string, PluginEntry][],
  roles: ReadonlyMap<string, ReadonlySet<string>>,
  found: Findings,
): void {
  // Runes that only stand inside others need neither an example nor a description.
  const shown = entries.filter(([, entry]) => isObject(entry) && !isChild(entry));
  const names = (wanted: (name: string, entry: PluginEntry) => boolean) =>
    shown.filter(([name, entry]) => wanted(name, entry)).map(([name]) => name);
  const hasFixture = (name: string, entry: PluginEntry) =>
    Boolean(entry.fixture) || (roles.get(name)?.size ?? 0) > 0;
  const isCanonical = (name: string, entry: PluginEntry) =>
    Boolean(entry.fixture) || roles.get(name)?.has("canonical") === true;
  const report = (path: string, lacking: string[], what: string) => {
    if (lacking.length > 0) warning(found, path, `${what}: ${lacking.join(", ")}`);
  };
  report("fixtures", names((n, e) => !hasFixture(n, e)), "Runes without an example");
  report(
    "fixtures.role",
    names((n, e) => hasFixture(n, e) && !isCanonical(n, e)),
    "Runes without a canonical example (<rune>.md, or role: canonical)",
  );
  report("descriptions", names((_, e) => !e.description), "Runes without a description");
}

function rolesOf(
  fixtures: readonly { file: string; text: string }[],
  runes: RunesModule,
  found: Findings,
): Map<string, Set<string>> {
  const roles = new Map<string, Set<string>>();
  for (const { file, text } of fixtures) {
    try {
      const { rune, frontmatter } = parseFixture(runes, text, file);
      const known = roles.get(rune) ?? new Set<string>();
      roles.set(rune, known.add(frontmatter.role ?? "canonical"));
    } catch (thrown) {
      warning(found, `fixtures/${file}`, messageOf(thrown));
    }
  }
  return roles;
}

function isChild(entry: PluginEntry): boolean {
  const { selfClosing, inline } = asObject(entry.transform);
  return selfClosing === true || inline === true;
}

function usesTag(fixture: string, name: string): boolean {
  return fixture.split("{%").slice(1).some((part) => {
    const text = part.trimStart();
    return text.startsWith(name) && /^[\s%]/.test(text.slice(name.length));
  });
}
