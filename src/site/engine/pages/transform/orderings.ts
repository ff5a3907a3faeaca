/**
 * Spares pages the orderings of fields: as of 0.29, the packages compute them three times a page from
 * every attribute of every tag, also for pages without a rune that sorts.
 */

import { asObject } from "../../../../io/json.ts";
import { visitElements } from "../../upstream/elements.ts";

/** The runes that sort entities. For each, the packages compute the orderings of every page. */
const SORTING: ReadonlySet<unknown> = new Set(["collection", "relationships", "aggregate"]);

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
  if (typeof core !== "object" || core === null || sorts(tree)) return again();
  let tagReads = 0;
  let isEnough = true;
  const bare = new Proxy(settings, {
    get(target, name) {
      if (name === "tags") tagReads++;
      isEnough &&= READ_FOR_ORDERINGS.includes(String(name)) && tagReads <= SORTING.size;
      return name === "tags" ? {} : Reflect.get(target, name);
    },
  });
  const given = new Proxy(core, {
    get: (target, name) => name === "embedConfig" ? bare : Reflect.get(target, name),
  });
  const value = pass({ ...results, __core__: given });
  return isEnough ? value : again();
}

function sorts(tree: unknown): boolean {
  let isSorting = false;
  visitElements(tree, ({ attributes }) => {
    isSorting ||= SORTING.has(attributes["data-rune"]);
    return !isSorting;
  });
  return isSorting;
}
