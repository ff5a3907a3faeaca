/**
 * What `doctor` says about the machine: git, and what the process may do.
 *
 * @module
 */

import { join } from "node:path";
import { QUICK_MS, runGit } from "../../io/git.ts";
import { gitTrouble } from "../../io/git_messages.ts";
import { repositoryOf } from "../../io/git_settings.ts";
import { mayRead, mayRunGit, mayWrite } from "../../io/permissions.ts";
import { isOnPath } from "../../io/programs.ts";
import type { Project } from "../../project/project.ts";
import { neededGrants } from "../grants.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

/** The grants that the project needs, each there or missing. */
export function grantFindings(project: Project): Finding[] {
  const needed = neededGrants(project);
  const finding = (granted: boolean, flag: string, purpose: string): Finding =>
    granted ? ok("grant", `${flag}: ${purpose}`) : warning(
      "grant",
      `${flag} is missing: no ${purpose}`,
      Deno.build.standalone
        ? "The grants of a binary are fixed; the command below has them all."
        : "Add it to the deno run command.",
    );
  return [
    ...needed.read.map((path) => finding(mayRead(project.cwd), `--allow-read=${path}`, "reading")),
    ...needed.write.map((path) =>
      finding(
        mayWrite(join(project.cwd, path)),
        `--allow-write=${path}`,
        path === "specs" || path === ".gitignore" ? "Ralph specs" : "changes of the plan",
      )
    ),
    // A program that is not there cannot be granted; what to do about it is said of git itself.
    ...needed.run.filter(isOnPath).map((program) =>
      finding(mayRunGit(), `--allow-run=${program}`, "history of the plan")
    ),
  ];
}

/** Whether git is there, may be run, and has a repository here. */
export async function gitFindings(project: Project, signal: AbortSignal): Promise<Finding[]> {
  if (!isOnPath("git")) {
    const needed = neededGrants(project).run.includes("git");
    return [
      (needed ? problem : warning)(
        "git",
        "git is not on the PATH of this process, so there is no history of the plan",
        "Install git; where it is installed, start the client with a PATH that has its folder.",
      ),
    ];
  }
  if (!mayRunGit()) return [];
  const { cwd } = project;
  const options = { cwd, signal, timeoutMs: QUICK_MS };
  const version = await runGit(["version"], options);
  const name = new TextDecoder().decode(version.stdout).trim();
  const inside = await runGit(["rev-parse", "--is-inside-work-tree"], options);
  if (inside.code === 0) return [ok("git", name)];
  if (gitTrouble(inside.stderr) === "noRepository" && repositoryOf(cwd) !== undefined) {
    return [
      problem("git", `${name}, but the repository is damaged`, "Look at .git/HEAD: git status"),
    ];
  }
  const hint = gitTrouble(inside.stderr) === "otherOwner"
    ? inside.stderr.trim()
    : "plan.history needs one: git init";
  return [warning("git", `${name}, but this is not a repository`, hint)];
}
