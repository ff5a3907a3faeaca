/** Limits what a page takes from the passes over all pages: each rune may show all entities. */

import { asObject, fieldOf, isObject } from "../../../../../src/io/json.ts";
import { countAndLimit } from "../../../../../src/plain_text.ts";
import { RefraktError } from "../../../../../src/errors.ts";
import { visitElements } from "../../upstream/elements.ts";

/** Steps: comparing an entity takes one; showing one, these, for so many template characters. */
const [MOST_STEPS, SHOW_STEPS, TEMPLATE_CHARACTERS] = [1_000_000, 30, 100];

/** The steps of `expand` for each Markdoc node of an entity. */
const NODE_STEPS = 50;

interface Entity {
  readonly id: string;
  embed?(): unknown;
}

interface EntityRegistry {
  getTypes(): readonly string[];
  getAll(type: string): readonly Entity[];
}

type Results = Readonly<Record<string, unknown>>;

/**
 * Passes the results of the passes over all pages to work on a tree.
 *
 * @param results The ids of their entities become properties that count: what shows one reads its id.
 */
export function countedResults(results: Results) {
  const core = results["__core__"];
  const registry = fieldOf(core, "registry");
  if (!isObject(core) || !isRegistry(registry)) {
    return { during: <Value>(_tree: unknown, work: (results: Results) => Value) => work(results) };
  }
  // Not a number while nothing is counted.
  let [steps, showSteps] = [NaN, SHOW_STEPS];
  const take = (more: number) => {
    steps += more;
    if (!(steps > MOST_STEPS)) return;
    const counted = countAndLimit(steps, "steps or more through the site's entities", MOST_STEPS);
    throw new RefraktError("VALIDATION_ERROR", `The page's runes take ${counted}`);
  };
  for (const entity of registry.getTypes().flatMap((type) => registry.getAll(type))) {
    const { id, embed } = entity;
    const get = () => (take(showSteps), id);
    Reflect.defineProperty(entity, "id", { get, enumerable: true, configurable: true });
    if (typeof embed !== "function") continue;
    entity.embed = () => {
      const tree = embed.call(entity);
      take(NODE_STEPS * nodesIn(tree));
      return tree;
    };
  }
  const countFrom = <Value>(start: number, work: () => Value): Value => {
    const before = steps;
    steps = start;
    try {
      const value = work();
      // Hooks may catch the error.
      take(0);
      return value;
    } finally {
      steps = before;
    }
  };
  const watched = new Proxy(registry, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        const value: unknown = countFrom(NaN, () => member.apply(target, args));
        if (Array.isArray(value)) take(value.length);
        return value;
      };
    },
  });
  const counted = {
    ...results,
    __core__: new Proxy(core, {
      get: (target, name) => name === "registry" ? watched : Reflect.get(target, name),
    }),
  };
  return {
    during<Value>(tree: unknown, work: (results: Results) => Value): Value {
      showSteps = SHOW_STEPS * Math.ceil((1 + longestTemplate(tree)) / TEMPLATE_CHARACTERS);
      return countFrom(0, () => work(counted));
    },
  };
}

function isRegistry(value: unknown): value is EntityRegistry {
  return isObject(value) && typeof value["getAll"] === "function";
}

function nodesIn(tree: unknown): number {
  return isObject(tree) && typeof tree["walk"] === "function"
    ? Iterator.from<unknown>(tree["walk"]()).toArray().length
    : 1;
}

/** Returns the length of the longest text that a rune repeats for each entity. */
function longestTemplate(tree: unknown): number {
  let longest = 0;
  visitElements(tree, ({ attributes: { "data-field": field, content } }) => {
    if (String(field).endsWith("-body")) longest = Math.max(longest, String(content).length);
  });
  return longest;
}

/** For each kind of rune that sorts entities, the packages compute the orderings of every page. */
const SORTING = 3;

/** The names of runes that sort or embed entities, for which the pass needs the tags. */
const WITH_TAGS: ReadonlySet<unknown> = new Set(
  ["collection", "relationships", "aggregate", "expand-pending"],
);

/** The settings that every page reads; a page that reads others needs all of them. */
const READ_FOR_ORDERINGS = ["tags", "orderings", "projectRoot", "projectFiles"];

/**
 * Spares pages the orderings of fields: as of 0.29, the packages compute them three times a page from
 * every attribute of every tag, also for pages without a rune that sorts.
 *
 * Runs the core's last pass with the results of the passes but without tags, and again with them if
 * the pass reads more than it needs for orderings that nothing uses.
 *
 * @param tree The tree of the page, as the pass receives it.
 */
export function withoutOrderings<Value>(
  results: Readonly<Record<string, unknown>>,
  tree: unknown,
  pass: (results: unknown) => Value,
): Value {
  const core = results["__core__"];
  const settings = asObject(asObject(core)["embedConfig"]);
  if (typeof core !== "object" || core === null || needsTags(tree)) return pass(results);
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
  return isEnough ? value : pass(results);
}

function needsTags(tree: unknown): boolean {
  let needs = false;
  visitElements(tree, ({ attributes }) => {
    needs ||= WITH_TAGS.has(attributes["data-rune"]) || "data-xref-preview" in attributes;
    return !needs;
  });
  return needs;
}
