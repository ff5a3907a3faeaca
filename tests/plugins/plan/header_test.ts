import assert from "node:assert/strict";
import { usualHeader } from "../../../plugins/plan/header.ts";
import { loadedPlan } from "../../support/plan.ts";
import { SMALL_PLAN } from "../../support/project.ts";

const TITLES = [
  "Plain words",
  "With `code` and `more code`",
  "`code` alone",
  "` spaced `",
  "Not *this* one",
  "Nor _this_",
  "A [link](x)",
  "a < b & c > d",
  "AT&T &amp; others",
  "Costs $5 → {placement} (100 %)",
  "C# and F#",
  "Closed #",
  "Closed ##  ",
  "An {% annotation %}",
  "Escaped \\* star",
  "<https://example.com>",
  "~~gone~~ ~ here",
  "Umlauts äöü 日本語 😀",
  "\"Quotes\" and 'others'",
  "Trailing   ",
  "`a``b`",
  "`{% x %}`",
  "Snake_case_words",
  "!important ![x](y)",
  "a\tb",
  "|a|b|",
  "http://example.com/x:y",
  "a\0b",
];
const TAGS = [
  '{% work id="WORK-001" status="ready" %}',
  '{% work id="WORK-001" tags="" %}',
  '{% work id="WORK-001" id="WORK-002" %}',
  '{% work id="WORK-001" count=3 flag=true %}',
  "{% work #WORK-001 .big %}",
  '{% work  id="WORK-001" %}',
  '{% work id="WORK-001"%}',
  '{%work id="WORK-001" %}',
  '{% work id="a\\"b" %}',
  '{% work id="a %} b" %}',
  '{% work id="WORK-001" class="a" %}',
  '{% work id="WORK-001" title="a $b {c}" %}',
  "{% work id='WORK-001' %}",
  '{% work\n  id="WORK-001"\n  status="ready" %}',
  '{% work id="WORK-001" /%}',
  '{% workshop id="WORK-001" %}',
  '  {% work id="WORK-001" %}',
  '\uFEFF{% work id="WORK-001" %}',
  '{% work released-in="v1" __proto__="x" constructor="y" %}',
  '{% work id="WORK-001" %} text',
];

Deno.test("a header that is read without the parser is what the parser reads", async () => {
  const { parser } = await loadedPlan();
  let read = 0;
  const check = (source: string) => {
    const header = usualHeader(source);
    if (header === undefined) return;
    read++;
    const parsed = parser.parse(source, "x.md");
    assert.ok(parsed !== null, source);
    const { type, attributes, title } = parsed;
    assert.deepEqual({ ...header }, { type, attributes: { ...attributes }, title }, source);
  };
  for (const source of Object.values(SMALL_PLAN)) check(source);
  for (const tag of TAGS) {
    for (const title of TITLES) {
      for (const between of ["\n", "\n\n", "\n\n\n", "\ntext\n\n"]) {
        check(`${tag}${between}# ${title}\n\nText.\n\n# Second\n\n{% /work %}\n`);
      }
    }
  }
  check("{% work %}\n# Unclosed\n");
  check('{% work id="WORK-001" %}\n\n# In a fence\n```\n{% /work %}\n');
  assert.ok(read > 60, `${read} headers were read without the parser`);
});
