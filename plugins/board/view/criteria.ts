/** Acceptance criteria in the text of their section: blocks of lines that begin with a checkbox. */

const BOX = /^[-*+] \[[ xX]\] ?/;

export interface CriteriaText {
  /** The text before the first criterion. */
  readonly head: string;
  /** The lines of each criterion, with its checkbox. */
  readonly blocks: readonly string[];
}

/** Splits a section. Nested lists and further lines belong to the criterion above them. */
export function splitCriteria(text: string): CriteriaText {
  const lines = text.split("\n");
  const starts = lines.flatMap((line, at) => BOX.test(line) ? [at] : []);
  const blocks = starts.map((start, at) => lines.slice(start, starts[at + 1]).join("\n").trimEnd());
  return { head: lines.slice(0, starts[0] ?? lines.length).join("\n").trim(), blocks };
}

/** The section with other criteria. */
export function joinCriteria({ head, blocks }: CriteriaText): string {
  return [head, blocks.join("\n")].filter((part) => part !== "").join("\n\n");
}

/** A criterion with another text in one line, and the same checkbox. */
export function withText(block: string, text: string): string {
  const [box = "- [ ] "] = BOX.exec(block) ?? [];
  return `${box.trimEnd()} ${text.replaceAll(/\s+/g, " ").trim()}`;
}

/** The text of a criterion without its checkbox. */
export function textOfBlock(block: string): string {
  return block.replace(BOX, "").replaceAll(/\s+/g, " ").trim();
}
