import assert from "node:assert/strict";
import { furtherIds } from "../../../../plugins/plan/store/further.ts";
import { entity } from "../../../support/project.ts";

Deno.test("entities after the first one of a file are found by their tags, examples in fences are none", () => {
  const of = (type: string, id: string) => entity(type, { id }, "A", "Text.\n");
  assert.deepEqual(furtherIds(of("work", "WORK-001")), []);
  assert.deepEqual(furtherIds("# No entity, and {% work of many {% work\n"), []);
  assert.deepEqual(
    furtherIds(
      `${of("work", "WORK-001")}\n${of("bug", "BUG-002")}` +
        '\n```\n{% work id="WORK-003" %}\n```\n{% milestone name="v1" status="active" %}\n',
    ),
    ["BUG-002", "v1"],
  );
  const many = of("work", "WORK-001").repeat(3000);
  assert.equal(furtherIds(many).length, 20);
});
