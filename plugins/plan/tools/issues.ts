/**
 * Problems of a plan by kind: equal ones are one line with a count and some ids.
 *
 * @module
 */

/** A problem as the plugin reports it. */
export interface Issue {
  /** Its kind, as `broken-ref`. */
  readonly type: string;
  /** `error`, `warning` or `info`; warnings of the status have none. */
  readonly severity?: string;
  /** The entity that has it. */
  readonly source: string;
  /** What it leads to. */
  readonly target?: string;
  /** The plugin's sentence. */
  readonly message: string;
  /** The entity's file, relative to the plan. */
  readonly file?: string;
}

/** All problems of one kind. */
export interface IssueGroup {
  /** The kind. */
  type: string;
  /** `error`, `warning` or `info`. */
  severity?: string;
  /** How many there are. */
  count: number;
  /** The sentence of one, with what differs between them left open. */
  message: string;
  /** The entities that have them, each once. */
  ids: string[];
}

/** So many different sentences of one kind are all said. */
const SENTENCES = 3;

/** Groups problems by kind and severity, in the order in which they come up. */
export function groupIssues(issues: readonly Issue[]): IssueGroup[] {
  const kinds = Map.groupBy(issues, ({ type, severity }) => `${severity ?? ""}:${type}`);
  return [...kinds.values()].map((alike): IssueGroup => {
    const { type, severity } = alike[0]!;
    return {
      type,
      ...(severity === undefined ? {} : { severity }),
      count: alike.length,
      message: sentenceOf(alike),
      ids: [...new Set(alike.map(({ source }) => source))],
    };
  });
}

/** One sentence for problems of one kind: what differs between them stays open. */
function sentenceOf(issues: readonly Issue[]): string {
  if (issues.length === 1) return issues[0]!.message;
  const sentences = Map.groupBy(issues, openSentence);
  if (sentences.size === 1) return [...sentences.keys()][0]!;
  if (sentences.size > SENTENCES) return `For example: ${issues[0]!.message}`;
  return [...sentences].map(([sentence, alike]) => `${sentence} (${alike.length})`).join("; ");
}

function openSentence({ message, source, target }: Issue): string {
  const sentence = target === undefined ? message : message.replaceAll(target, "{target}");
  return sentence.replaceAll(source, "{id}");
}

/** Groups with a few ids each, for an answer. */
export function issueGroups(groups: readonly IssueGroup[], most: number): IssueGroup[] {
  return groups.map((group) => ({ ...group, ids: group.ids.slice(0, most) }));
}
