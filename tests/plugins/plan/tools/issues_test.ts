import assert from "node:assert/strict";
import { groupIssues, issueGroups, problemIssues } from "../../../../plugins/plan/tools/issues.ts";

const broken = (source: string, target: string) => ({
  type: "broken-ref",
  severity: "error",
  source,
  target,
  message: `${source} refers to ${target}, which does not exist`,
});

Deno.test("issues of one kind are one group, whose sentence leaves open what differs", () => {
  assert.deepEqual(groupIssues([broken("WORK-001", "SPEC-9"), broken("WORK-002", "SPEC-8")]), [{
    type: "broken-ref",
    severity: "error",
    count: 2,
    message: "{id} refers to {target}, which does not exist",
    ids: ["WORK-001", "WORK-002"],
  }]);
  const [one] = groupIssues([broken("WORK-001", "SPEC-9")]);
  assert.equal(one?.message, "WORK-001 refers to SPEC-9, which does not exist");
});

Deno.test("an entity is named once, and one kind with another severity is another group", () => {
  const [errors, warnings] = groupIssues([
    broken("WORK-001", "SPEC-9"),
    broken("WORK-001", "SPEC-8"),
    { ...broken("WORK-001", "SPEC-7"), severity: "warning" },
  ]);
  assert.deepEqual([errors?.count, errors?.ids, warnings?.severity], [2, ["WORK-001"], "warning"]);
});

Deno.test("many different sentences are an example, and the ids are cut while the count stays", () => {
  const groups = groupIssues(
    Array.from(
      { length: 9 },
      (_, at) => ({ type: "odd", source: `W-${at}`, message: `no. ${at}` }),
    ),
  );
  assert.equal(groups[0]?.message, "For example: no. 0");
  const [cut] = issueGroups(groups, 2);
  assert.deepEqual([cut?.count, cut?.ids], [9, ["W-0", "W-1"]]);
  assert.equal(groups[0]?.ids.length, 9);
});

Deno.test("a problem of a file without an id is told by its path", () => {
  const [issue] = problemIssues([{ type: "unreadable", file: "work/a.md", message: "x" }]);
  assert.deepEqual(issue, {
    type: "unreadable",
    severity: "error",
    source: "work/a.md",
    file: "work/a.md",
    message: "x",
  });
});
