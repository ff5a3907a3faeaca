/** Tells which selectors that runes can emit the theme's CSS styles. */

import { quotedName } from "../../../../src/plain_text.ts";
import { RefraktError } from "../../../../src/errors.ts";
import { asObject, defined, unlessEmpty } from "../../../../src/io/json.ts";
import { type Turn, turnTaker } from "../../../../src/io/turns.ts";
import type { CallContext } from "../../../../src/plugin/context.ts";
import { findRune, type SiteContext, withWarnings } from "../upstream/site.ts";
import { isUniversal, variantsOf, withAttribute } from "./edit_example.ts";
import { contractOf, fixtureOf, hasExample, render, typeNameOf } from "./example_page.ts";
import type { Rune } from "../upstream/shapes.ts";
import { type ThemeStyles, themeStyles } from "../theme/theme_styles.ts";

interface AuditInput {
  readonly rune?: string | undefined;
  readonly css?: string | undefined;
  /** Lists only the unstyled selectors. */
  readonly only?: "unstyled" | undefined;
  /** Also lists the selectors of all runes, and those that every rune has. */
  readonly detail?: "full" | undefined;
}

interface Styled {
  readonly styled: boolean;
  /** The matching rules as `file:line,line`, in cascade order. */
  readonly rules?: readonly string[];
  readonly alsoIn?: readonly string[];
}

const RANK = { complete: 0, partial: 1, "not-started": 2 } as const;

export async function auditStyles(
  site: SiteContext,
  input: AuditInput,
  { signal, progress }: CallContext,
) {
  const selectedRune = input.rune === undefined ? undefined : findRune(site, input.rune);
  const turn = turnTaker(signal);
  const styles = await themeStyles(site, input.css, turn);
  const css = rulesOf(styles);
  const alsoIn = selectedRune &&
    await site.memo([site, "emitters"], () => emittersOf(site, turn));
  const runes = selectedRune === undefined ? Object.values(site.runes) : [selectedRune];
  const audits: [string, ReturnType<typeof auditOf>][] = [];
  const shared = new Set<string>();
  const listed = selectedRune !== undefined || input.detail === "full";
  for (const [index, rune] of runes.entries()) {
    progress({ progress: index, total: runes.length, message: rune.name });
    let selectors;
    try {
      selectors = await site.memo([site, rune, "selectors"], () => selectorsOf(site, rune, turn));
    } catch (error) {
      if (selectedRune !== undefined || signal.aborted) throw error;
    }
    if (selectedRune !== undefined && selectors === null) {
      const message = `Rune ${quotedName(rune.name)} has no engine config to audit`;
      throw new RefraktError("VALIDATION_ERROR", message, {
        hint: "It has no BEM block of its own. See refrakt_inspect for what it renders.",
      });
    }
    if (!selectors) continue;
    for (const selector of selectors.shared) shared.add(selector);
    const audit = auditOf(selectors.specific, css, input.only === "unstyled", listed);
    for (const [selector, styled] of Object.entries(audit.selectors ?? {})) {
      const others = alsoIn?.get(selector)?.filter((name) => name !== rune.name) ?? [];
      if (others.length > 0) audit.selectors![selector] = { ...styled, alsoIn: others };
    }
    audits.push([rune.name, audit]);
    await turn();
  }
  progress({ progress: runes.length, total: runes.length, message: "Done" });
  audits.sort(([a, x], [b, y]) => RANK[x.status] - RANK[y.status] || a.localeCompare(b));
  const sum = (of: "total" | "styled") => audits.reduce((all, [, audit]) => all + audit[of], 0);
  const [total, styled] = [sum("total"), sum("styled")];
  const { status: _, ...common } = auditOf(
    [...shared],
    css,
    input.only === "unstyled" && input.detail === "full",
    selectedRune !== undefined && input.detail === "full",
  );
  const incomplete = audits.filter(([, { status }]) => status !== "complete");
  return withWarnings(
    site,
    defined({
      css: styles.source,
      sheets: styles.sheets.length,
      missing: unlessEmpty(styles.missing),
      totalSelectors: total,
      styledSelectors: styled,
      coverage: total > 0 ? Math.round((styled / total) * 100) / 100 : 0,
      shared: common,
      runes: Object.fromEntries(input.only === "unstyled" ? incomplete : audits),
    }),
  );
}

function rulesOf({ sheets }: ThemeStyles): ReadonlyMap<string, readonly string[]> {
  const rules = new Map<string, Map<string, Set<number>>>();
  for (const { selector, file, line } of sheets.flatMap(({ selectors }) => selectors)) {
    rules.getOrInsertComputed(selector, () => new Map())
      .getOrInsertComputed(file, () => new Set()).add(line);
  }
  const places = (files: ReadonlyMap<string, ReadonlySet<number>>) =>
    [...files].map(([file, lines]) => `${file}:${[...lines].join(",")}`);
  return new Map([...rules].map(([selector, files]) => [selector, places(files)]));
}

function auditOf(
  possible: readonly string[],
  css: ReadonlyMap<string, readonly string[]>,
  unstyledAlone: boolean,
  listed: boolean,
) {
  const selectors: Record<string, Styled> = {};
  for (const selector of possible) {
    // `[data-open]` also matches an attribute without a value.
    const rules = css.get(selector) ?? css.get(selector.replace(/=""\]$/, "]"));
    selectors[selector] = rules === undefined ? { styled: false } : { styled: true, rules };
  }
  const unstyled = possible.filter((selector) => !selectors[selector]!.styled);
  const total = possible.length;
  const styled = total - unstyled.length;
  const started = styled === total ? "complete" : "partial";
  const status: keyof typeof RANK = styled === 0 ? "not-started" : started;
  return defined({
    total,
    styled,
    status,
    unstyled: unstyledAlone ? unstyled : undefined,
    selectors: listed && !unstyledAlone ? selectors : undefined,
  });
}

/** Renders the example with each value of each enumerated attribute; `null` without engine config. */
async function selectorsOf(context: SiteContext, rune: Rune, turn: Turn) {
  const { config } = context;
  const { extractSelectors } = context.upstream.transform;
  const example = fixtureOf(context, rune);
  const specific = new Set<string>();
  const universal = new Set<string>();
  let type: string | undefined;
  const collect = (source: string, into: Set<string>) => {
    const { serialized, tree } = render(context, config, source);
    type ??= typeNameOf(config, contractOf(context, config), rune, serialized);
    for (const selector of extractSelectors(tree, config.prefix)) into.add(selector);
  };
  // A stub shows nothing about attributes.
  const variants = hasExample(context, rune) ? Object.entries(variantsOf(rune.schema)) : [];
  collect(example, specific);
  for (const [name, values] of variants) {
    const into = isUniversal(context, name) ? universal : specific;
    for (const value of values) {
      collect(withAttribute(example, rune, name, value) ?? example, into);
      await turn();
    }
  }
  return type === undefined ? null : selectorsIn(context, type, specific, universal);
}

function selectorsIn(
  context: SiteContext,
  type: string,
  specific: Set<string>,
  universal: ReadonlySet<string>,
) {
  const { prefix, runes } = context.config;
  const { block, contextModifiers, staticModifiers } = runes[type]!;
  for (const suffix of [...Object.values(contextModifiers ?? {}), ...staticModifiers ?? []]) {
    specific.add(`.${prefix}-${block}--${suffix}`);
  }
  const { modifiers } = contractOf(context, context.config).runes[type] ?? {};
  const attributes = new Set(
    Object.values(asObject(modifiers)).map((modifier) => asObject(modifier)["dataAttribute"]),
  );
  const isSpecific = (selector: string) =>
    specific.has(selector) &&
    (selector.startsWith(".") || attributes.has(/^\[([\w-]+)/.exec(selector)?.[1] ?? ""));
  const all = [...new Set([...specific, ...universal])].sort((a, b) =>
    kindOf(a) - kindOf(b) || a.localeCompare(b)
  );
  // Every rune has the shared selectors, such as `[data-elevation="flat"]`.
  return {
    specific: all.filter(isSpecific),
    shared: all.filter((selector) => !isSpecific(selector)),
  };
}

/** The runes whose examples have a class, by class. */
async function emittersOf(context: SiteContext, turn: Turn) {
  const { config, upstream: { transform } } = context;
  const runesBySelector = new Map<string, string[]>();
  for (const rune of Object.values(context.runes)) {
    await turn();
    try {
      const { tree } = render(context, config, fixtureOf(context, rune));
      for (const selector of new Set(transform.extractSelectors(tree, config.prefix))) {
        if (!selector.startsWith(".")) continue;
        runesBySelector.getOrInsertComputed(selector, () => []).push(rune.name);
      }
    } catch {
      // `refrakt_inspect` reports the error.
    }
  }
  return runesBySelector;
}

/** Blocks, then modifiers, elements and data attributes. */
function kindOf(selector: string): number {
  if (selector.startsWith("[")) return 3;
  if (selector.includes("__")) return 2;
  return selector.includes("--") ? 1 : 0;
}
