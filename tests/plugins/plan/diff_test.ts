import assert from "node:assert/strict";
import { changedValues, diff, diffToAll, versionOf } from "../../../plugins/plan/entity/version.ts";
import { entity } from "../../support/project.ts";

const BODY = "Text.\n\n## Acceptance Criteria\n- [ ] One\n- [x] Two\n\n## Notes\nA note.\n";

const version = (status: string, body = BODY, title = "Title") =>
  versionOf(entity("work", { id: "WORK-001", status }, title, body))!;

Deno.test("two equal versions have no difference", () => {
  const { kind, ...changes } = diff(version("ready"), version("ready"));
  assert.equal(kind, "changed");
  assert.deepEqual(Object.values(changes).flat().filter(Boolean), []);
});

Deno.test("attributes, title, criteria and sections differ by name", () => {
  const after = BODY.replace("[ ] One", "[x] One").replace("[x] Two", "[ ] 2").replace("A n", "N");
  const found = diff(version("ready"), version("done", after, "New"));
  assert.deepEqual(found.attributes, [{ field: "status", from: "ready", to: "done" }]);
  assert.deepEqual(found.title, { from: "Title", to: "New" });
  assert.deepEqual(found.criteria.map(({ text, action }) => `${text} ${action}`), [
    "One checked",
    "Two removed",
    "2 added",
  ]);
  assert.equal(found.ticks, undefined, "one of two is ticked in both");
  assert.deepEqual([found.isText, found.sections], [true, ["Notes"]]);
  assert.deepEqual(changedValues(found), ["status", "title"]);
});

Deno.test("criteria with one text differ by their number and their ticks", () => {
  const changes = (before: string, after: string) => {
    const [old, now] = [before, after].map((boxes) =>
      version("ready", [...boxes].map((box) => `- [${box === "x" ? "x" : " "}] A\n`).join(""))
    );
    return diff(old, now).criteria.map(({ action }) => action).join();
  };
  for (
    const [before, after, expected] of [
      ["ox", "xo", ""],
      ["oo", "o", "removed"],
      ["ox", "o", "removed"],
      ["oo", "ox", "checked"],
      ["xx", "ooo", "unchecked,unchecked,added"],
      ["o", "xxx", "checked,added,added"],
    ] as const
  ) {
    assert.equal(changes(before, after), expected, `${before} to ${after}`);
  }
});

Deno.test("ticks and resolutions are no change of the text", () => {
  const after = `${BODY.replace("[ ] One", "[x] One")}\n## Resolution\nDone.\n`;
  const found = diff(version("ready"), version("ready", after));
  assert.equal(found.isText, false, "its heading belongs to it");
  assert.deepEqual(found.resolution, { from: null, to: "Done." });
  assert.deepEqual(found.ticks, { from: "1/2", to: "2/2" });
  const more = diff(version("ready", after), version("ready", after.replace("Done.", "All.")));
  assert.deepEqual([more.isText, more.sections, more.resolution?.to], [false, [], "All."]);
});

Deno.test("a version without another is created or removed, with every attribute", () => {
  const created = diff(undefined, version("ready"));
  assert.equal(created.kind, "created");
  assert.deepEqual(created.attributes.map(({ field, to }) => [field, to]), [
    ["id", "WORK-001"],
    ["status", "ready"],
  ]);
  const removed = diff(version("ready"), undefined);
  assert.equal(removed.kind, "removed");
  assert.ok(removed.attributes.every(({ to }) => to === null));
});

Deno.test("a merge has changed what differs from all of its parents", () => {
  const merged = version("done", BODY.replace("[ ] One", "[x] One").replace("Text.", "Both."));
  const ours = version("done", BODY.replace("Text.", "Ours."));
  const theirs = version("ready", BODY.replace("[ ] One", "[x] One").replace("Text.", "Theirs."));
  const found = diffToAll([diff(ours, merged), diff(theirs, merged)]);
  assert.deepEqual([found.attributes, found.criteria], [[], []]);
  assert.deepEqual([found.isText, found.sections], [true, ["description"]]);
});
