import assert from "node:assert/strict";
import { safeText } from "../../../plugins/plan/safe_text.ts";

Deno.test("safeText() escapes what opens or ends a tag alone, and keeps whole tags and code", () => {
  for (
    const [given, expected] of [
      ["plain", "plain"],
      ["a\r\nb\rc", "a\nb\nc"],
      ['Adds {% hint type="note" %} support', 'Adds \\{% hint type="note" %} support'],
      ["{% hint %}\nx\n{% /hint %}", "{% hint %}\nx\n{% /hint %}"],
      ['See {% ref "WORK-001" /%}.', 'See {% ref "WORK-001" /%}.'],
      ["{% /hint %}", "\\{% /hint %}"],
      ["ends with {%", "ends with {%"],
      ["{% begins with it", "\\{% begins with it"],
      ["`{% hint %}`", "`{% hint %}`"],
      ["```\n{% work %}\n```", "```\n{% work %}\n```"],
      ["\\{% hint %}", "\\{% hint %}"],
    ] as const
  ) assert.equal(safeText(given, "It", "work").text, expected);
});

Deno.test("safeText() refuses open fences, tags of entities, control characters and too much", () => {
  for (
    const given of ["```\nx", "~~~", "{% work %}", "x {% /spec %}", "a\0b", "x".repeat(300_000)]
  ) {
    assert.throws(() => safeText(given, "It", "work"), { code: "VALIDATION_ERROR" });
  }
  assert.throws(() => safeText("a\n\n```js\nb", "It", "work"), { message: /line 3/ });
});
