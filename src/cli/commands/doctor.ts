/**
 * `doctor`: is everything there that the server needs in this project?
 *
 * @module
 */

import { columns } from "../columns.ts";
import { shellLine } from "../client_configs.ts";
import { configFindings } from "../doctor/config.ts";
import { checked, type Finding, ok, problemOf } from "../doctor/finding.ts";
import { gitFindings, grantFindings } from "../doctor/machine.ts";
import {
  detectionFindings,
  folderFindings,
  planFindings,
  siteFindings,
} from "../doctor/project.ts";
import { installationOf, launchMode } from "../../npm/launch.ts";
import { type Launch, launchFor } from "../grants.ts";
import { print, printJson } from "../print.ts";
import { paintFor } from "../terminal.ts";
import { VERSION } from "../../version.ts";
import type { Workspace } from "../../tools/workspace.ts";
import { terminalContext } from "./context.ts";
import type { Command } from "./types.ts";
import { whileLoading } from "./waiting.ts";

const MARKS = { ok: "ok  ", warning: "warn", problem: "FAIL" };

/** The command. */
export const doctor: Command = {
  name: "doctor",
  usage: "doctor",
  help: "Say what is detected, what is missing or misspelt, and what to do; ends with 1 if " +
    "something is wrong",
  examples: ["doctor", "doctor --json"],
  mostArgs: 0,
  run: async ({ workspace, flags }) => {
    const findings = await diagnose(workspace);
    let launch: Launch | null = null;
    try {
      const project = workspace.project();
      launch = launchFor(project, { installation: await installationOf(project) });
    } catch (error) {
      findings.push(problemOf("grant", error));
    }
    const json = flags.values["json"] === true;
    const detection = json ? await workspace.detection().catch(() => null) : null;
    report(findings, json ? { launch, detection } : undefined);
    if (!json && launch !== null) {
      print(
        `\nA client in this project starts the server with:\n\n  ${
          shellLine(launch)
        }\n\nSee config <client> for the whole snippet.\n`,
      );
    }
    return exitCodeFor(findings);
  },
  withoutProject: (error, flags) => {
    const findings = [
      ok("server", `${VERSION} on Deno ${Deno.version.deno}`),
      problemOf("project", error),
    ];
    report(findings, flags.values["json"] === true ? { launch: null, detection: null } : undefined);
    return exitCodeFor(findings);
  },
};

/** All findings; a check that fails itself is one of them. */
async function diagnose(workspace: Workspace): Promise<Finding[]> {
  const context = terminalContext(workspace);
  const { project } = context;
  const groups = [
    await checked(
      "project",
      async () => detectionFindings(await whileLoading(workspace.detection())),
    ),
    await checked("folder", () => folderFindings(project)),
    await checked("config", () => configFindings(project)),
    await checked("packages", async () => {
      const { reason } = launchMode(project, await installationOf(project));
      return [ok("packages", reason)];
    }),
    await checked("grant", () => grantFindings(project)),
    await checked("git", () => gitFindings(project, context.signal)),
    await checked("plan", async () => planFindings(await workspace.toolset(), context)),
    await checked(
      "site",
      async () => siteFindings(await workspace.toolset(), await workspace.detection(), context),
    ),
  ];
  return groups.flat();
}

/** Prints findings: as lines for a person, or as JSON with the facts beside them. */
export function report(
  findings: readonly Finding[],
  facts: Record<string, unknown> | undefined,
): void {
  if (facts !== undefined) {
    const healthy = exitCodeFor(findings) === 0;
    printJson({ healthy, findings, ...facts });
    return;
  }
  const { green, yellow, red } = paintFor(Deno.stdout);
  const paints = { "ok  ": green, warn: yellow, FAIL: red };
  const paint = (name: string) => {
    const [mark, painted] = Object.entries(paints).find(([mark]) => name.startsWith(mark))!;
    return painted(mark) + name.slice(mark.length);
  };
  const rows = findings.map(({ status, topic, message, hint }) =>
    [
      `${MARKS[status]}  ${topic}`,
      hint === undefined ? message : `${message.replace(/\.$/, "")}. ${hint}`,
    ] as const
  );
  print(columns(rows, { paint }));
}

/** The exit code for findings: 1 where something is wrong. */
export function exitCodeFor(findings: readonly Finding[]): number {
  return findings.some(({ status }) => status === "problem") ? 1 : 0;
}
