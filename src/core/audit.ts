/**
 * `refrakt.inspect_audit`: which of the selectors that a rune can have are styled.
 *
 * @module
 */

import { join } from "node:path";
import { z } from "zod";
import { RefraktError } from "../errors.ts";
import { statIfExists } from "../sandbox/files.ts";
import { resolveInside, shownPath } from "../sandbox/paths.ts";
import type { CallContext } from "../surface/context.ts";
import { defineTool, type Tool } from "../surface/tool.ts";
import { contractOf } from "./contracts.ts";
import { selectorsOf, type StyledSelector } from "./css.ts";
import { fixtureOf, hasExample, setVariant } from "./fixtures.ts";
import { render, typeNameOf } from "./render.ts";
import { findRune, type SiteContext, siteContext, withWarnings } from "./site_context.ts";
import { BASE_THEME, publishedTheme, siteTheme, themePath } from "./theme.ts";
import type { Rune } from "./upstream.ts";
import { variantsOf } from "./variants.ts";

/** What the audit takes. */
export interface AuditInput {
  /** One rune; all of them where it is left out. */
  readonly rune?: string | undefined;
  /** The site. */
  readonly site?: string | undefined;
  /** A folder of style sheets in the project, in the place of the theme's. */
  readonly css?: string | undefined;
  /** `full` lists the selectors also when all runes are audited. */
  readonly detail?: "full" | undefined;
}

/** The coverage of one rune. */
interface RuneAudit {
  total: number;
  styled: number;
  status: "complete" | "partial" | "not-started";
  selectors: Record<string, { styled: true; file: string; line: number } | { styled: false }>;
}

/** The selectors that a rune can have, and the BEM block that they belong to. */
interface RuneSelectors {
  block: string;
  selectors: string[];
}

/** Where the style sheets come from, which there are, and what each of them styles. */
interface Styles {
  source: string;
  files: readonly string[];
  of(file: string): readonly StyledSelector[];
}

/** How long the audit may keep the process to itself. */
const SLICE_MS = 20;

/**
 * Audits one rune or all of them.
 *
 * @throws {RefraktError} `NOT_FOUND` where there are no style sheets, `VALIDATION_ERROR` for a
 * rune without engine config, `TIMEOUT` when the call is cancelled.
 */
export async function audit(
  context: CallContext,
  input: AuditInput,
): Promise<Record<string, unknown>> {
  const site = await siteContext(context.project, input.site);
  const one = input.rune === undefined ? undefined : findRune(site, input.rune);
  const styles = await stylesOf(site, input.css);
  const turn = turnTaker(context.signal);
  const runes = one === undefined ? Object.values(site.runes) : [one];
  const every = one === undefined ? styles.files.flatMap(styles.of) : [];
  const results: [string, RuneAudit][] = [];
  for (const [index, rune] of runes.entries()) {
    if (one === undefined) {
      context.progress({ progress: index, total: runes.length, message: rune.name });
    }
    const possible = await possibleSelectors(site, rune, turn, one !== undefined);
    if (possible === undefined) continue;
    const css = one === undefined
      ? relevantTo(site, possible.block, every)
      : styles.of(`${possible.block}.css`);
    results.push([rune.name, compare(possible.selectors, css)]);
    await turn();
  }
  if (one === undefined) {
    context.progress({ progress: runes.length, total: runes.length, message: "Done" });
    results.sort(([a, x], [b, y]) => RANK[x.status] - RANK[y.status] || a.localeCompare(b));
  }
  const total = sum(results.map(([, result]) => result.total));
  const styled = sum(results.map(([, result]) => result.styled));
  const brief = one === undefined && input.detail !== "full";
  return withWarnings(site, {
    theme: BASE_THEME,
    css: styles.source,
    totalSelectors: total,
    styledSelectors: styled,
    coverage: total > 0 ? Math.round((styled / total) * 100) / 100 : 0,
    runes: Object.fromEntries(results.map(([name, { selectors, ...counts }]) => [
      name,
      brief ? counts : { ...counts, selectors },
    ])),
  });
}

const RANK = { complete: 0, partial: 1, "not-started": 2 } as const;

/** The selectors of a rune: of its example with each value of each enumerated attribute. */
async function possibleSelectors(
  context: SiteContext,
  rune: Rune,
  turn: () => Promise<void>,
  strict: boolean,
): Promise<RuneSelectors | undefined> {
  const key = `selectors:${rune.name}`;
  if (context.memo.has(key)) return context.memo.get(key) as RuneSelectors;
  const { config } = context;
  const { extractSelectors } = context.upstream.transform;
  const example = fixtureOf(context, rune);
  const found = new Set<string>();
  let type: string | undefined;
  const collect = (source: string) => {
    const { serialized, tree } = render(context, config, source);
    type ??= typeNameOf(config, contractOf(context, config), rune, serialized);
    for (const selector of extractSelectors(tree, config.prefix)) found.add(selector);
  };
  try {
    // A stub is no example: what it would look like with attributes says nothing.
    const variants = hasExample(context, rune) ? Object.entries(variantsOf(rune.schema)) : [];
    if (variants.length === 0) collect(example);
    for (const [name, values] of variants) {
      for (const value of values) {
        collect(setVariant(example, rune, name, value));
        await turn();
      }
    }
  } catch (error) {
    if (error instanceof RefraktError || strict) throw error;
    return undefined;
  }
  if (type === undefined) {
    if (!strict) return undefined;
    throw new RefraktError(
      "VALIDATION_ERROR",
      `Rune "${rune.name}" has no engine config to audit`,
      {
        hint: "It has no BEM block of its own. See refrakt.inspect for what it renders.",
      },
    );
  }
  const { block, contextModifiers, staticModifiers } = config.runes[type]!;
  for (const suffix of [...Object.values(contextModifiers ?? {}), ...staticModifiers ?? []]) {
    found.add(`.${config.prefix}-${block}--${suffix}`);
  }
  const result = { block, selectors: [...found].sort(bySelector) };
  context.memo.set(key, result);
  return result;
}

function compare(possible: readonly string[], css: readonly StyledSelector[]): RuneAudit {
  const first = new Map<string, StyledSelector>();
  for (const entry of css) if (!first.has(entry.selector)) first.set(entry.selector, entry);
  const selectors: RuneAudit["selectors"] = {};
  let styled = 0;
  for (const selector of possible) {
    const match = first.get(selector);
    if (match === undefined) selectors[selector] = { styled: false };
    else {
      selectors[selector] = { styled: true, file: match.file, line: match.line };
      styled++;
    }
  }
  const total = possible.length;
  const status = styled === 0 ? "not-started" : styled === total ? "complete" : "partial";
  return { total, styled, status, selectors };
}

/** Among all style sheets, a rune is styled by rules for its block and for data attributes. */
function relevantTo(
  context: SiteContext,
  block: string,
  css: readonly StyledSelector[],
): StyledSelector[] {
  const start = `.${context.config.prefix}-${block}`;
  return css.filter(({ selector }) => selector.startsWith(start) || selector.startsWith("[data-"));
}

async function stylesOf(context: SiteContext, css: string | undefined): Promise<Styles> {
  const { project } = context;
  if (css !== undefined) {
    const dir = resolveInside(project.cwd, css, "The CSS folder");
    if (!statIfExists(dir)?.isDirectory) {
      throw new RefraktError("NOT_FOUND", `No such folder: "${shownPath(project.cwd, dir)}"`, {
        hint: "Give the folder that holds one style sheet for each rune.",
      });
    }
    return readStyles(context, dir);
  }
  const theme = siteTheme(context) ?? "@refrakt-md/lumina";
  const dir = themePath(context, theme, "styles/runes");
  if (dir !== undefined) return readStyles(context, dir);
  const published = await publishedStyles(context, theme);
  if (published !== undefined) return published;
  throw new RefraktError("NOT_FOUND", `Theme "${theme}" has no styles/runes in this project`, {
    hint: `Install it (npm install --save-dev ${theme}), or give css: a folder of style sheets.`,
  });
}

/** The style sheets of a folder. Each is read when it is asked for, and again when it has changed. */
function readStyles(context: SiteContext, dir: string): Styles {
  const { project, config } = context;
  const files = [...Deno.readDirSync(dir)].map((entry) => entry.name)
    .filter((name) => name.endsWith(".css")).sort();
  const read = (name: string): readonly StyledSelector[] => {
    const path = resolveInside(project.cwd, join(dir, name), "The style sheet");
    const info = statIfExists(path);
    if (!info?.isFile) return [];
    const key = `css:${path}`;
    const stamp = `${info.mtime?.getTime()}:${info.size}`;
    const known = context.memo.get(key) as { stamp: string; found: StyledSelector[] } | undefined;
    if (known?.stamp === stamp) return known.found;
    const found = selectorsOf(Deno.readTextFileSync(path), name, config.prefix);
    context.memo.set(key, { stamp, found });
    return found;
  };
  return { source: shownPath(project.cwd, dir), files, of: read };
}

/** The style sheets of a theme that is not installed, from the registry's copy. */
async function publishedStyles(context: SiteContext, theme: string): Promise<Styles | undefined> {
  const source = await publishedTheme(context, theme);
  if (source === undefined) return undefined;
  const key = `styles:${source}`;
  if (context.memo.has(key)) return context.memo.get(key) as Styles;
  try {
    const index = await textOf(source);
    const paths = [...index.matchAll(/@import\s+(?:url\()?["']\.\/(styles\/runes\/[\w.-]+\.css)/g)]
      .map((match) => match[1]!).sort();
    const found = new Map<string, readonly StyledSelector[]>();
    await Promise.all(paths.map(async (path) => {
      const name = path.split("/").at(-1)!;
      found.set(name, selectorsOf(await textOf(`${source}/${path}`), name, context.config.prefix));
    }));
    const styles: Styles = {
      source: `${source}/styles/runes`,
      files: [...found.keys()].sort(),
      of: (file) => found.get(file) ?? [],
    };
    context.memo.set(key, styles);
    return styles;
  } catch {
    return undefined;
  }
}

async function textOf(specifier: string): Promise<string> {
  const module = await import(specifier, { with: { type: "text" } });
  return module.default as string;
}

/** Gives way to other calls now and then, and stops when the call is cancelled. */
function turnTaker(signal: AbortSignal): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since >= SLICE_MS) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      since = performance.now();
    }
    if (signal.aborted) {
      throw new RefraktError("TIMEOUT", "The audit was cancelled", {
        hint: "Audit one rune at a time: give rune.",
      });
    }
  };
}

function bySelector(a: string, b: string): number {
  return kindOf(a) - kindOf(b) || a.localeCompare(b);
}

/** Blocks come first, then modifiers, elements and data attributes. */
function kindOf(selector: string): number {
  if (selector.startsWith("[")) return 3;
  if (selector.includes("__")) return 2;
  return selector.includes("--") ? 1 : 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** The tool of this file. */
export const auditTool: Tool = defineTool({
  name: "refrakt.inspect_audit",
  title: "Audit CSS coverage",
  description:
    "Which selectors of a rune the theme's CSS styles, and which not yet; all runes where none is " +
    "named (counts only, unless detail is full).",
  input: z.strictObject({
    rune: z.string().min(1).optional(),
    site: z.string().optional().describe("Needed where the project has several sites"),
    css: z.string().min(1).optional().describe(
      "A folder of style sheets in the project, in the place of the installed theme's styles/runes",
    ),
    detail: z.literal("full").optional().describe("List every selector of every rune"),
  }),
  annotations: { readOnlyHint: true, idempotentHint: true },
  needs: ["site"],
  run: (input, context) => audit(context, input),
});
