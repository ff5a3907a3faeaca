import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { askOracle, lab } from "../../support/lab.ts";
import { entity, type Files, makeProject, SMALL_PLAN, writeFiles } from "../../support/project.ts";
import { inProcess } from "../../support/in_process.ts";
import { itemsOf } from "../../support/rows.ts";

/** The result of a call on one side. */
interface Side {
  readonly isRefused: boolean;
  readonly message: string;
  /** The content of the file afterwards. */
  readonly text: string;
}

interface Difference {
  /** The matching line of `docs/differences.md`. */
  readonly says: string;
  /** The file on both sides. */
  readonly source: (id: string) => string;
  /** Another file, if the difference needs one. */
  readonly more?: (id: string) => Files;
  readonly ours: (id: string) => Record<string, unknown>;
  readonly theirs: readonly string[];
  readonly holds: (ours: Side, theirs: Side) => void;
}

const work = (body: string) => (id: string) =>
  entity("work", { id, status: "ready" }, "First", body);

/** We reject the call and leave the file; the CLI changes it. */
const refused = (code: RegExp) => (ours: Side, theirs: Side) => {
  assert.ok(ours.isRefused, ours.text);
  assert.match(ours.message, code);
  assert.ok(!theirs.isRefused, theirs.message);
  assert.notEqual(ours.text, theirs.text);
};

/** Our change makes the file match; the CLI does something else. */
const changed = (pattern: RegExp) => (ours: Side, theirs: Side) => {
  assert.ok(!ours.isRefused, ours.message);
  assert.match(ours.text, pattern);
  assert.doesNotMatch(theirs.text, pattern);
};

const DIFFERENCES: readonly Difference[] = [
  {
    says: "A check box in a code fence is not a criterion: the CLI ticks it.",
    source: work("```md\n- [ ] In a fence\n```\n"),
    ours: (id) => ({ id, check: "In a fence" }),
    theirs: ["--check", "In a fence"],
    holds: refused(/no criteria/),
  },
  {
    says: "A check box in an HTML comment is not a criterion: the CLI ticks it.",
    source: work("<!--\n- [ ] In a comment\n-->\n"),
    ours: (id) => ({ id, check: "In a comment" }),
    theirs: ["--check", "In a comment"],
    holds: refused(/no criteria/),
  },
  {
    says: "A check box outside the entity's tag is not its criterion: the CLI ticks it.",
    source: (id) => `${work("- [ ] Inside\n")(id)}\n- [ ] After the end\n`,
    ours: (id) => ({ id, check: "After the end" }),
    theirs: ["--check", "After the end"],
    holds: refused(/No unchecked criterion/),
  },
  {
    says:
      "A text that equals one criterion selects it: the CLI calls it ambiguous if another contains it.",
    source: work("- [ ] It runs\n- [ ] It runs fast\n"),
    ours: (id) => ({ id, check: "It runs" }),
    theirs: ["--check", "It runs"],
    holds: changed(/- \[x\] It runs\n- \[ \] It runs fast/),
  },
  {
    says: "Unicode is normalised before it is compared: the CLI compares code points.",
    source: work("- [ ] Cafe\u0301 opens\n"),
    ours: (id) => ({ id, check: "Caf\u00e9" }),
    theirs: ["--check", "Caf\u00e9"],
    holds: changed(/- \[x\]/),
  },
  {
    says: "An opening tag may span several lines: the CLI does not find it.",
    source: (id) => `{% work\n  id="${id}"\n  status="ready" %}\n\n# First\n\n{% /work %}\n`,
    ours: (id) => ({ id, status: "done" }),
    theirs: ["--status", "done"],
    holds: changed(/\n {2}status="done" %\}/),
  },
  {
    says: "A byte order mark is ignored: the CLI does not find the entity after one.",
    source: (id) => `\uFEFF${work("Text.\n")(id)}`,
    ours: (id) => ({ id, status: "done" }),
    theirs: ["--status", "done"],
    holds: changed(/status="done"/),
  },
  {
    says: "CRLF line endings are kept everywhere: the CLI adds lines with LF.",
    source: (id) => work("Text.\n")(id).replaceAll("\n", "\r\n"),
    ours: (id) => ({ id, resolve: "Done." }),
    theirs: ["--resolve", "Done."],
    holds: changed(/^(?:[^\n]*\r\n)+$/),
  },
  {
    says: "A `{%` in a text is escaped: with the CLI it opens a tag, which may end the entity.",
    source: work("Text.\n"),
    ours: (id) => ({ id, resolve: 'Adds {% hint type="note" %} support' }),
    theirs: ["--resolve", 'Adds {% hint type="note" %} support'],
    holds: changed(/Adds \\\{% hint/),
  },
  {
    says: "A text that closes the entity is rejected: the CLI writes it.",
    source: work("Text.\n"),
    ours: (id) => ({ id, resolve: "{% /work %}" }),
    theirs: ["--resolve", "{% /work %}"],
    holds: refused(/tags of plan entities/),
  },
  {
    says: "A text that leaves a code fence open is rejected: the CLI writes it.",
    source: work("Text.\n"),
    ours: (id) => ({ id, resolve: "```\nopen" }),
    theirs: ["--resolve", "```\nopen"],
    holds: refused(/code fence/),
  },
  {
    says:
      "A resolution goes into the entity's own section: the CLI accepts a heading of that name in a code fence.",
    source: work("```md\n## Resolution\n\nAn example\n```\n"),
    ours: (id) => ({ id, resolve: "Done." }),
    theirs: ["--resolve", "Done."],
    holds: changed(/An example\n```\n[^]*## Resolution\n\nCompleted: [-\d]+\n\nDone\.\n/),
  },
  {
    says:
      "A value that a tag cannot contain (a double quote, a backslash, `%}`, a line break) is rejected: the CLI writes it.",
    source: work("Text.\n"),
    ours: (id) => ({ id, assignee: 'Ada "the first"' }),
    theirs: ["--assignee", 'Ada "the first"'],
    holds: refused(/double quote/),
  },
  {
    says: "A `$` in a value is literal: the CLI expands `$&`.",
    source: (id) => entity("work", { id, status: "ready", assignee: "Ada" }, "First", "Text.\n"),
    ours: (id) => ({ id, assignee: "a$&b" }),
    theirs: ["--assignee", "a$&b"],
    holds: changed(/assignee="a\$&b"/),
  },
  {
    says: "A file with conflict markers is rejected, with their lines: the CLI writes to it.",
    source: work("<<<<<<< HEAD\nOne\n=======\nTwo\n>>>>>>> other\n"),
    ours: (id) => ({ id, status: "done" }),
    theirs: ["--status", "done"],
    holds: refused(/conflict markers/),
  },
  {
    says: "An id that occurs in two files is rejected, with both: the CLI writes to the first.",
    source: work("Text.\n"),
    more: (id) => ({ [`plan/work/${id}-twin.md`]: work("Twin.\n")(id) }),
    ours: (id) => ({ id, status: "done" }),
    theirs: ["--status", "done"],
    holds: refused(/2 files have the id/),
  },
];

const PAGE = fileURLToPath(new URL("../../../docs/differences.md", import.meta.url));

Deno.test("plan_update differs from the CLI exactly as docs/differences.md says", async () => {
  const [, section = ""] = /## `plan_update`.*?\n(.*?)\n## /s.exec(Deno.readTextFileSync(PAGE)) ??
    [];
  const listed = section.split(/\n- /).slice(1)
    .map((item) => item.split("\n\n")[0]!.replace(/\s+/g, " ").trim());
  assert.deepEqual(listed, DIFFERENCES.map(({ says }) => says));

  const idOf = (index: number) => `WORK-${300 + index}`;
  const fileOf = (index: number) => `plan/work/${idOf(index)}-first.md`;
  const files: Files = Object.assign(
    { ...SMALL_PLAN },
    ...DIFFERENCES.map(({ source, more }, index) => ({
      [fileOf(index)]: source(idOf(index)),
      ...more?.(idOf(index)),
    })),
  );
  const [ours, theirs] = [makeProject(files), makeProject(files)];
  writeFiles(theirs, { "package.json": '{ "devDependencies": { "@refrakt-md/plan": "*" } }' });
  Deno.symlinkSync(join(await lab(), "node_modules"), join(theirs, "node_modules"));
  const said = await askOracle(theirs, [
    ["plan", "next", "--count", "100", "--format", "json"],
    ...DIFFERENCES.map((one, index) => ["plan", "update", idOf(index), ...one.theirs]),
  ]);
  const counted = said.shift()!;
  await inProcess(ours, async ({ call, ok }) => {
    await checkCriteria(idOf(0), ok, JSON.parse(counted.stdout).items);
    for (const [index, { says, ours: input, holds }] of DIFFERENCES.entries()) {
      const answer = await call("plan_update", input(idOf(index)));
      const file = fileOf(index);
      try {
        holds(
          {
            isRefused: answer.isError === true,
            message: answer.content[0].text,
            text: Deno.readTextFileSync(join(ours, file)),
          },
          {
            isRefused: said[index]!.code !== 0,
            message: said[index]!.stderr,
            text: Deno.readTextFileSync(join(theirs, file)),
          },
        );
      } catch (error) {
        (error as Error).message = `${says}\n${(error as Error).message}`;
        throw error;
      }
    }
  });
});

/** Text that no tool of ours counts as a criterion, but the CLI does. */
async function checkCriteria(
  id: string,
  ok: (name: string, input?: Record<string, unknown>) => Promise<Record<string, unknown>>,
  theirs: readonly { id: string; criteria: unknown[]; openCriteria?: number }[],
): Promise<void> {
  const itemIn = (items: unknown) => (items as typeof theirs).find((item) => item.id === id)!;
  const criteriaIn = (items: unknown) => itemIn(items).criteria;
  assert.equal(criteriaIn(theirs).length, 1);
  assert.equal(itemIn((await ok("plan_next", { count: 100 }))["items"]).openCriteria, 0);
  const items = itemsOf(await ok("plan_list", { fields: ["criteria"], limit: 1000 }));
  assert.equal(criteriaIn(items), undefined);
  assert.equal((await ok("plan_get", { id }))["criteria"], undefined);
}
