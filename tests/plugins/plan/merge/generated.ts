/** Entities and random edits of them, reproducible by seed. */

/** An entity as data. */
export interface Model {
  readonly attributes: Record<string, string>;
  title: string;
  sections: { heading: string; lines: string[]; criteria: { text: string; isTicked: boolean }[] }[];
}

/** A pair of edits of one base. */
export interface Pair {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Generates pairs of edited entities. */
export function* pairs(count: number, seed: number): Generator<Pair> {
  const random = () => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed / 0x7fffffff;
  };
  const below = (limit: number) => Math.floor(random() * limit);
  let words = 0;
  const word = () => `w${words++} ${["alpha", "beta", "gamma"][below(3)]}`;
  const many = <Value>(most: number, make: () => Value) =>
    Array.from({ length: below(most) }, make);
  const criterion = () => ({ text: word(), isTicked: random() < 0.4 });
  const section = () => ({ heading: word(), lines: many(4, word), criteria: many(5, criterion) });
  const edits: readonly ((model: Model, one: Model["sections"][number]) => void)[] = [
    ({ attributes }) => attributes["status"] = ["done", "review", "blocked"][below(3)]!,
    ({ attributes }) => attributes["assignee"] = word(),
    ({ attributes }) => delete attributes["complexity"],
    (model) => model.title = word(),
    (_, { criteria }) => {
      const one = criteria[below(criteria.length)];
      if (one !== undefined) one.isTicked = !one.isTicked;
    },
    (_, { criteria }) => criteria.splice(below(criteria.length + 1), 0, criterion()),
    (_, { criteria }) => criteria.splice(below(criteria.length), 1),
    (_, { lines }) => lines.splice(below(lines.length + 1), 0, word()),
    (_, { lines }) => lines.splice(below(lines.length), 1, word()),
    ({ sections }) => sections.splice(below(sections.length + 1), 0, section()),
    ({ sections }) => sections.length > 1 && sections.splice(below(sections.length), 1),
  ];
  const edited = (base: Model) => {
    const model = structuredClone(base);
    for (let left = 1 + below(3); left > 0; left--) {
      edits[below(edits.length)]!(model, model.sections[below(model.sections.length)]!);
    }
    return textOf(model);
  };
  for (let made = 0; made < count; made++) {
    const base: Model = {
      attributes: { id: "WORK-1", status: "ready", priority: "high", complexity: "simple" },
      title: word(),
      sections: [section(), ...many(4, section)],
    };
    yield { base: textOf(base), ours: edited(base), theirs: edited(base) };
  }
}

function textOf({ attributes, title, sections }: Model): string {
  const tag = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`).join(" ");
  const body = sections.map(({ heading, lines, criteria }) =>
    [
      `## ${heading}`,
      ...lines,
      ...criteria.length === 0
        ? []
        : [criteria.map(({ text, isTicked }) => `- [${isTicked ? "x" : " "}] ${text}`).join("\n")],
    ].join("\n\n")
  );
  return `{% work ${tag} %}\n\n${[`# ${title}`, ...body].join("\n\n")}\n\n{% /work %}\n`;
}
