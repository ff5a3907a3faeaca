import assert from "node:assert/strict";
import { type BodyEdit, editText } from "../../../plugins/plan/edits.ts";
import { verifyEdit } from "../../../plugins/plan/verify.ts";
import { loadedPlan } from "../../support/plan.ts";

const SOURCE =
  '{% work id="WORK-001" status="ready" %}\n\n# A\n\n## Acceptance Criteria\n\n- [ ] One\n\n' +
  '## Dependencies\n- {% ref "WORK-002" /%}\n\n{% /work %}\n\nAfter.\n';

/** Verifies edits; `text` stands for a writer that did something else. */
async function verify(
  edits: BodyEdit[],
  attributes: Record<string, string> = {},
  text?: (written: string) => string,
) {
  const plugin = await loadedPlan();
  const edited = editText(SOURCE, attributes, edits);
  const tools = { parser: plugin.parser, syntax: await plugin.syntax() };
  verifyEdit(tools, {
    source: SOURCE,
    before: plugin.parser.parse(SOURCE, "a.md")!,
    edited: { ...edited, text: text?.(edited.text) ?? edited.text },
    attributes,
    edits,
  });
}

Deno.test("what was asked for passes", async () => {
  await verify([{ kind: "check", which: [1] }], { status: "done", tags: "a" });
  await verify([{ kind: "resolve", text: "Done, see `x`." }]);
  await verify([{ kind: "title", text: "B" }, {
    kind: "append",
    heading: "Notes",
    text: "### Yes",
  }]);
});

Deno.test("anything else that would change is refused by its name", async () => {
  const check: BodyEdit[] = [{ kind: "check", which: [1] }];
  for (
    const [change, named] of [
      [(text: string) => text.replace('status="ready"', 'status="done"'), /attribute "status"/],
      [(text: string) => text.replace("# A", "# B"), /headings|title/],
      [(text: string) => text.replace("WORK-002", "WORK-003"), /references/],
      [(text: string) => text.replace("- [x] One\n", "- [x] One\n- [ ] Two\n"), /criteria/],
      [(text: string) => text.replace("After.", "Behind."), /what follows it/],
      [(text: string) => text.replace("{% /work %}", ""), /Markdoc|end/],
      [(text: string) => text.replace("{% work ", "{% bug "), /tag could not be read/],
      [(text: string) => `${text}{% bug id="B" %}\n{% /bug %}\n`, /another number of entities/],
    ] as const
  ) {
    await assert.rejects(verify(check, {}, change), (error: Error & { code: string }) => {
      assert.equal(error.code, "VALIDATION_ERROR");
      assert.match(error.message, named);
      return true;
    });
  }
});
