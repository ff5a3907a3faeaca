/** A project whose texts try to deceive the terminal or the model unnoticed. */

import { makeProject, planFile, SMALL_PLAN } from "./project.ts";

/** Terminal escapes, bidirectional controls and invisible characters. */
export const EVIL: string = "\u001b[2J\u001b]0;t\u0007\u009b31m\u202e\u2066\u200b\u{e0041}";
export const HIDDEN: RegExp =
  // deno-lint-ignore no-control-regex -- they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202e\u2066]|\u{e0041}/u;

export function hostileTexts(): string {
  const config = {
    plan: { dir: "plan" },
    site: {
      contentDir: `content`,
      theme: `lum${EVIL}ina`,
      plugins: [`@refrakt-md/no${EVIL}ne`, `@evil/${EVIL}`, "@refrakt-md/marketing"],
      runes: {
        local: { [`r${EVIL}`]: `./no${EVIL}ne.mjs` },
        aliases: { [`a${EVIL}`]: `b${EVIL}` },
      },
      tints: { mine: { extends: `./no${EVIL}ne.json` } },
    },
    [`odd${EVIL}`]: 1,
  };
  return makeProject({
    ...SMALL_PLAN,
    "refrakt.config.json": JSON.stringify(config),
    "package.json": JSON.stringify({ name: EVIL, dependencies: { "@refrakt-md/marketing": EVIL } }),
    ...planFile(
      "WORK-010",
      { status: "ready", assignee: "somebody" },
      `## Acceptance Criteria\n\n- [ ] needle ${EVIL} of a criterion\n`,
      `Title ${EVIL}`,
    ),
    [`plan/work/odd ${EVIL}.md`]: '{% work id="WORK-011" %}\n<<<<<<< a\n=======\n>>>>>>> b\n',
    [`content/odd ${EVIL}.md`]: `# ${EVIL}\n\n{% no${EVIL}ne ${EVIL}="x" /%}\n\n[x](/no${EVIL})\n`,
    "content/a.md":
      `---\ntitle: "${"x"}"\nodd: ${EVIL}\n---\n\n{% hnt ty${"\u200b"}pe="${EVIL}" /%}\n`,
    [`specs/evil${EVIL}/.progress.md`]:
      `# Progress\n\nGoal: ${EVIL}\n\n## Learnings\n\n- ${EVIL}\n`,
    "specs/made/.progress.md":
      `---\ngoal: "goal ${EVIL}"\n---\n\n## Learnings\n\n- learnt ${EVIL}\n`,
    "specs/made/tasks.md": `# Tasks ${EVIL}\n\n- [ ] 1.1 Do ${EVIL}\n  - **Verify**: run ${EVIL}\n`,
    "specs/made/.ralph-state.json": JSON.stringify({ name: "made", phase: "execution", x: EVIL }),
  });
}
