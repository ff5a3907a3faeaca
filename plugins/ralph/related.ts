/**
 * Other specs that a goal touches, by the words that both use.
 *
 * @module
 */

import { look } from "./view.ts";
import { listSpecs, type Spec } from "./specs.ts";

/** A spec that has something in common with another. */
export interface Related {
  /** Its name. */
  readonly name: string;
  /** Its goal, cut short. */
  readonly goal: string;
  /** How many words they share. */
  readonly score: number;
  /** What that means. */
  readonly relevance: "High" | "Medium" | "Low";
}

/** How many specs are looked at, and how many are shown. */
const LOOKED_AT = 100;
const SHOWN = 5;

const COMMON = new Set(
  ("about after all also and another any are because been before between but can could does each " +
    "existing feature for from has have her his how implement into its like make more most must " +
    "need new not now only other our out over own same should some spec such than that the their " +
    "them then there these they this those through under until use used user users using very was " +
    "were what when where which while who will with without would you your add create build fix " +
    "update support").split(" "),
);

/** The specs that share words with this one, the closest first. */
export function relatedSpecs(spec: Spec, goal: string): Related[] {
  const words = wordsOf(`${spec.name} ${goal}`);
  return listSpecs(spec.cwd)
    .filter((other) => other.name !== spec.name)
    .slice(0, LOOKED_AT)
    .map((other): Related => {
      const theirs = look(other, true).goal;
      const score = [...wordsOf(`${other.name} ${theirs}`)].filter((word) => words.has(word))
        .length;
      return {
        name: other.name,
        goal: theirs.replace(/\s+/g, " ").slice(0, 160),
        score,
        relevance: score >= 5 ? "High" : score >= 3 ? "Medium" : "Low",
      };
    })
    .filter((related) => related.score > 0)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, SHOWN);
}

function wordsOf(text: string): Set<string> {
  const words = text.slice(0, 4096).toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)));
}
