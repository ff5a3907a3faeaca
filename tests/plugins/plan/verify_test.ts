import assert from "node:assert/strict";
import { read } from "../../../plugins/plan/document.ts";
import { editable } from "../../../plugins/plan/edits.ts";
import { tick } from "../../../plugins/plan/edits/criteria.ts";
import { applySplices } from "../../../plugins/plan/edits/outcome.ts";
import { verifyEdit } from "../../../plugins/plan/verify.ts";

const SOURCE =
  '{% work id="WORK-001" status="ready" %}\n\n# A\n\n## Acceptance Criteria\n\n- [ ] One\n\n' +
  '## Dependencies\n- {% ref "WORK-002" /%}\n\n{% /work %}\n\nAfter.\n';

/** Verifies a tick whose writer did something else. */
function verify(change: (written: string) => string): void {
  const before = editable(read(SOURCE));
  const outcome = tick({ kind: "check", which: [1] }, before);
  const text = change(applySplices(SOURCE, outcome.splices));
  verifyEdit(before, read(text), { attributes: {}, title: undefined, outcome });
}

Deno.test("whatever would change beside what was asked for is refused by its name", () => {
  verify((text) => text);
  for (
    const [change, told] of [
      [(text: string) => text.replace('status="ready"', 'status="done"'), /attribute "status"/],
      [(text: string) => text.replace("# A", "# B"), /title/],
      [(text: string) => text.replace("WORK-002", "WORK-003"), /Dependencies would change/],
      [(text: string) => text.replace("## Dependencies", "### Dependencies"), /Dependencies would/],
      [(text: string) => text.replace("- [x] One\n", "- [x] One\n- [ ] Two\n"), /criteria/],
      [(text: string) => text.replace("After.", "Behind."), /what follows it/],
      [(text: string) => `x\n\n${text}`, /what stands before it/],
      [(text: string) => text.replace("{% /work %}", ""), /not closed/],
      [(text: string) => text.replace("{% work ", "{% bug "), /tag could not be read/],
    ] as const
  ) {
    assert.throws(() => verify(change), { code: "VALIDATION_ERROR", message: told });
  }
});
