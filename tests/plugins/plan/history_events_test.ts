import assert from "node:assert/strict";
import { describeEvent, eventOf } from "../../../plugins/plan/git/events.ts";
import {
  snapshotOf,
  type TrackedChange,
  type TrackedFile,
} from "../../../plugins/plan/git/renames.ts";

const COMMIT = {
  hash: "0123456789abcdef",
  date: "2026-01-02T03:04:05Z",
  author: "Ada",
  message: "Change it",
  changes: [],
};

const SOURCE = '{% work id="WORK-001" status="ready" %}\n\n# First\n\n- [ ] One\n\n{% /work %}\n';

Deno.test("an event names the sections whose text it has changed, and a resolution", () => {
  const of = (source: string) => snapshotOf(source)!;
  const file = {} as TrackedFile;
  const kindOf = (change: Omit<TrackedChange, "file">) =>
    eventOf(COMMIT, { file, ...change }, "plan/")?.kind;
  const before = of(SOURCE);
  const resolved = of(SOURCE.replace("{% /work", "## Resolution\n\nSo.\n\n{% /work"));
  assert.equal(kindOf({ before, after: resolved }), "resolution");
  const both = of(SOURCE.replace("ready", () => "done").replace("- [ ]", () => "A note.\n\n- [ ]"));
  const noted = eventOf(COMMIT, { file, before, after: both }, "plan/");
  assert.equal(describeEvent(noted), "ready → done, text");
  assert.deepEqual(noted.sections, ["description"]);
  const added = of(SOURCE.replace("{% /work", "## Approach\n\nSo.\n\n{% /work"));
  assert.deepEqual(eventOf(COMMIT, { file, before, after: added }, "").sections, ["Approach"]);
  assert.equal(eventOf(COMMIT, { file, before, after: before }, "").sections, undefined);
  const finished = of(
    SOURCE.replace("ready", "done").replace("{% /work", "## Resolution\n\nSo.\n\n{% /work"),
  );
  const ended = eventOf(COMMIT, { file, before, after: finished }, "");
  assert.equal(describeEvent(ended), "ready → done, resolution");
  assert.deepEqual([ended.textChanged, ended.sections], [true, ["Resolution"]]);
});
