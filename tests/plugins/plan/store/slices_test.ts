import assert from "node:assert/strict";
import { withTimeLimit } from "../../../../src/io/time_limit.ts";
import { parseInSlices } from "../../../../plugins/plan/store/slices.ts";

Deno.test("if a file takes too long, the others are parsed all the same", async () => {
  const parse = (text: string) => {
    while (text === "endless");
    return text;
  };
  const parsed = await parseInSlices(
    function* () {
      const found: string[] = [];
      for (const text of ["one", "endless", "two"]) {
        try {
          found.push(withTimeLimit(20, () => parse(text)));
        } catch (error) {
          found.push((error as Error).message);
        }
        yield;
      }
      return found;
    },
    undefined,
    50,
  );
  assert.deepEqual(parsed, ["one", "Stopped: it takes longer than 0.02 seconds", "two"]);
});
