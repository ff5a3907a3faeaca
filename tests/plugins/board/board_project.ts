import { join } from "node:path";
import { commitAll, git, planFile, writeFiles } from "../../support/project.ts";
import { copyExample } from "../../support/run.ts";

const HOSTILE = `{% work id="WORK-666" status="ready" priority="low" milestone="v1.0.0" %}

# <img src=x onerror="document.title='owned'"> & </script><b>bold</b>

A *list* and a [link](javascript:alert(1)):

1. one
   - two

{% hint type="note" %}
<b>Noted</b>
{% /hint %}

\`\`\`ts
const tag = "{% work %}";
\`\`\`

## Acceptance Criteria

- [ ] <script>parent.document.title='owned'</script> is shown as text

{% /work %}
`;

/** Opens on the board instead of the first tab. */
export const BOARD = { input: { filter: { tab: "board" } } };

/** The example with a history, a hostile entity and a column that has to scroll. */
export function boardProject(): string {
  const cwd = copyExample("plan");
  const commit = (message: string, date: string) => commitAll(cwd, message, `--date=${date}`);
  const index = join(cwd, "plan/work/WORK-001-build-the-index.md");
  const done = Deno.readTextFileSync(index);
  Deno.writeTextFileSync(index, done.replace('status="done"', 'status="in-progress"'));
  commit("Plan the search", "2026-02-20T12:00:00Z");
  Deno.writeTextFileSync(index, done);
  commit("Build the index", "2026-03-02T12:00:00Z");
  git(cwd, "checkout", "-q", "-b", "feature/rank");
  const rank = join(cwd, "plan/work/WORK-003-rank-results.md");
  const here = Deno.readTextFileSync(rank);
  const there = here.replace(/status="[a-z-]+"/, 'status="in-progress" assignee="ada"');
  Deno.writeTextFileSync(rank, there);
  commit("Begin to rank", "2026-03-03T12:00:00Z");
  git(cwd, "checkout", "-q", "main");
  Deno.writeTextFileSync(join(cwd, "plan/work/WORK-666-hostile.md"), HOSTILE);
  for (let number = 700; number < 712; number++) {
    writeFiles(cwd, planFile(`WORK-${number}`, { status: "draft", priority: "low" }));
  }
  return cwd;
}
