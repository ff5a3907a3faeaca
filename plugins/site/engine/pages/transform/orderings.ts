/**
 * Spares pages the orderings of fields: as of 0.29, the packages compute them three times a page from
 * every attribute of every tag, also for pages without a rune that sorts.
 */

import { asObject } from "../../../../../src/io/json.ts";
import { visitElements } from "../../upstream/elements.ts";

/** For each kind of rune that sorts entities, the packages compute the orderings of every page. */
const SORTING = 3;

/** What stands for runes that sort or embed entities, which takes the tags. */
const WITH_TAGS: ReadonlySet<unknown> = new Set(
  ["collection", "relationships", "aggregate", "expand-pending"],
);

/** What every page reads of the settings; a page that reads more needs them all. */
const READ_FOR_ORDERINGS = ["tags", "orderings", "projectRoot", "projectFiles"];

/**
 * Runs the core's last pass with the results of the passes but without tags, and again with them if
 * the pass reads more than it needs for orderings that nothing uses.
 *
 * @param tree What the pass receives.
 */
export function withoutOrderings<Value>(
  results: Readonly<Record<string, unknown>>,
  tree: unknown,
  pass: (results: unknown) => Value,
  again: () => Value,
): Value {
  const core = results["__core__"];
  const settings = asObject(asObject(core)["embedConfig"]);
  if (typeof core !== "object" || core === null || needsTags(tree)) return again();
  let tagReads = 0;
  let isEnough = true;
  const bare = new Proxy(settings, {
    get(target, name) {
      if (name === "tags") tagReads++;
      isEnough &&= READ_FOR_ORDERINGS.includes(String(name)) && tagReads <= SORTING;
      return name === "tags" ? {} : Reflect.get(target, name);
    },
  });
  const guardedCore = new Proxy(core, {
    get: (target, name) => name === "embedConfig" ? bare : Reflect.get(target, name),
  });
  const value = pass({ ...results, __core__: guardedCore });
  return isEnough ? value : again();
}

function needsTags(tree: unknown): boolean {
  let needs = false;
  visitElements(tree, ({ attributes }) => {
    needs ||= WITH_TAGS.has(attributes["data-rune"]) || "data-xref-preview" in attributes;
    return !needs;
  });
  return needs;
}
