import assert from "node:assert/strict";
import { read } from "../../../../plugins/plan/entity/document.ts";
import {
  mergeEntity,
  mergeWithMarkers,
} from "../../../../plugins/plan/write/merge/merge_entity.ts";
import { type Pair, pairs } from "./generated.ts";

const BASE = `{% work id="WORK-1" status="ready" priority="high" %}

# Search

## Acceptance Criteria

- [ ] Index pages
- [ ] Query box

## Approach

Use a worker.

{% /work %}
`;

const edit = (...changes: [from: string, to: string][]) =>
  changes.reduce((text, [from, to]) => {
    assert.ok(text.includes(from), from);
    return text.replace(from, () => to);
  }, BASE);

const linesOf = (text: string) => text.split("\n").filter((line) => /^(?:w\d|- \[|#)/.test(line));
/** The same for both orders: attributes, and lines without their order. */
const contentOf = (text: string) => ({
  attributes: read(text).entity?.attributes,
  lines: text.split("\n").slice(1).filter((line) => line !== "").sort(),
});

Deno.test("a merge of generated edits contains both, or asks, and loses nothing", () => {
  let [clear, asked] = [0, 0];
  for (const { base, ours, theirs } of pairs(200, 20261123)) {
    const merge = mergeWithMarkers({ base, ours, theirs });
    const other = mergeWithMarkers({ base, ours: theirs, theirs: ours });
    const shown = JSON.stringify({ base, ours, theirs, merge }, null, 1).replaceAll("\\n", "\n");
    assert.equal(merge.disagreements.length, other.disagreements.length, shown);
    requireAllText({ base, ours, theirs }, merge.source, shown);
    if (merge.disagreements.length > 0) {
      asked++;
      continue;
    }
    clear++;
    assert.deepEqual(contentOf(merge.source), contentOf(other.source), shown);
    const { entity } = read(merge.source);
    const [was, a, b] = [base, ours, theirs].map((text) => read(text).entity!);
    for (const { text, checked } of entity!.criteria) {
      const states = [was, a, b].map((one) => one!.criteria.find((each) => each.text === text));
      const changed = states.slice(1).find((one) => one && one.checked !== states[0]?.checked);
      if (states[0] !== undefined) {
        assert.equal(checked, (changed ?? states[0]).checked, shown);
      }
    }
    for (const name of new Set([...Object.keys(a!.attributes), ...Object.keys(b!.attributes)])) {
      const [from, left, right] = [was, a, b].map((one) => one!.attributes[name]);
      assert.equal(entity!.attributes[name], left === from ? right : left, shown);
    }
  }
  assert.ok(clear > 60 && asked > 6, `${clear} clear, ${asked} asked`);
});

/** Text that a side has added, or that both have kept, is in the result, ticked or not. */
function requireAllText({ base, ours, theirs }: Pair, merged: string, shown: string): void {
  const bare = (text: string) => new Set(linesOf(text.replaceAll("- [x]", "- [ ]")));
  const [was, a, b, result] = [base, ours, theirs, merged].map(bare);
  for (const line of new Set([...a!, ...b!])) {
    const isRemoved = was!.has(line) && !(a!.has(line) && b!.has(line));
    assert.ok(isRemoved || result!.has(line), `lost: ${line}\n${shown}`);
  }
}

Deno.test("disagreements are marked, and decisions settle them", () => {
  const ours = edit(['status="ready"', 'status="done"'], ["a worker", "a thread"]);
  const theirs = edit(['status="ready"', 'status="review"'], ["a worker", "WebAssembly"]);
  const sides = { base: BASE, ours, theirs };
  const { source, disagreements } = mergeWithMarkers(sides);
  assert.deepEqual(
    disagreements.map(({ kind, name, ours, theirs }) => [kind, name, ours, theirs]),
    [
      ["attribute", "status", "done", "review"],
      ["sections", "Approach", "Use a thread.", "Use WebAssembly."],
    ],
  );
  assert.equal(source.match(/^<{7} ours$/gm)?.length, 2);
  const added = mergeWithMarkers({ base: "", ours: BASE, theirs: edit(["# Search", "# Find"]) });
  assert.match(added.source, /^<{7} ours\n# Search\n={7}\n# Find\n>{7} theirs$/m);
  const settled = mergeEntity(sides, ({ kind }) => kind === "attribute" ? "review" : "both");
  assert.deepEqual(settled.disagreements, []);
  assert.match(settled.source, /status="review"/);
  assert.match(settled.source, /Use a thread\.\nUse WebAssembly\./);
});

Deno.test("files that are no single entity are merged by lines", () => {
  const sides = { base: "a\nb\nc\n", ours: "A\nb\nc\n", theirs: "a\nb\nC\n" };
  assert.deepEqual(mergeEntity(sides), { source: "A\nb\nC\n", disagreements: [] });
  const both = mergeWithMarkers({ base: "a\n", ours: "b\n", theirs: "c\n" });
  assert.equal(both.source, "<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n");
});

Deno.test("sections of one name become one, and nothing of them is lost", () => {
  const twice = (first: string, second: string) =>
    BASE.replace("## Approach", () => `## Notes\n\n${first}\n\n## Approach`)
      .replace("{% /work", () => `## Notes\n\n${second}\n\n- [ ] ${second}\n\n{% /work`);
  const base = twice("Old.", "Later.");
  const sides = [
    { base, ours: twice("New.", "Later."), theirs: twice("Old.", "Last.") },
    { base: BASE, ours: twice("New.", "Last."), theirs: BASE.replace("ready", "done") },
    { base: BASE, ours: twice("New.", "Last."), theirs: twice("New.", "Last.") + "\n" },
  ];
  for (const side of sides) {
    const { source, disagreements } = mergeEntity(side);
    assert.deepEqual(disagreements, []);
    assert.equal(source.match(/^## Notes$/gm)?.length, 1, source);
    assert.match(source, /## Notes\n\nNew\.\n\nLast\.\n\n- \[ \] Last\.\n/);
    assert.match(source, /Use a worker/);
  }
});

Deno.test("thousands of lines are merged within seconds, whatever they are", () => {
  let seed = 7;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  const shuffled = (lines: readonly string[]) =>
    lines.map((line) => [random(), line] as const).sort(([a], [b]) => a - b).map(([, line]) =>
      line
    );
  const lines = (kinds: number, line: (index: number) => string, count = 10_000) =>
    Array.from({ length: count }, (_, index) => line(index % kinds));
  const text = (body: readonly string[]) => BASE.replace("Use a worker.", () => body.join("\n"));
  const kinds = [
    lines(50, (index) => `l${index}`),
    lines(10_000, (index) => `l${index}`),
    // Texts may have so many of these.
    lines(50, (index) => `- [ ] ${index}`, 2400),
    lines(10_000, (index) => `## ${index}`, 1900),
  ];
  for (const all of kinds) {
    const [base, ours, theirs] = [all, shuffled(all), shuffled(all)].map(text);
    const begun = performance.now();
    const { source } = mergeWithMarkers({ base: base!, ours: ours!, theirs: theirs! });
    // They took minutes where the time grew with the square.
    assert.ok(performance.now() - begun < 180_000, all[1]);
    const found = new Set(source.split("\n"));
    for (const line of all) assert.ok(found.has(line), line);
  }
});

Deno.test("sections are compared by name as everywhere else, and keep the spelling of ours", () => {
  const end = "\n{% /work %}\n";
  const added = (text: string) => edit([end, `\n${text}${end}`]);
  const cases = [
    [BASE, "## Notes\n\n- a\n", "## notes\n\n- a\n- b\n", /## Notes\n\n- a\n+- b\n/],
    [
      added("## Notes\n\n- x\n"),
      "## Notes\n\n- x\n\n## NOTES\n\n- y\n",
      "## Notes\n\n- x\n- b\n",
      /- x\n+- b\n[^]*- y\n/,
    ],
  ] as const;
  for (const [base, ours, theirs, wanted] of cases) {
    const merge = mergeEntity({ base, ours: added(ours), theirs: added(theirs) });
    assert.deepEqual(merge.disagreements, []);
    assert.match(merge.source, wanted);
    assert.equal(merge.source.match(/^## notes$/gim)?.length, 1, merge.source);
  }
});

Deno.test("a tick whose criterion the other side reworded is open again", () => {
  const ours = edit(["[ ] Index pages", "[x] Index pages"], ['"ready"', '"review"']);
  const theirs = edit(["Index pages", "Index all pages"], ["Use a worker.", "Use two workers."]);
  for (const [a, b] of [[ours, theirs], [theirs, ours]] as const) {
    const merge = mergeEntity({ base: BASE, ours: a, theirs: b });
    assert.deepEqual(merge.disagreements, []);
    assert.deepEqual(merge.reopened, ['"Index pages" → "Index all pages"']);
    assert.match(merge.source, /\n- \[ \] Index all pages\n- \[ \] Query box\n/);
  }
  // A criterion that was removed is still asked about, with each side's own marks.
  const removed = edit(["- [ ] Index pages\n", ""]);
  const { disagreements: [asked] } = mergeEntity({ base: BASE, ours, theirs: removed });
  assert.deepEqual([asked!.base, asked!.ours.includes("[x] Index pages")], [
    "- [ ] Index pages",
    true,
  ]);
});
