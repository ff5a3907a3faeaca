/**
 * `doctor`: prints what `refrakt.detect` reports about a project.
 *
 * @module
 */

import { messageOf, RefraktError, type WarningCode } from "../../errors.ts";
import { refusalToError } from "../../io/permissions.ts";
import { type Installation, installationOf, launchMode } from "../../npm/launch.ts";
import type { Project } from "../../project/project.ts";
import type { Detection } from "../../tools/detection.ts";
import { VERSION } from "../../version.ts";
import { shellLine } from "../client_configs.ts";
import { columns } from "../columns.ts";
import { launchFor, neededGrants } from "../grants.ts";
import { typedCommand } from "../typed_command.ts";
import { print, printJson } from "../print.ts";
import { type Paint, paintFor } from "../terminal.ts";
import type { Command } from "./types.ts";
import { whileLoading } from "./waiting.ts";

/** Warnings about something that the project asks for and does not get. */
const ERRORS: ReadonlySet<WarningCode> = new Set([
  "CONFIG_INVALID",
  "FOLDER_UNREADABLE",
  "PLUGIN_LOAD_FAILED",
  "PLUGIN_MALFORMED",
  "SITE_BROKEN",
]);

/** A line of the report: status, topic and text. */
type Line = readonly [status: keyof typeof MARKS, topic: string, text: string];

const MARKS = { ok: "ok  ", warning: "warn", error: "FAIL" };
const PAINTS = { ok: "green", warning: "yellow", error: "red" } as const satisfies Record<
  string,
  keyof Paint
>;

/** The command. */
export const doctor: Command = {
  name: "doctor",
  usage: "doctor",
  help: "Print what refrakt.detect reports; exits with 1 if it found errors",
  examples: ["doctor", "doctor --json"],
  mostArgs: 0,
  run: async ({ workspace, flags }) => {
    const project = workspace.project();
    const detection = await whileLoading(workspace.detection());
    const installation = await installationOf(project);
    const lines = [
      ...reportLines(detection),
      ...permissionLines(project, detection, installation),
    ];
    const healthy = lines.every(([status]) => status !== "error");
    if (flags.values["json"] === true) printJson({ healthy, detection });
    else printReport(lines, launchText(project, installation) + viewsText(project));
    return healthy ? 0 : 1;
  },
  withoutProject: (error, flags) => {
    const known = refusalToError(error, Deno.cwd()) ?? error;
    const message = withHint(
      messageOf(known),
      known instanceof RefraktError ? known.hint : undefined,
    );
    if (flags.values["json"] === true) printJson({ healthy: false, detection: null, message });
    else printReport([["ok", "server", serverText()], ["error", "project", message]]);
    return 1;
  },
};

/** What people can look at without a client. */
function viewsText({ plan, site }: Project): string {
  const views = [
    ...(plan === null ? [] : ["view board"]),
    ...(site === null ? [] : ["view preview"]),
  ];
  if (views.length === 0) return "";
  return `\nIn your browser, without a client (with --allow-net=127.0.0.1):\n${
    views.map((view) => `  ${typedCommand()} ${view}\n`).join("")
  }`;
}

function reportLines({ cwd, plan, site, plugins, tools, warnings }: Detection): Line[] {
  // A site is not broken because third-party code was not trusted.
  const leftOut = warnings.some(({ code }) => code === "CODE_NOT_TRUSTED");
  return [
    ["ok", "project", cwd],
    ["ok", "server", serverText()],
    [
      "ok",
      "plan",
      plan === null ? "none; plan.init creates one" : `${plan.dir}/ with ${plan.fileCount} files`,
    ],
    ["ok", "sites", site === null ? "none declared" : site.sites.join(", ")],
    ...plugins.map(({ packageName, packageVersion, versionFrom, commands }): Line => [
      "ok",
      "plugin",
      `${packageName} ${packageVersion} (${versionFrom}): ${commands.length} commands`,
    ]),
    ["ok", "tools", String(tools.length)],
    ...warnings.map(({ code, message, hint }): Line => [
      ERRORS.has(code) && !(leftOut && code === "SITE_BROKEN") ? "error" : "warning",
      code,
      withHint(message, hint),
    ]),
  ];
}

/** Where the packages come from, and each permission that the project needs. */
function permissionLines(
  project: Project,
  { permissions }: Detection,
  installation: Installation,
): Line[] {
  const { write, run } = neededGrants(project);
  const line = (isGranted: boolean, flag: string): Line =>
    isGranted
      ? ["ok", "permission", flag]
      : ["warning", "permission", `${flag} is missing: add it to the deno run command`];
  return [
    ["ok", "packages", launchMode(installation).reason],
    line(permissions.read, "--allow-read=."),
    ...write.map((path) =>
      line(
        path === "specs" || path === ".gitignore" ? permissions.writeSpecs : permissions.writePlan,
        `--allow-write=${path}`,
      )
    ),
    ...run.map((program) => line(permissions.git, `--allow-run=${program}`)),
  ];
}

function launchText(project: Project, installation: Installation): string {
  try {
    return `\nA client in this project starts the server with:\n\n  ${
      shellLine(launchFor(project, { installation }))
    }\n\nSee config <client> for the whole snippet.\n`;
  } catch (error) {
    return `\n${
      withHint(messageOf(error), error instanceof RefraktError ? error.hint : undefined)
    }\n`;
  }
}

function printReport(lines: readonly Line[], rest = ""): void {
  const paint = paintFor(Deno.stdout);
  const statusOf = new Map(lines.map(([status, topic]) => [`${MARKS[status]}  ${topic}`, status]));
  const rows = lines.map(([status, topic, text]) => [`${MARKS[status]}  ${topic}`, text] as const);
  const painted = (name: string) =>
    paint[PAINTS[statusOf.get(name)!]](name.slice(0, 4)) + name.slice(4);
  print(columns(rows, { paint: painted }) + rest);
}

function serverText(): string {
  return `${VERSION} on Deno ${Deno.version.deno}`;
}

function withHint(message: string, hint: string | undefined): string {
  return hint === undefined ? message : `${message.replace(/\.$/, "")}. ${hint}`;
}
