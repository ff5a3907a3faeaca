/** Reads the style sheets of a theme: its entry and all imports, packages included. */

import { countAndLimit, quotedName } from "../../../../src/plain_text.ts";
import { posix } from "node:path";
import type { Root } from "postcss";
import { orElse, RefraktError } from "../../../../src/errors.ts";
import { statIfExists } from "../../../../src/io/files.ts";
import { resolveInside, shownPath } from "../../../../src/io/paths.ts";
import type { Turn } from "../../../../src/io/turns.ts";
import { isPackageName } from "../../../../src/packages/names.ts";
import type { SiteContext } from "../upstream/site.ts";
import { siteTheme, themeFiles } from "./theme.ts";
import {
  entryOf,
  folderSource,
  packageSource,
  readText,
  type StyleSource,
} from "./style_source.ts";

interface StyleSheet {
  readonly text: string;
  /** The targets of its imports, as written. */
  readonly imports: readonly string[];
  readonly selectors: readonly StyledSelector[];
}

export type ThemeStyles = Awaited<ReturnType<typeof themeStyles>>;

/** Used for sites without a theme. */
const DEFAULT_THEME = "@refrakt-md/lumina";

const MOST_SHEETS = 1000;
const MOST_CHARACTERS = 16_000_000;

/** Reads a style sheet or the CSS of a folder, by default those of the theme. */
export async function themeStyles(context: SiteContext, css: string | undefined, turn: Turn) {
  const reader = createReader(context, turn);
  const source = css === undefined
    ? await readTheme(context, reader)
    : await readNamed(context, css, reader);
  return { source, ...reader };
}

/** Returns `undefined` if the text is not CSS. */
async function parseSheet({ config }: SiteContext, file: string, text: string) {
  const root = await parseCss(text);
  if (root === undefined) return undefined;
  return { text, imports: importsOf(root), selectors: ruleSelectors(root, file, config.prefix) };
}

type Reader = ReturnType<typeof createReader>;

function createReader(context: SiteContext, turn: Turn) {
  /** The addresses in a preview of the sheets that import the others. */
  const entries: string[] = [];
  /** Each sheet once, in cascade order. */
  const sheets: StyleSheet[] = [];
  const missing: string[] = [];
  const visited = new Set<string>();
  let characters = 0;
  const read = async (source: StyleSource, path: string): Promise<boolean> => {
    const key = `${source.displayName}\0${path}`;
    if (visited.has(key)) return true;
    const text = await readText(source, path);
    if (text === null) return false;
    visited.add(key);
    characters += text.length;
    if (sheets.length >= MOST_SHEETS || characters > MOST_CHARACTERS) {
      const most = countAndLimit(characters, "characters of style sheets", MOST_CHARACTERS);
      missing.push(`${path}: not read: ${most}, in at most ${MOST_SHEETS} files`);
      return true;
    }
    const file = shownFile(source, path);
    const texts = context.memo.same([context, "style sheet", file], [text]);
    const sheet = await context.memo([texts, "parsed"], () => parseSheet(context, file, text));
    if (sheet === undefined) {
      missing.push(`${file}: not CSS`);
      return true;
    }
    await turn();
    for (const target of sheet.imports) await follow(source, path, target);
    sheets.push(sheet);
    return true;
  };
  const follow = async (source: StyleSource, from: string, target: string) => {
    const note = () => missing.push(`${shownFile(source, from)} imports ${target}`);
    if (/^(?:[a-z]+:)?\/\//i.test(target)) return note();
    const near = posix.join(posix.dirname(from), target);
    if (!near.startsWith("..") && await read(source, near)) return;
    const [, name, subpath = ""] = /^((?:@[^/]+\/)?[^/.][^/]*)(?:\/(.+))?$/.exec(target) ?? [];
    if (name === undefined || !isPackageName(name)) return note();
    const files = await packageSource(context, name);
    const entry = files && await entryOf(files, subpath);
    if (entry === undefined || !await read(files!, entry)) note();
  };
  return {
    entries,
    sheets,
    missing,
    /** Reads a sheet and what it imports; `false` if it does not exist. */
    read: async (source: StyleSource, path: string) => {
      const exists = await read(source, path);
      if (exists) entries.push(posix.join(source.address, path));
      return exists;
    },
  };
}

async function readTheme(context: SiteContext, reader: Reader): Promise<string> {
  const theme = siteTheme(context) ?? DEFAULT_THEME;
  const source = await themeFiles(context, theme);
  if (source !== undefined) {
    const entry = await entryOf(source, "");
    if (entry !== undefined && await reader.read(source, entry)) return source.displayName;
    // A theme without an entry may have a style sheet per rune.
    if (await readFolder(source, "styles/runes", reader)) return source.displayName;
  }
  throw new RefraktError("NOT_FOUND", `Theme ${quotedName(theme)} has no CSS`, {
    hint: "Pass css: a style sheet or a folder.",
  });
}

async function readNamed(context: SiteContext, css: string, reader: Reader): Promise<string> {
  const { cwd } = context.project;
  const path = resolveInside(cwd, css, "The CSS folder");
  const info = statIfExists(path);
  const displayPath = shownPath(cwd, path);
  if (info?.isFile) {
    await reader.read(folderSource(context, cwd), displayPath);
    return displayPath;
  }
  const isFolder = info?.isDirectory === true;
  if (isFolder && await readFolder(folderSource(context, path), "", reader)) return displayPath;
  const problem = isFolder ? "No style sheets in" : "No such file or folder:";
  throw new RefraktError("NOT_FOUND", `${problem} ${quotedName(displayPath)}`, {
    hint: "Pass a style sheet or a folder that contains some.",
  });
}

async function readFolder(source: StyleSource, folder: string, reader: Reader): Promise<boolean> {
  const names = source.list(folder);
  for (const name of names) await reader.read(source, posix.join(folder, name));
  return names.length > 0;
}

function shownFile(source: StyleSource, path: string): string {
  return posix.join(source.displayName === "." ? "" : source.displayName, path);
}

interface StyledSelector {
  /** A class (`.rf-hint--note`) or a data attribute (`[data-rune="hint"]`, `[data-open]`). */
  readonly selector: string;
  readonly file: string;
  readonly line: number;
}

/** Returns `undefined` if the text is not CSS. */
async function parseCss(text: string): Promise<Root | undefined> {
  const { default: postcss } = await import("postcss");
  return orElse(() => postcss.parse(text), undefined);
}

/** The BEM classes and data attributes in the selectors, nested rules included. */
function ruleSelectors(root: Root, file: string, prefix: string): StyledSelector[] {
  const classes = new RegExp(`\\.${prefix.replace(/[^\w-]/g, "\\$&")}-[\\w-]+`, "g");
  const data =
    /\[\s*(data-[\w-]+)\s*(?:[~|^$*]?=\s*(?:"([^"]*)"|'([^']*)'|([^\]\s]*))\s*[is]?)?\s*\]/g;
  const selectors: StyledSelector[] = [];
  root.walkRules((rule) => {
    const line = rule.source?.start?.line ?? 1;
    // Comments and strings are not selectors.
    const text = rule.selector.replace(/\/\*[\s\S]*?\*\//g, "");
    for (const match of text.matchAll(data)) {
      const [, name, double, single, bare] = match;
      const value = double ?? single ?? bare;
      const selector = value === undefined ? `[${name}]` : `[${name}="${value}"]`;
      selectors.push({ selector, file, line });
    }
    for (const match of text.replace(/"[^"]*"|'[^']*'/g, '""').matchAll(classes)) {
      selectors.push({ selector: match[0], file, line });
    }
  });
  return selectors;
}

/** The targets of the imports, as written. */
function importsOf(root: Root): string[] {
  const targets: string[] = [];
  root.walkAtRules("import", ({ params }) => {
    const match = /^(?:url\(\s*)?(?:"([^"]+)"|'([^']+)'|([^\s")']+))/.exec(params);
    const target = match?.[1] ?? match?.[2] ?? match?.[3];
    if (target !== undefined) targets.push(target);
  });
  return targets;
}
