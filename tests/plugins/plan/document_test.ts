import assert from "node:assert/strict";
import { createServer } from "../../../mod.ts";
import { read } from "../../../plugins/plan/entity/document.ts";
import { makeProject, planFile } from "../../support/project.ts";
import { itemsOf } from "../../support/rows.ts";

/** An entity with this body. */
const work = (body: string) =>
  `{% work id="WORK-001" status="ready" %}\n\n# Title\n\n${body}\n\n{% /work %}\n`;

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
  // Git's, where both sides have renamed the file.
  const longer = "<<<<<<<< HEAD:a.md\na\n========\nb\n>>>>>>>> x:b.md\n";
  assert.deepEqual(read(work(longer)).conflict, { first: 5, last: 9 });
  assert.equal(read(work(`\`\`\`\n${markers}\`\`\``)).conflict, undefined);
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
  assert.ok(performance.now() - started < 180_000);
});

Deno.test("titles are limited in length, and shown with escapes to programs too", async () => {
  const cwd = makeProject({
    ...planFile("WORK-001", {}, "", `Pay\u202egnp.\u200bexe ${"x".repeat(5000)}`),
  });
  const server = await createServer({ cwd });
  const [one] = itemsOf(await server.callTool("plan_list", { fields: ["title"] }));
  assert.match(one.title, /^Pay\\u202egnp\.\\u200bexe x{900,}…$/);
  assert.ok(one.title.length < 1020);
});
