import assert from "node:assert/strict";
import { contentOf, read, sectionNamed } from "../../../plugins/plan/entity/document.ts";

/** An entity with this body. */
const work = (body: string) =>
  `{% work id="WORK-001" status="ready" %}\n\n# Title\n\n${body}\n\n{% /work %}\n`;

const namesIn = (body: string) =>
  read(work(body)).entity!.sections.slice(1).map(({ name }) => name);

Deno.test("read() finds headings like Markdoc, but not in code, comments, lists, quotations or tags", () => {
  const bodies = [
    "```\n## No\n```",
    "~~~~\n~~~\n## No\n~~~~",
    "- item\n\n  ```\n  ## No\n  ```",
    "<!--\n## No\n-->",
    "Text <!-- goes\non --> here",
    "> ## No",
    "- ## No",
    "    ## No",
    "No\n==",
    "No\n--",
    "{% hint %}\n## No\n{% /hint %}",
    "{% if $a %}\n\n## No\n\n{% else /%}\n\n## No\n\n{% /if %}",
  ];
  for (const body of bodies) assert.deepEqual(namesIn(body), [], body);
  assert.deepEqual(
    namesIn("## A ##\n   ## B\n##\tC {% #id %}\n## `{% d %}` *e*\n##\n# F\n### No\n## A"),
    ["A", "B", "C", "`{% d %}` *e*", "(untitled)", "F", "A (2)"],
  );
});

Deno.test("read() returns correct offsets with CRLF, CR, a byte order mark and tabs", () => {
  for (const [before, lineEnd] of [["", "\n"], ["\uFEFF", "\r\n"], ["", "\r"]] as const) {
    const source = before +
      `{% work\n  id="W-1"\n  n=1 list=["a b"] %}\n\n# The *title* {% #id %}\n\n##\tPart\n\n\t- [x] Box\n  more\n{% /work %}\nAfter\n`
        .replaceAll("\n", () => lineEnd);
    const document = read(source);
    const { text } = document;
    const { tag, title, sections, criteria, body, end } = document.entity!;
    const at = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
    assert.deepEqual(tag.attributes.map(at), ['id="W-1"', "n=1", 'list=["a b"]']);
    assert.deepEqual(tag.attributes.map(({ valueSpan }) => at(valueSpan))[0], '"W-1"');
    assert.equal(at(title!.words!), "The *title*");
    assert.equal(title!.text, "The title");
    assert.deepEqual(sections.map(({ name }) => name), ["description", "Part"]);
    assert.equal(contentOf(document, sections[1]!.content), "\t- [x] Box\n  more");
    assert.equal(at(criteria[0]!.box), "x");
    assert.equal(criteria[0]!.section, 1);
    assert.ok(at(body).startsWith("\n") && text.slice(body.end).startsWith("{% /work %}"));
    assert.equal(text.slice(end), "After\n");
  }
});

Deno.test("read() reports what leaves an entity open, with its line", () => {
  for (
    const [body, kind, line] of [
      ["```\ntext", "fence", 5],
      ["a\n\n~~~md\n```\n", "fence", 7],
      ["<!-- text", "comment", 5],
      ["a\nb <!-- c", "comment", 6],
      ["a <!-- b\n\n## A heading\n\n--> c", "comment", 5],
      ["{% hint %}\ntext", "tag", 5],
      ["a\nsee {% sandbox %} there", "tag", 6],
      ["{% ref a\n\n", "tag", 5],
      ["- {% hint %}\n\n{% /hint %}", "tag", 5],
    ] as const
  ) {
    const { unclosed, sections } = read(work(body)).entity!;
    assert.deepEqual([unclosed?.kind, unclosed?.line], [kind, line], body);
    assert.ok(sections.every(({ locked }) => locked === unclosed!.message));
  }
  assert.equal(read('{% work id="W" %}\n\n# T\n').entity!.unclosed?.kind, "entity");
  for (const body of ["`<!--`", "`{% hint %}`", "{% /hint %}", "- ```\n  code", "\\{% hint %}"]) {
    assert.equal(read(work(body)).entity!.unclosed, undefined, body);
  }
});

Deno.test("read() returns the first top-level entity and lists the others", () => {
  const { entity, further } = read(
    `---\na: 1\n---\n${work("{% bug id='' /%}")}\n{% milestone name="v1" %}\n{% /milestone %}\n`,
  );
  assert.equal(entity?.id, "WORK-001");
  assert.deepEqual(further.map(({ type, id }) => [type, id]), [["milestone", "v1"]]);
  for (const text of ["# No entity\n", "```\n{% work %}\n```\n", `{% hint %}\n${work("")}`]) {
    assert.equal(read(text).entity, undefined, text);
  }
  assert.equal(read('{% spec id="S" /%}\n').entity?.tag.isSelfClosing, true);
});

Deno.test("read() finds merge markers, except in code", () => {
  const markers = "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n";
  assert.deepEqual(read(work(markers)).conflict, { first: 5, last: 9 });
  assert.equal(read(work(`\`\`\`\n${markers}\`\`\``)).conflict, undefined);
});

Deno.test("read() finds a resolution however its heading is written, on level 2 only", () => {
  const { sections, resolution } = read(work("## A\n\n## Resolution\n\nDone.")).entity!;
  assert.equal(resolution, sections.at(-1));
  for (
    const heading of [
      "  ## resolution ##",
      "## **Resolution** {% #r %}",
      "## RESOLUTION <!-- ! -->",
    ]
  ) {
    assert.ok(read(work(`${heading}\n\nDone.`)).entity!.resolution, heading);
  }
  assert.equal(read(work("### Resolution\n\nDone.")).entity!.resolution, undefined);
});

Deno.test("read() is fast for texts that are designed to be slow", () => {
  const started = performance.now();
  for (
    const body of [
      "- [ ] One more\n".repeat(5000),
      "{% a\n".repeat(3000),
      "> ".repeat(3000),
      "- ".repeat(3000),
      "[".repeat(20_000),
      "`".repeat(10_000) + " {% x %}",
      "<!-- a\n".repeat(2000),
      "a <!--\n\n-->\n".repeat(300),
      "a <!--\n\n".repeat(30_000),
      "## A\n".repeat(30_000),
    ]
  ) {
    try {
      read(work(body));
    } catch (error) {
      assert.equal((error as { code?: string }).code, "VALIDATION_ERROR", body.slice(0, 20));
    }
  }
  assert.equal(read(work("- [ ] One more\n".repeat(5000))).entity!.criteria.length, 5000);
  assert.ok(performance.now() - started < 30_000);
});

Deno.test("sectionNamed() prefers the exact name, then ignores case", () => {
  const { entity } = read(work("## description\n\na\n\n## The Plan\n\n## the plan"));
  assert.equal(sectionNamed(entity!, "description")!.level, 0);
  assert.equal(sectionNamed(entity!, "description (2)")!.level, 2);
  assert.equal(sectionNamed(entity!, "the plan")!.name, "the plan");
  assert.equal(sectionNamed(entity!, " THE  PLAN ")!.name, "The Plan");
});
