import assert from "node:assert/strict";
import { editText } from "../../support/edit_text.ts";

const SOURCE = '{% work id="W-1" status="ready" %}\n\n# A\n\n- [ ] One\n- [ ] Two\n{% /work %}\n';

Deno.test("edits are applied one after the other", () => {
  const { text, changes } = editText(SOURCE, { status: "done" }, [
    { kind: "addCriteria", texts: ["Three"] },
    { kind: "check", which: [3] },
  ]);
  assert.equal(
    text,
    '{% work id="W-1" status="done" %}\n\n# A\n\n- [ ] One\n- [ ] Two\n- [x] Three\n{% /work %}\n',
  );
  assert.deepEqual(changes.map(({ field }) => field), ["status", "criterion", "criterion"]);
});

Deno.test("line ends stay where all are CRLF, and where they are mixed", () => {
  const crlf = SOURCE.replaceAll("\n", "\r\n");
  assert.equal(
    editText(crlf, {}, [{ kind: "check", which: [1] }]).text,
    crlf.replace("[ ] One", "[x] One"),
  );
  const mixed = SOURCE.replace("# A\n", "# A\r\n");
  assert.equal(
    editText(mixed, {}, [{ kind: "check", which: [1] }]).text,
    mixed.replace("[ ] One", "[x] One"),
  );
});

Deno.test("an entity without text, and one whose tag is broken, take no edits", () => {
  for (const source of ['{% work id="W-1" /%}\n', '{% work id="W-1\n\n# A\n', "# A\n"]) {
    assert.throws(() => editText(source, {}, [{ kind: "title", text: "B" }]), {
      code: "VALIDATION_ERROR",
    }, source);
  }
});

Deno.test("no more is changed in one call than can be looked at in a moment", () => {
  const many = Array.from({ length: 1001 }, (_, index) => `Text ${index}`);
  for (
    const edits of [
      many.map((heading) => ({ kind: "section", heading, text: "" } as const)),
      [{ kind: "addCriteria", texts: many } as const],
      [{ kind: "check", which: many } as const],
    ]
  ) {
    assert.throws(() => editText(SOURCE, {}, edits), {
      message: "There are more than 1000 changes",
    });
  }
  const text = "word ".repeat(60_000);
  assert.throws(() => editText(SOURCE, {}, [{ kind: "section", heading: "Notes", text }]), {
    message: /longer than 262144/,
  });
});
