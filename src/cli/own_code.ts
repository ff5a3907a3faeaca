/**
 * The second command for a project with code of its own: it trusts that code, and so has no git
 * unless the user asks for it.
 */

import { untrustedCode } from "../npm/launch.ts";
import { neededGrants } from "../npm/serve_command.ts";
import { LOCAL_CODE } from "../project/code_policy.ts";
import type { Project } from "../project/project.ts";

export interface OwnCode {
  /** The project with its code trusted. */
  readonly project: Project;
  /** What the second command loads and what is missing, in a sentence. */
  readonly sentence: string;
}

/** What the plain command leaves out; `undefined` if nothing, or if the user trusts code already. */
export async function ownCodeOf(project: Project, git: boolean): Promise<OwnCode | undefined> {
  if (project.code.trusted.length > 0) return undefined;
  const trusted = await untrustedCode(project);
  if (trusted.length === 0) return undefined;
  const what = trusted.map((name) =>
    name === LOCAL_CODE ? "the project's own code (local runes, themes, linked packages)" : name
  ).join(", ");
  return {
    project: { ...project, code: { ...project.code, trusted } },
    sentence: `The next command also loads ${what}, which may do all that the server may; ` +
      gitClause(project, git),
  };
}

function gitClause(project: Project, git: boolean): string {
  if (neededGrants(project).run.length === 0) return "the plain one skips it.";
  return git
    ? "git is worth all of your user's rights to it."
    : "without git, it misses history, claims and other branches (--git adds git, which is worth " +
      "all of your user's rights to that code).";
}
