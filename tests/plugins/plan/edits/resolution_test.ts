import assert from "node:assert/strict";
import { editText } from "../../../support/edit_text.ts";

const resolve = (source: string, text: string) => editText(source, {}, [{ kind: "resolve", text }]);

Deno.test("a resolution comes last in its entity, and a second one below the first", () => {
  const source = '{% bug id="B-1" %}\n\n# A\n\n{% /bug %}\n\n## After\n';
  const once = resolve(source, "Mended.");
  assert.match(
    once.text,
    /\n## Resolution\n\nCompleted: \d{4}-\d\d-\d\d\n\nMended\.\n\n\{% \/bug %\}\n\n## After\n$/,
  );
  const twice = resolve(once.text, "And again.");
  assert.equal(twice.text.split("## Resolution").length, 2);
  assert.match(twice.text, /Mended\.\n+---\n\nCompleted: .*\n\nAnd again\.\n\n\{% \/bug %\}/);
  assert.deepEqual(twice.changes, [{ field: "resolution", old: "(appended)", new: "updated" }]);
});

Deno.test("a heading in a fence is no resolution", () => {
  const { changes } = resolve(
    '{% bug id="B-1" %}\n```\n## Resolution\n```\n{% /bug %}\n',
    "Mended.",
  );
  assert.deepEqual(changes.map(({ new: now }) => now), ["added"]);
});

Deno.test("a spec has none, an empty one is refused, and a text cannot end the entity", () => {
  assert.throws(() => resolve('{% spec id="S-1" %}\n{% /spec %}\n', "x"), {
    code: "VALIDATION_ERROR",
  });
  const source = '{% bug id="B-1" %}\n{% /bug %}\n';
  assert.throws(() => resolve(source, " \n"), { code: "INVALID_ARGS" });
  assert.throws(() => resolve(source, "{% /bug %}"), { code: "VALIDATION_ERROR" });
});

Deno.test("a resolution may have headings, which begin sections as with the CLI", () => {
  const { text } = resolve(
    '{% bug id="B-1" %}\n\n# A\n\n{% /bug %}\n',
    "Done.\n\n## Notes\n\nMore.",
  );
  assert.match(text, /## Resolution\n\nCompleted: .*\n\nDone\.\n\n## Notes\n\nMore\.\n\n\{%/);
  assert.match(
    resolve(text, "## Again\n\nx").text,
    /---\n\nCompleted: .*\n\n## Again\n\nx\n\n## Notes/,
  );
});
