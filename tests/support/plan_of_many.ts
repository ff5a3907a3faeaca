/** A plan of 50 items of one milestone, whose last commit has removed one that two others depend on. */

import { commitAll, git, makeProject, planFile } from "./project.ts";

export function planOfMany(): string {
  const ids = Array.from({ length: 50 }, (_, at) => `WORK-0${String(at + 10)}`);
  const item = (id: string, text = "") =>
    planFile(
      id,
      { status: "ready", priority: "high", milestone: "v1.0.0" },
      `## Acceptance Criteria\n\n- [x] It runs\n\n## Approach\n\nSo.\n\n${text}`,
    );
  const milestone = '{% milestone name="v1.0.0" status="active" %}\n\n# v1.0.0 — First\n\n' +
    "{% /milestone %}\n";
  const files = Object.assign(
    { "plan/milestones/v1.0.0.md": milestone },
    ...ids.map((id) => item(id)),
  );
  const depending = '## Dependencies\n\n- {% ref "WORK-099" /%}\n';
  const before = [item("WORK-099"), item("WORK-058", depending), item("WORK-059", depending)];
  const cwd = makeProject(Object.assign({}, files, ...before));
  git(cwd, "init", "-q", "-b", "main");
  commitAll(cwd, "Begin");
  Deno.removeSync(`${cwd}/plan/work/WORK-099.md`);
  for (const id of ["WORK-058", "WORK-059"]) {
    const [[path, text] = ["", ""]] = Object.entries(item(id));
    Deno.writeTextFileSync(`${cwd}/${path}`, text);
  }
  commitAll(cwd, "Drop it");
  return cwd;
}
