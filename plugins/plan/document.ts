/**
 * The one reader of plan files: a text becomes a {@linkcode Document} with places. Everything that
 * asks what a plan file says, or changes it, goes by this.
 *
 * It is built on Markdoc's own tokenizer, so fences, lists, quotations and tags mean what they mean
 * to Markdoc. HTML comments hide what they enclose, as with Markdoc's option `allowComments`;
 * a comment that its block does not close hides nothing, and leaves the entity `unclosed`.
 *
 * @example
 * ```ts
 * import { read } from "./document.ts";
 *
 * const { entity } = read('{% work id="WORK-1" %}\n\n# Title\n\n## Approach\n\n- [ ] One\n\n{% /work %}\n');
 * console.assert(entity?.sections.at(-1)?.name === "Approach");
 * console.assert(entity?.criteria[0]?.text === "One");
 * ```
 *
 * @module
 */

export * from "./document/model.ts";
export {
  contentOf,
  endsWithItem,
  hasOnlyCriteria,
  isItem,
  keyOf,
  sectionNamed,
  withoutCriteria,
} from "./document/lookup.ts";
export { namesIn, withoutTags } from "./document/plain.ts";
export { read } from "./document/read.ts";
