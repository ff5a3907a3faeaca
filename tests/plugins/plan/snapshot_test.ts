import assert from "node:assert/strict";
import { snapshotOf } from "../../../plugins/plan/snapshot.ts";

const SOURCE = `{% work id="WORK-001" title="a b" %}\n\n# First  \n\n- [x] One\n\n` +
  "```\n- [ ] An example\n```\n\n" +
  "## Resolution\n\nDone.\n\n{% /work %}\n";

Deno.test("a snapshot holds what the history compares, whatever the line ends", () => {
  const snapshot = snapshotOf(SOURCE)!;
  assert.deepEqual({ ...snapshot, resolution: undefined }, {
    type: "work",
    id: "WORK-001",
    title: "First",
    attributes: { id: "WORK-001", title: "a b" },
    criteria: [{ text: "One", checked: true }],
    resolution: undefined,
  });
  assert.deepEqual(snapshotOf(SOURCE.replaceAll("\n", "\r\n")), snapshot);
  assert.equal(snapshotOf("# No entity\n"), null);
  assert.equal(snapshotOf("{% spec id=“SPEC-001” %}\n\n# Curly\n")?.type, "spec");
});

Deno.test("another resolution is told from the first, and none from both", () => {
  const of = (source: string) => snapshotOf(source)?.resolution;
  assert.equal(typeof of(SOURCE), "string");
  assert.notEqual(of(SOURCE), of(SOURCE.replace("Done.", "Done!")));
  assert.equal(of(SOURCE.replace("## Resolution", "## Notes")), undefined);
});
