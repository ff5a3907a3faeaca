import assert from "node:assert/strict";
import {
  entityClassFor,
  restOf,
  StoredEntity,
} from "../../../../plugins/plan/store/stored_entity.ts";
import { loadedPlan } from "../../../support/plan.ts";

const HEADER = { type: "work", attributes: { id: "WORK-001" }, title: "A" } as const;
const REST = { criteria: [], refs: [], scopedRefs: [], knownSectionsPresent: [] };

Deno.test("the rest is parsed when it is first read, and once", () => {
  let parsed = 0;
  const source = {
    missing: undefined,
    emptyRest: REST,
    parseRest: () => ({ ...REST, refs: [`WORK-00${++parsed}`] }),
  };
  const entity = new StoredEntity("work/a.md", HEADER, 0, source);
  assert.equal(entity.id, "WORK-001");
  assert.equal(entity.isParsed, false);
  assert.deepEqual([entity.refs, entity.refs], [["WORK-001"], ["WORK-001"]]);
});

Deno.test("while what is missing is noted down, nothing is parsed", () => {
  const missing = new Set<StoredEntity>();
  const source = {
    missing,
    emptyRest: REST,
    parseRest: () => assert.fail("it was parsed"),
  };
  const entity = new StoredEntity("work/a.md", HEADER, 0, source);
  assert.deepEqual(entity.refs, []);
  assert.deepEqual([...missing], [entity]);
});

Deno.test("fields of a newer parser are read like the known ones", async () => {
  const { parser } = await loadedPlan();
  assert.equal(
    entityClassFor(restOf(parser.parse('{% work id="W" %}\n{% /work %}', "a.md")!)),
    StoredEntity,
  );
  const rest = { ...REST, estimates: ["3d"] };
  const Entity = entityClassFor(rest);
  const source = { missing: undefined, emptyRest: REST, parseRest: () => rest };
  const entity = new Entity("a.md", HEADER, 0, source) as StoredEntity & { estimates?: unknown };
  assert.deepEqual(entity.estimates, ["3d"]);
});

Deno.test("a title has nothing hidden in it, and an end", () => {
  const source = { missing: undefined, emptyRest: REST, parseRest: () => REST };
  const title = `Pay\u202egnp.\u200bexe\u0007 ${"x".repeat(5000)}`;
  const entity = new StoredEntity("work/a.md", { ...HEADER, title }, 0, source);
  assert.match(entity.title!, /^Paygnp\.exe x{900,}…$/);
  assert.equal(entity.title!.length, 1000);
});
