import assert from "node:assert/strict";
import { conflictMarkers } from "../../../plugins/plan/conflicts.ts";

Deno.test("conflictMarkers() finds a whole conflict outside code fences, and nothing less", () => {
  const conflict = "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\n";
  assert.deepEqual(conflictMarkers(conflict), { first: 2, last: 6 });
  assert.deepEqual(conflictMarkers(conflict.replaceAll("\n", "\r\n")), { first: 2, last: 6 });
  assert.deepEqual(conflictMarkers(conflict.replaceAll(/ HEAD| other/g, "")), {
    first: 2,
    last: 6,
  });
  const fences = "<<<<<<< HEAD\n```js\na\n=======\n```ts\nb\n>>>>>>> other\n```\n";
  assert.deepEqual(conflictMarkers(fences), { first: 1, last: 7 }, "each side opens a fence");
  for (
    const text of [
      "plain",
      "<<<<<<< HEAD\n>>>>>>> other\n",
      ">>>>>>> other\n=======\n<<<<<<< HEAD\n",
      `\`\`\`\n${conflict}\`\`\`\n`,
      "text <<<<<<< HEAD\n=======\n>>>>>>> other\n",
    ]
  ) assert.equal(conflictMarkers(text), undefined, text);
});
