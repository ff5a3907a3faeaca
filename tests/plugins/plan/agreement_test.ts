import assert from "node:assert/strict";
import fc from "../../support/npm/fast_check.ts";
import { join } from "node:path";
import { createServer } from "../../../mod.ts";
import { headOf } from "../../../plugins/plan/entity/agreement.ts";
import { read } from "../../../plugins/plan/entity/document.ts";
import { loadedPlan } from "../../support/plan.ts";
import { entity, makeProject, readTree, SMALL_PLAN } from "../../support/project.ts";
import { fullPlan, PLAN_BUNDLE, realPlan } from "../../support/real_plan.ts";

// The server imports its own files before packages are loaded, and judged.
await createServer({ cwd: makeProject({}) });
const { parse } = await loadedPlan();

/** Returns whether a text is accepted; both parsers must read the same entity in it then. */
function agrees(text: string): boolean {
  let parsed;
  try {
    ({ parsed } = parse(text, "x.md"));
  } catch (error) {
    assert.match(String(error), /Ambiguous in line \d+|too hard to parse/);
    return false;
  }
  const { entity } = read(text);
  const ours = entity && [entity.type, entity.attributes, entity.title?.text || undefined];
  const theirs = parsed && [parsed.type, parsed.attributes, parsed.title || undefined];
  assert.deepEqual(ours ?? null, theirs, text);
  const { type, attributes, title } = headOf(text) ?? {};
  if (type !== undefined) assert.deepEqual([type, attributes, title], theirs, text);
  return true;
}

Deno.test("the plugin's parser and ours read the same entity in every file of real plans", () => {
  const plans = PLAN_BUNDLE === undefined ? [realPlan()] : [realPlan(), fullPlan()];
  for (const cwd of plans) {
    const files = Object.entries(readTree(join(cwd, "plan"))).filter(([path]) =>
      /\.md$/.test(path)
    );
    assert.deepEqual(files.filter(([, text]) => !agrees(text)).map(([path]) => path), []);
    assert.ok(files.length > 40);
  }
});

Deno.test("the parsers agree on generated texts with comments, fences, front matter and long tags", () => {
  const piece = fc.constantFrom(
    '{% work id="WORK-001" status="ready" %}\n',
    '{% bug id="BUG-002"\n  status="fixed" %}\n',
    '{% spec\n  id="SPEC-003"\n%}\n',
    "{% /work %}\n",
    "{% /bug %}\n",
    "# Title\n",
    "# A `code` title {% #x %}\n",
    "## Section\n",
    "<!-- ",
    "-->",
    "-->\n",
    "<!--\n",
    "```\n",
    "~~~md\n",
    "---\n",
    "---\ntitle: x\n---\n",
    "- [ ] One\n",
    "> quoted\n",
    "  ",
    "    ",
    "text ",
    "\n",
    "\n\n",
    '{% ref "WORK-009" /%}',
    "{% hint %}\n",
    "{% /hint %}\n",
    "{% comment %}\n",
    "{% /comment %}\n",
    "{% work id=",
    "`",
    "\\",
  );
  const body = fc.array(piece, { minLength: 1, maxLength: 14 }).map((pieces) => pieces.join(""));
  const words =
    "Title;A `code` word;*a* & ~~b~~ _c_;a | b;`` ` ``;[a](b);Ends #;# #;&amp\\;\t\u2028"
      .split(";");
  const title = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 })
    .map((all) => `# ${all.join(" ")}\n`);
  const tag = fc.constantFrom(
    '{% work id="WORK-001" status="ready" %}\n\n',
    '\n{% spec id="SPEC-1" tags="<!-- a, b" source="a | b" id="SPEC-2" %}\n',
    '{% milestone name="v1" toString="é ;" %}\n',
    '{% bug id="\t" %}\n\n',
  );
  const below = fc.constantFrom("", "--|--\n", "===\n");
  for (
    const text of [body, fc.tuple(tag, title, below, body).map((parts) => parts.join(""))]
  ) {
    let [accepted, heads] = [0, 0];
    const count = (one: string) => {
      accepted += Number(agrees(one));
      heads += Number(headOf(one) !== undefined);
    };
    fc.assert(fc.property(text, count), { numRuns: 1500, seed: 7 });
    assert.ok(accepted > 1000, `${accepted} of 1500 were accepted`);
    assert.ok(text === body || heads > 200, `${heads} of 1500 have a head`);
  }
});

const HIDDEN = entity("work", { id: "WORK-008", status: "ready" }, "Hidden", "- [ ] Not me\n");
const BELOW = entity("work", { id: "WORK-009", status: "ready" }, "Below", "- [ ] Me\n");

/** Comments around an entity, each with an entity below. */
const COMMENTS = {
  "of several lines": `<!--\n${HIDDEN}\n-->\n\n${BELOW}`,
  "on one line": `<!-- {% work id="WORK-008" %} -->\n${BELOW}`,
  "that ends on a line with a tag": `<!--\n${HIDDEN}--> {% work id="WORK-008" %}\n\n${BELOW}`,
  "that are indented": `  <!--\n${HIDDEN}\n-->\n\n${BELOW}`,
  "after front matter": `---\ntitle: x\n---\n\n<!--\n${HIDDEN}\n-->\n${BELOW}`,
  "that are several": `<!-- a -->\n<!--\n${HIDDEN}-->\n<!-- ${HIDDEN} -->\n${BELOW}`,
  "as a tag": `{% comment %}\n\n${HIDDEN}\n{% /comment %}\n\n${BELOW}`,
  "in CRLF": `<!--\n${HIDDEN}\n-->\n\n${BELOW}`.replaceAll("\n", "\r\n"),
};

Deno.test("an entity in a comment is none, for every tool", async (test) => {
  for (const [name, text] of Object.entries(COMMENTS)) {
    await test.step(name, async () => {
      const cwd = makeProject({ ...SMALL_PLAN, "plan/work/both.md": text });
      const server = await createServer({ cwd });
      const before = readTree(cwd);
      for (const [tool, input] of Object.entries({ get: {}, update: { status: "done" } })) {
        await assert.rejects(server.callTool(`plan.${tool}`, { id: "WORK-008", ...input }), {
          code: "NOT_FOUND",
        });
      }
      assert.deepEqual(readTree(cwd), before);
      const list = JSON.stringify(await server.callTool("plan.list", {}));
      assert.ok(list.includes("Below") && !list.includes("Hidden"), list);
      const problems = JSON.stringify(await server.callTool("plan.validate", {}));
      assert.ok(!problems.includes("WORK-008"), problems);
      await server.callTool("plan.update", { id: "WORK-009", status: "done", check: "Me" });
      const path = "plan/work/both.md";
      const [head, ...rest] = before[path]!.split('"WORK-009"');
      const changed = rest.join('"WORK-009"').replace('"ready"', () => '"done"');
      assert.deepEqual(readTree(cwd), {
        ...before,
        [path]: `${head}"WORK-009"${changed.replace("- [ ] Me", () => "- [x] Me")}`,
      });
    });
  }
});

Deno.test("a heading or a reference in a comment belongs to no entity", async () => {
  const body = '<!--\n# Old\n-->\n\n# New\n\n## Dependencies\n\n<!-- {% ref "WORK-002" /%} -->\n';
  const text = `{% work id="WORK-009" status="ready" %}\n\n${body}\n{% /work %}\n`;
  const server = await createServer({
    cwd: makeProject({ ...SMALL_PLAN, "plan/work/WORK-009-x.md": text }),
  });
  const found = await server.callTool("plan.get", { id: "WORK-009" }) as Record<string, unknown>;
  assert.equal(found["title"], "New");
  assert.ok(!JSON.stringify(found["dependencies"] ?? []).includes("WORK-002"));
});

Deno.test("a file whose entity is ambiguous is refused with the line", async () => {
  const text = `Some text <!--\n${HIDDEN}\n-->\n\n${BELOW}`;
  const cwd = makeProject({ ...SMALL_PLAN, "plan/work/both.md": text });
  const server = await createServer({ cwd });
  const list = JSON.stringify(await server.callTool("plan.list", {}));
  assert.match(list, /work\/both\.md cannot be read: Ambiguous in line 1:/);
  for (const id of ["WORK-008", "WORK-009"]) {
    await assert.rejects(server.callTool("plan.update", { id, status: "done" }), {
      code: "NOT_FOUND",
    });
  }
  assert.equal(readTree(cwd)["plan/work/both.md"], text);
});
