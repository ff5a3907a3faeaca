import assert from "node:assert/strict";
import { sarifOf } from "../../src/cli/sarif.ts";

Deno.test("findings become results with their rule, level and place", () => {
  const log = sarifOf(
    [
      {
        path: "content/ä b.md",
        line: 3,
        column: 5,
        severity: "error",
        code: "attribute-unknown",
        message: "No",
      },
      { path: "content/c.md", severity: "error", code: "attribute-unknown", message: "Nor here" },
    ] as Parameters<typeof sarifOf>[0],
  ) as {
    version: string;
    runs: {
      tool: { driver: { rules: { id: string }[] } };
      results: {
        ruleId: string;
        ruleIndex: number;
        level: string;
        locations: {
          physicalLocation: { artifactLocation: { uri: string }; region: Record<string, number> };
        }[];
      }[];
    }[];
  };
  assert.equal(log.version, "2.1.0");
  const [run] = log.runs;
  assert.deepEqual(run!.tool.driver.rules.map(({ id }) => id), ["attribute-unknown"]);
  const [first, second] = run!.results;
  assert.deepEqual([first!.ruleId, first!.ruleIndex, first!.level], [
    "attribute-unknown",
    0,
    "error",
  ]);
  const place = first!.locations[0]!.physicalLocation;
  assert.equal(place.artifactLocation.uri, "content/%C3%A4%20b.md");
  assert.deepEqual(place.region, { startLine: 3, startColumn: 5 });
  assert.deepEqual(second!.locations[0]!.physicalLocation.region, { startLine: 1, startColumn: 1 });
});
