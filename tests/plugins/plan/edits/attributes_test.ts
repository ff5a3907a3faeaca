import assert from "node:assert/strict";
import { editText } from "../../../support/edit_text.ts";

const setAttributes = (source: string, values: Record<string, string>) =>
  editText(source, values, []).text;

Deno.test("an attribute is replaced, added last or removed, and the rest stays as it is", () => {
  const source = '---\na: 1\n---\n{% work id="W-1"  status="ready" %}\nstatus="x"\n{% /work %}\n';
  assert.equal(setAttributes(source, { status: "done" }), source.replace('"ready"', '"done"'));
  assert.equal(
    setAttributes(source, { tags: "a" }),
    source.replace('"ready" %}', '"ready" tags="a" %}'),
  );
  assert.equal(setAttributes(source, { status: "" }), source.replace('  status="ready"', ""));
  assert.equal(setAttributes(source, { tags: "" }), source);
});

Deno.test("an attribute is not found in the value of another, nor by a part of its name", () => {
  const source = '{% work title="a status=x" old-status="y" #status %}\n{% /work %}\n';
  const text = setAttributes(source, { status: "done" });
  assert.ok(
    text.startsWith('{% work title="a status=x" old-status="y" #status status="done" %}'),
  );
});

Deno.test("in a tag of several lines a new attribute gets a line of its own", () => {
  const source = '{% work\n  id="W-1"\n  list=["a b", "c"]\n%}\n{% /work %}\n';
  assert.equal(
    setAttributes(source, { tags: "x", id: "W-2" }),
    '{% work\n  id="W-2"\n  list=["a b", "c"]\n  tags="x"\n%}\n{% /work %}\n',
  );
});

Deno.test("a name that is given twice is set in both places, and a text without an entity is refused", () => {
  assert.equal(
    setAttributes('{% bug id="B" id="C" %}\n{% /bug %}', { id: "D" }),
    '{% bug id="D" id="D" %}\n{% /bug %}',
  );
  assert.throws(() => setAttributes("# Text\n", { id: "D" }), { code: "VALIDATION_ERROR" });
});
