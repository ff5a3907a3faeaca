import assert from "node:assert/strict";
import { inLab, putSpec, stateOf } from "../support.ts";

Deno.test("ralph_switch shows the status of the spec", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [x] 1.1 A\n- [ ] 1.2 B\n");
    await lab.call("ralph_start", { name: "other" });
    const data = await lab.call("ralph_switch", { name: "auth" });
    assert.deepEqual(
      [data["spec"].name, data["spec"].phase, data["spec"].done, data["spec"].total],
      ["auth", "execution", 1, 2],
    );
    assert.match(data["text"], /^Switched: other → auth\./);
    assert.deepEqual([data["spec"].artifacts, data["next"]], [["tasks.md"], "ralph_implement"]);
    assert.equal(lab.read("specs/.current-spec"), "auth");
    const same = await lab.call("ralph_switch", { name: "auth" });
    assert.match(same["text"], /already/);
    lab.write("specs/.current-spec", "gone");
    const stale = await lab.call("ralph_switch", { name: "auth" });
    assert.match(stale["warnings"].join(), /'gone'/);
    await lab.fail("ralph_switch", "INVALID_ARGS");
    const none = await lab.fail("ralph_switch", "SPEC_NOT_FOUND", { name: "x" });
    assert.match(none.hint!, /auth, other/);
    assert.equal(stateOf(lab, "auth")["revision"], undefined, "switching writes no state");
  }));
