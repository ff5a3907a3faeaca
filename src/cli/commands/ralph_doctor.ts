/**
 * `doctor` of the Ralph program: can it work here, and are the specs sound?
 *
 * @module
 */

import { join } from "node:path";
import { overview } from "../../../plugins/ralph/rows.ts";
import { isWorkTree } from "../../../plugins/ralph/gitignore.ts";
import { mayRead, mayWrite } from "../../io/permissions.ts";
import { VERSION } from "../../version.ts";
import { checked, count, type Finding, ok, warning } from "../doctor/finding.ts";
import { exitCodeFor, report } from "./doctor.ts";
import type { Command } from "./types.ts";

/** The command. */
export const ralphDoctor: Command = {
  name: "doctor",
  usage: "doctor",
  help: "Say which grants are missing and how the specs stand; ends with 1 if something is wrong",
  examples: ["doctor", "doctor --json"],
  mostArgs: 0,
  run: async ({ workspace, flags }) => {
    const { cwd } = workspace.project();
    const findings = [
      ok("project", cwd),
      ok("server", `${VERSION} on Deno ${Deno.version.deno}`),
      ...await checked("grant", () => grants(cwd)),
      ...await checked("specs", () => specs(cwd)),
    ];
    report(findings, flags.values["json"] === true ? {} : undefined);
    return exitCodeFor(findings);
  },
};

function grants(cwd: string): Finding[] {
  const finding = (granted: boolean, flag: string, purpose: string) =>
    granted
      ? ok("grant", `${flag}: ${purpose}`)
      : warning("grant", `${flag} is missing: no ${purpose}`, "Add it to the deno run command.");
  return [
    finding(mayRead(cwd), "--allow-read=.", "reading of the project"),
    finding(mayWrite(join(cwd, "specs")), "--allow-write=specs", "writing of specs"),
    ...(isWorkTree(cwd)
      ? [finding(mayWrite(join(cwd, ".gitignore")), "--allow-write=.gitignore", "lines for git")]
      : []),
  ];
}

function specs(cwd: string): Finding[] {
  const { specs, count: number, current, warnings } = overview(cwd);
  return [
    ok("specs", `${count(number, "spec")}, current: ${current ?? "none"}`),
    ...warnings.map((message) => warning("specs", message)),
    ...specs.filter((row) => row.status === "corrupt" || row.status === "no-state").map((row) =>
      warning("specs", `${row.name} has no usable state`, `${row.todo}.`)
    ),
  ];
}
