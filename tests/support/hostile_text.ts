/** A project whose texts try to deceive the terminal or the model unnoticed. */

import { makeProject, planFile, SMALL_PLAN } from "./project.ts";

/** Terminal escapes, bidirectional controls, and characters of each kind that nobody sees. */
export const EVIL: string = "\u001b[2J\u001b]0;t\u0007\u009b31m\u202e\u2066\u200b\u{e0041}" +
  "\u{e0100}\u3164\u115f\u2800\u034f\u00ad\u180e\ufeff\ufffa\u2028x\ufe0f\u200d";
export const HIDDEN: RegExp =
  /(?![\t\n]|\r\n)[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u;

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
