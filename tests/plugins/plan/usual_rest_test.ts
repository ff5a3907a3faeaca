import assert from "node:assert/strict";
import { join } from "node:path";
import { usualHeader } from "../../../plugins/plan/header.ts";
import type { PlanParser } from "../../../plugins/plan/parser.ts";
import { detached, restOf } from "../../../plugins/plan/store/stored_entity.ts";
import { usualRest } from "../../../plugins/plan/usual_rest.ts";
import { tooHardToParse } from "../../../src/io/markup_limits.ts";
import type { EntityType } from "../../../src/project/entities.ts";
import { loadedPlan } from "../../support/plan.ts";
import { realPlan } from "../../support/real_plan.ts";

const REF = '{% ref "WORK-001" /%}';

/** Lines whose order decides what is code, a table, a link, a heading or a reference. */
const LINES = [
  "## Dependencies",
  "## blocked by",
  "## **Approach**",
  "##  Context  ",
  "## Resolution",
  "## `References`",
  "##",
  "### Dependencies",
  "# Other",
  " ## Approach",
  "- ## Approach",
  `## Section ${REF}`,
  "## Section `{% x %}`",
  "##Approach",
  "- " + REF,
  `- [ ] a ${REF} b`,
  REF,
  `${REF} {% xref "SPEC-002" /%}`,
  `    ${REF}`,
  `\t> ${REF}`,
  `14) ${REF}`,
  "`" + REF + "`",
  "`a",
  "b`",
  "`x` " + REF + " `y`",
  "a `{% b",
  "c %}` d",
  "``",
  `\\${REF}`,
  "```",
  "```js",
  "~~~",
  " ```",
  "  ```js",
  "  ```",
  "    ```",
  "  code",
  "    ~~~",
  "````",
  "```js {% process=false %}",
  "---",
  "| a | b |",
  "|---|---|",
  `| ${REF} | b | c |`,
  "| `a | b` | `{% x %}` |",
  "-",
  `[a](b) ${REF}`,
  "[a](`) {% x %} `b`",
  `[x]: ${REF}`,
  `![${REF}](y)`,
  `[a](b "${REF}")`,
  `<!-- ${REF} -->`,
  "Completed: 2026-01-01",
  "Branch: `x`",
  "PR: org/x#1",
  "plain words",
  "&amp; &#96;",
  "- [x] done",
  "      deep",
  '{% work id="W" %}',
  "{% /work %}",
  "{% hint %}",
  '{% ref "A" label="b" /%}',
  "{%",
  "%}",
  "> q",
  "+ b",
  `*${REF}*`,
  " ",
  "\u00a0",
  "```\u00a0",
  "`" + REF,
];

/** Numbers from 0 to 1 that are the same in every run. */
function numbers(seed: number): () => number {
  return () => {
    seed = (seed + 0x6D2B79F5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Whether a text is read without the parser; then it must be what the parser reads. */
function isReadAlike(parser: PlanParser, source: string): boolean {
  const header = usualHeader(source);
  if (header === undefined || tooHardToParse(source) !== undefined) return false;
  const sectionOf = (type: EntityType, line: string) =>
    parser.parse(`{% ${type} id="X" %}\n\n# T\n\n${line}\n\n{% /${type} %}\n`, "x.md")!
      .knownSectionsPresent[0];
  const usual = usualRest(source, header.type, sectionOf);
  if (usual === undefined) return false;
  const { criteria: _criteria, ...rest } = restOf(parser.parse(source, "x.md")!);
  assert.deepEqual(detached(usual), detached(rest), source);
  return true;
}

Deno.test("what is read of an entity without the parser is what the parser reads", async () => {
  const { parser } = await loadedPlan();
  const random = numbers(11);
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!;
  let read = 0;
  for (let round = 0; round < 3000; round++) {
    const few = Array.from({ length: 6 }, () => pick(LINES));
    const body = Array.from(
      { length: 1 + Math.floor(random() * 9) },
      () => pick(few) + pick(["\n", "\n", "\n\n", "\n \n"]),
    ).join("");
    const type = pick(["work", "bug", "decision", "spec"]);
    const source = `{% ${type} id="X-1" %}\n\n# T\n${body}\n{% /${type} %}\n`;
    if (isReadAlike(parser, source)) read++;
  }
  assert.ok(read > 600, `${read} were read without the parser`);
});

Deno.test("most entities of a real plan are read without the parser", async () => {
  const { parser } = await loadedPlan();
  let [all, read] = [0, 0];
  const folder = join(realPlan(), "plan");
  for (const { name } of Deno.readDirSync(join(folder, "work"))) {
    all++;
    if (isReadAlike(parser, Deno.readTextFileSync(join(folder, "work", name)))) read++;
  }
  assert.ok(all > 10 && read > all * 0.8, `${read} of ${all} were read without the parser`);
});

Deno.test("long lines of what opens code, links and fences take no time", async () => {
  const { parser } = await loadedPlan();
  for (const odd of ["`", "~", "](", "[", "|", ":-", "> ", "{% ref ", " ", "#"]) {
    const line = odd.repeat(100_000);
    const source = `{% work id="X-1" %}\n\n# T\n\n${REF}\n${line}\n\n${line}\n\n{% /work %}\n`;
    usualRest(source, "work", () => undefined);
  }
  assert.equal(
    parser.rest(`{% work id="X-1" %}\n\n# T\n\n${REF}\n\n{% /work %}\n`, "a.md")?.refs[0],
    "WORK-001",
  );
});
