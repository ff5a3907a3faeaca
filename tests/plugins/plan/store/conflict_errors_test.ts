import assert from "node:assert/strict";
import { refuseConflicts } from "../../../../plugins/plan/store/conflict_errors.ts";
import { storeOf } from "../../../support/plan.ts";
import { entity, SMALL_PLAN } from "../../../support/project.ts";

Deno.test("a plan in conflict refuses writes with the places, one without does not", async () => {
  const { store: sound } = await storeOf(SMALL_PLAN);
  refuseConflicts(await sound.read());
  const { store: twice } = await storeOf({
    ...SMALL_PLAN,
    "plan/work/WORK-001-again.md": entity("work", { id: "WORK-001" }, "Again", ""),
  });
  const state = await twice.read();
  assert.throws(() => refuseConflicts(state), {
    code: "CONFLICT",
    message: "2 files have the id WORK-001: work/WORK-001-again.md, work/WORK-001-first.md",
    data: { files: ["work/WORK-001-again.md", "work/WORK-001-first.md"] },
  });
  const { store: merging } = await storeOf({
    "plan/specs/SPEC-001-a.md": entity(
      "spec",
      { id: "SPEC-001" },
      "A",
      "<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> other\n",
    ),
  });
  const markers = await merging.read();
  assert.throws(() => refuseConflicts(markers), {
    code: "CONFLICT",
    message: /SPEC-001-a\.md:5 and .*SPEC-001-a\.md:9/,
  });
});
