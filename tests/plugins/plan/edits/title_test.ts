import assert from "node:assert/strict";
import { editText } from "../../../support/edit_text.ts";

const titled = (source: string, text: string) => editText(source, {}, [{ kind: "title", text }]);

Deno.test("a title is replaced, or added where there is none", () => {
  const { text, changes } = titled('{% bug id="BUG-1" %}\n\n# Old\n\nText.\n{% /bug %}\n', "New");
  assert.equal(text, '{% bug id="BUG-1" %}\n\n# New\n\nText.\n{% /bug %}\n');
  assert.deepEqual(changes, [{ field: "title", old: "Old", new: "New" }]);
  const none = titled('{% bug id="BUG-1" %}\nText.\n{% /bug %}\n', "New");
  assert.equal(none.text, '{% bug id="BUG-1" %}\n\n# New\nText.\n{% /bug %}\n');
});

Deno.test("the name before a milestone's title stays", () => {
  const source = '{% milestone name="v1" %}\n\n# v1 — First\n{% /milestone %}\n';
  assert.ok(titled(source, "Second").text.includes("# v1 — Second\n"));
  assert.ok(titled(source, "v1 — Third").text.includes("# v1 — Third\n"));
});

Deno.test("a title is one line of plain text", () => {
  for (const text of ["", "a\nb", "{% /bug %}"]) {
    assert.throws(() => titled('{% bug id="B" %}\n# A\n{% /bug %}', text), /title/);
  }
});
