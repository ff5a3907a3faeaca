/**
 * What is wrong with a rune package: its manifest, its runes, its fixtures and its
 * commands. Pure functions; loading is the business of `package_validate.ts`.
 *
 * @module
 */

import { messageOf } from "../errors.ts";
import type { Finding, PluginEntry, PluginExport, RunesModule } from "./upstream.ts";

/** Errors and warnings as they are found. */
export interface Findings {
  /** What a package must not be published with. */
  readonly errors: Finding[];
  /** What it had better not be published with. */
  readonly warnings: Finding[];
}

/** A package's name, version and entry point. */
export function lintManifest(manifest: Readonly<Record<string, unknown>>, found: Findings): void {
  for (const field of ["name", "version"]) {
    const value = manifest[field];
    if (typeof value !== "string" || value === "") {
      error(found, `package.json.${field}`, "Required, a text that is not empty");
    }
  }
  const exports = manifest["exports"];
  const main = typeof exports === "string" ? exports : asRecord(exports)["."];
  if (!manifest["main"] && !main) {
    warning(found, "package.json", 'No entry point: neither "main" nor "exports"');
  }
}

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
  lintTheme(asRecord(plugin.theme), found);
  for (const [rune, extension] of Object.entries(asRecord(plugin.extends))) {
    lintAttributes(asRecord(extension)["schema"], `extends.${rune}.schema`, found);
  }
  lintCoverage(entries, rolesOf(fixtures, runes, found), found);
}

/**
 * The command-line half of a package.
 *
 * @param plugin What `./cli-plugin` exports.
 * @param taken The namespaces that other packages of the project have, with the package.
 * @param found Where the findings go.
 */
export function lintCommands(
  plugin: unknown,
  taken: ReadonlyMap<string, string>,
  found: Findings,
): void {
  const { namespace, commands } = asRecord(plugin);
  if (typeof namespace !== "string" || namespace === "") {
    error(found, "cli-plugin.namespace", "Required, a text that is not empty");
  } else lintNamespace(namespace, taken, found);
  if (!Array.isArray(commands)) {
    error(found, "cli-plugin.commands", "Required, a list");
    return;
  }
  if (commands.length === 0) {
    warning(found, "cli-plugin.commands", "No commands: the plugin adds nothing");
  }
  const seen = new Set<unknown>();
  for (const [index, command] of commands.entries()) {
    const path = `cli-plugin.commands[${index}]`;
    if (typeof command !== "object" || command === null) {
      error(found, path, "Has to be an object");
      continue;
    }
    lintCommand(command as Record<string, unknown>, path, seen, found);
  }
}

/** The object that a `./cli-plugin` module exports, where it looks like one. */
export function cliPluginOf(exports: Readonly<Record<string, unknown>>): unknown {
  const candidate = exports["default"] ?? exports;
  const { namespace, commands } = asRecord(candidate);
  return namespace === undefined && commands === undefined ? undefined : candidate;
}

function lintNamespace(
  namespace: string,
  taken: ReadonlyMap<string, string>,
  found: Findings,
): void {
  const path = "cli-plugin.namespace";
  if (!/^[A-Za-z0-9_-]+$/.test(namespace)) {
    error(found, path, `"${namespace}" cannot be part of a tool's name: letters, digits, _ and -`);
  }
  if (namespace === "refrakt") {
    error(found, path, 'The namespace "refrakt" belongs to the core tools');
  }
  const owner = taken.get(namespace);
  if (owner !== undefined) {
    warning(
      found,
      path,
      `The namespace "${namespace}" is already taken by ${owner} in this project`,
    );
  }
}

function lintCommand(
  command: Record<string, unknown>,
  path: string,
  seen: Set<unknown>,
  found: Findings,
): void {
  const { name, description, handler, mcpHandler, inputSchema, outputSchema } = command;
  const shown = typeof name === "string" && name !== "" ? `Command "${name}"` : "The command";
  if (typeof name !== "string" || name === "") {
    error(found, `${path}.name`, "Required, a text that is not empty");
  } else if (!/^[A-Za-z0-9_.-]{1,50}$/.test(name)) {
    warning(found, `${path}.name`, `"${name}" cannot be part of a tool's name, so it is left out`);
  }
  if (seen.has(name)) error(found, `${path}.name`, `${shown} is declared twice`);
  seen.add(name);
  if (typeof description !== "string") {
    error(found, `${path}.description`, "Required, a text");
  } else if (description.trim() === "") {
    warning(found, `${path}.description`, "Empty: a model has nothing else to go by");
  }
  if (typeof handler !== "function") error(found, `${path}.handler`, "Required, a function");
  if (mcpHandler !== undefined && typeof mcpHandler !== "function") {
    error(found, `${path}.mcpHandler`, "Has to be a function");
  }
  lintSchema(inputSchema, `${path}.inputSchema`, found);
  lintSchema(outputSchema, `${path}.outputSchema`, found);
  if (inputSchema === undefined) {
    warning(found, path, `${shown} has no inputSchema, so clients cannot tell what it takes`);
  } else if (mcpHandler === undefined) {
    warning(found, path, `${shown} has an inputSchema but no mcpHandler: its input becomes argv`);
  }
}

function lintSchema(schema: unknown, path: string, found: Findings): void {
  if (schema === undefined) return;
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    error(found, path, "Has to be a JSON Schema, an object");
    return;
  }
  const { type, properties, required, anyOf, oneOf, allOf } = schema as Record<string, unknown>;
  if (type === undefined) warning(found, path, 'No "type": clients want "object" at the root');
  else if (type !== "object") {
    error(found, `${path}.type`, `Has to be "object", not ${JSON.stringify(type)}`);
  }
  if (properties !== undefined && !isRecord(properties)) {
    error(found, `${path}.properties`, "Has to be an object");
  }
  for (const [name, property] of Object.entries(asRecord(properties))) {
    if (!isRecord(property) && typeof property !== "boolean") {
      error(found, `${path}.properties.${name}`, "Has to be a JSON Schema");
    }
  }
  if (required !== undefined) {
    if (!Array.isArray(required) || required.some((name) => typeof name !== "string")) {
      error(found, `${path}.required`, "Has to be a list of names");
    } else {
      for (const name of required as string[]) {
        if (!isRecord(properties) || !Object.hasOwn(properties, name)) {
          warning(found, `${path}.required`, `"${name}" is required, but not among the properties`);
        }
      }
    }
  }
  if (anyOf !== undefined || oneOf !== undefined || allOf !== undefined) {
    warning(found, path, "anyOf, oneOf and allOf at the root are refused by some clients");
  }
}

function lintRune(name: string, entry: PluginEntry, found: Findings): void {
  const path = `runes.${name}`;
  if (!isRecord(entry)) {
    error(found, path, "Has to be an object");
    return;
  }
  const { transform, fixture, authoringHints, schema, aliases, description } = entry as Record<
    string,
    unknown
  >;
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
  for (const [name, attribute] of Object.entries(asRecord(schema))) {
    if (typeof attribute !== "object" || attribute === null) {
      error(found, `${path}.${name}`, "Has to be an object");
      continue;
    }
    const { type, matches } = attribute as Record<string, unknown>;
    if (type !== undefined && !["string", "number", "boolean"].includes(type as string)) {
      error(found, `${path}.${name}.type`, 'Has to be "string", "number" or "boolean"');
    }
    if (matches !== undefined && !Array.isArray(matches)) {
      error(found, `${path}.${name}.matches`, "Has to be a list");
    }
  }
}

function lintTheme(theme: Record<string, unknown>, found: Findings): void {
  for (const [type, config] of Object.entries(asRecord(theme["runes"]))) {
    if (!isRecord(config)) error(found, `theme.runes.${type}`, "Has to be an object");
    else if (typeof config["block"] !== "string" || config["block"] === "") {
      error(found, `theme.runes.${type}.block`, "Required, a text that is not empty");
    }
  }
  for (const [group, icons] of Object.entries(asRecord(theme["icons"]))) {
    if (!isRecord(icons)) error(found, `theme.icons.${group}`, "Has to map names to SVG texts");
    for (const [name, svg] of Object.entries(asRecord(icons))) {
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
  const shown = entries.filter(([, entry]) => isRecord(entry) && !isChild(entry));
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
      const { rune, frontmatter } = runes.parseFixture(text, file);
      const known = roles.get(rune) ?? new Set<string>();
      roles.set(rune, known.add(frontmatter.role ?? "canonical"));
    } catch (thrown) {
      warning(found, `fixtures/${file}`, messageOf(thrown));
    }
  }
  return roles;
}

function isChild(entry: PluginEntry): boolean {
  const { selfClosing, inline } = asRecord(entry.transform);
  return selfClosing === true || inline === true;
}

function usesTag(fixture: string, name: string): boolean {
  return fixture.split("{%").slice(1).some((part) => {
    const text = part.trimStart();
    return text.startsWith(name) && /^[\s%]/.test(text.slice(name.length));
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function error(found: Findings, path: string, message: string): void {
  found.errors.push({ path, message });
}

function warning(found: Findings, path: string, message: string): void {
  found.warnings.push({ path, message });
}
