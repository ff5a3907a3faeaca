/** Reads the style sheets of a theme: its entry and all imports, packages included. */

import { countAndLimit, quotedName } from "../../../../src/plain_text.ts";
import { posix } from "node:path";
import type { Root } from "postcss";
import { orElse, RefraktError } from "../../../../src/errors.ts";
import { statIfExists } from "../../../../src/io/files.ts";
import { resolveInside, shownPath } from "../../../../src/io/paths.ts";
import { isPackageName } from "../../../../src/packages/names.ts";
import type { SiteContext } from "../upstream/site.ts";
import { siteTheme, themeFiles } from "./theme.ts";
import { entryOf, folderSource, packageSource, type StyleSource } from "./style_source.ts";

interface StyleSheet extends Parsed {
  readonly text: string;
}

export interface ThemeStyles {
  readonly source: string;
  /** The addresses in a preview of the sheets that import the others. */
  readonly entries: readonly string[];
  /** Each once, in cascade order. */
  readonly sheets: readonly StyleSheet[];
  readonly missing: readonly string[];
}

/** Used for sites without a theme. */
const DEFAULT_THEME = "@refrakt-md/lumina";

const MOST_SHEETS = 1000;
const MOST_CHARACTERS = 16_000_000;

export async function themeStyles(
  context: SiteContext,
  css: string | undefined,
  turn: () => Promise<void>,
): Promise<ThemeStyles> {
  const reader = createReader(context, turn);
  const source = css === undefined
    ? await readTheme(context, reader)
    : await readNamed(context, css, reader);
  const { entries, sheets, missing } = reader;
  return { source, entries, sheets, missing };
}

interface Parsed {
  /** As written. */
  readonly imports: readonly string[];
  readonly selectors: readonly StyledSelector[];
}

/** Returns `undefined` if the text is not CSS. */
async function parseSheet(
  { config: { prefix } }: SiteContext,
  file: string,
  text: string,
): Promise<Parsed | undefined> {
  const root = await parseCss(text);
  if (root === undefined) return undefined;
  return { imports: importsOf(root), selectors: selectorsOf(root, file, prefix) };
}

type Reader = ReturnType<typeof createReader>;

function createReader(context: SiteContext, turn: () => Promise<void>) {
  const entries: string[] = [];
  const sheets: StyleSheet[] = [];
  const missing: string[] = [];
  const seen = new Set<string>();
  let characters = 0;
  const read = async (source: StyleSource, path: string): Promise<boolean> => {
    const key = `${source.displayName}\0${path}`;
    if (seen.has(key)) return true;
    const text = await source.read(path);
    if (text === null) return false;
    seen.add(key);
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
    sheets.push({ ...sheet, text });
    return true;
  };
  const follow = async (source: StyleSource, from: string, target: string) => {
    const note = () => missing.push(`${shownFile(source, from)} imports ${target}`);
    if (/^(?:[a-z]+:)?\/\//i.test(target)) return note();
    const near = posix.join(posix.dirname(from), target);
    if (!near.startsWith("..") && await read(source, near)) return;
    const [, name, subpath = ""] = /^((?:@[^/]+\/)?[^/.][^/]*)(?:\/(.+))?$/.exec(target) ?? [];
    if (name === undefined || !isPackageName(name)) return note();
    const packageFiles = await packageSource(context, name);
    const entry = packageFiles === undefined ? undefined : await entryOf(packageFiles, subpath);
    if (packageFiles === undefined || entry === undefined || !await read(packageFiles, entry)) {
      note();
    }
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
  const entry = source === undefined ? undefined : await entryOf(source, "");
  if (source !== undefined && entry !== undefined && await reader.read(source, entry)) {
    return source.displayName;
  }
  // A theme without an entry may have a style sheet per rune.
  if (source !== undefined && await readFolder(source, "styles/runes", reader)) {
    return source.displayName;
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
  if (!info?.isDirectory) {
    throw new RefraktError("NOT_FOUND", `No such folder: ${quotedName(displayPath)}`, {
      hint: "Pass a style sheet or a folder that contains some.",
    });
  }
  if (await readFolder(folderSource(context, path), "", reader)) return displayPath;
  throw new RefraktError("NOT_FOUND", `No style sheets in ${quotedName(displayPath)}`, {
    hint: "Pass a style sheet or a folder that contains some.",
  });
}

async function readFolder(source: StyleSource, folder: string, reader: Reader): Promise<boolean> {
  const names = source.list(folder) ?? [];
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
export async function parseCss(text: string): Promise<Root | undefined> {
  const { default: postcss } = await import("postcss");
  return orElse(() => postcss.parse(text), undefined);
}

/** The BEM classes and data attributes in the selectors, nested rules included. */
export function selectorsOf(root: Root, file: string, prefix: string): StyledSelector[] {
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
      selectors.push({
        selector: value === undefined ? `[${name}]` : `[${name}="${value}"]`,
        file,
        line,
      });
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
