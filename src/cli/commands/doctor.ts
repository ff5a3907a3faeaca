/** `doctor`: prints the report of `refrakt.detect`. */

import { messageOf, RefraktError, type WarningCode } from "../../errors.ts";
import { type Installation, installationOf, launchMode } from "../../npm/launch.ts";
import type { Project } from "../../project/project.ts";
import type { Detection } from "../../tools/detection.ts";
import { VERSION } from "../../version.ts";
import { shellLine } from "../client_configs.ts";
import { launchFor, neededGrants } from "../grants.ts";
import { ownCodeOf } from "../own_code.ts";
import { print, printJson } from "../print.ts";
import { columns, paintFor, typedCommand } from "../terminal.ts";
import { whileLoading } from "./context.ts";
import type { Command } from "./command.ts";

/** Warnings about features that the project requests and cannot use. */
const ERRORS: ReadonlySet<WarningCode> = new Set([
  "CONFIG_INVALID",
  "FOLDER_UNREADABLE",
  "PLUGIN_LOAD_FAILED",
  "PLUGIN_MALFORMED",
  "SITE_BROKEN",
]);

type Line = readonly [status: "ok" | "warn" | "FAIL", topic: string, text: string];

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
    const git = flags.values["git"] === true;
    const lines = reportLines(project, detection, installation, git);
    const healthy = lines.every(([status]) => status !== "FAIL");
    if (flags.values["json"] === true) printJson({ healthy, detection });
    else {
      printReport(lines);
      print(`\n${await launchText(project, installation, git)}\n${viewsText(project)}`);
    }
    return healthy ? 0 : 1;
  },
};

function viewsText({ plan, site }: Project): string {
  const views = [plan && "view board", site && "view preview"].filter((view) => view !== null)
    .map((view) => `  ${typedCommand()} ${view}\n`).join("");
  return views && `\nIn your browser, without a client (with --allow-net=127.0.0.1):\n${views}`;
}

function reportLines(
  project: Project,
  { cwd, plan, site, plugins, tools, warnings, permissions }: Detection,
  installation: Installation,
  git: boolean,
): Line[] {
  // A site whose third-party code is not trusted is not broken.
  const leftOut = warnings.some(({ code }) => code === "CODE_NOT_TRUSTED");
  const permission = (isGranted: boolean, flag: string): Line =>
    isGranted
      ? ["ok", "permission", flag]
      : ["warn", "permission", `${flag} is missing: add it to the deno run command`];
  const { write, run } = neededGrants(project);
  const { writeSpecs, writePlan } = permissions;
  return [
    ["ok", "project", cwd],
    ["ok", "server", `${VERSION} on Deno ${Deno.version.deno}`],
    [
      "ok",
      "plan",
      plan ? `${plan.dir}/ with ${plan.fileCount} files` : "none; plan.init creates one",
    ],
    ["ok", "sites", site === null ? "none declared" : site.sites.join(", ")],
    ...plugins.map(({ packageName, packageVersion, versionFrom, commands }): Line => [
      "ok",
      "plugin",
      `${packageName} ${packageVersion} (${versionFrom}): ${commands.length} commands`,
    ]),
    ["ok", "tools", String(tools.length)],
    ...warnings.map(({ code, message, hint }): Line => [
      ERRORS.has(code) && !(leftOut && code === "SITE_BROKEN") ? "FAIL" : "warn",
      code,
      withHint(message, hint),
    ]),
    ["ok", "packages", launchMode(installation).reason],
    permission(permissions.read, "--allow-read=."),
    ...write.map((path) => {
      const isGranted = path === "specs" || path === ".gitignore" ? writeSpecs : writePlan;
      return permission(isGranted, `--allow-write=${path}`);
    }),
    ...(run.length === 0 ? [] : [
      gitLine(project, permissions.git, git) ??
        permission(permissions.git, "--allow-run=git"),
    ]),
  ];
}

/** The line about git beside trusted code, unless the user wants both. */
function gitLine({ code }: Project, isGranted: boolean, git: boolean): Line | undefined {
  if (code.trusted.length === 0 || git) return undefined;
  return isGranted
    ? ["warn", "permission", "--allow-run=git gives the trusted code all of your user's rights"]
    : ["ok", "permission", "no git beside trusted code: without history, claims, other branches"];
}

function printReport(lines: readonly Line[]): void {
  const { green, yellow, red } = paintFor(Deno.stdout);
  const colours = { ok: green, warn: yellow, FAIL: red };
  const paint = (name: string) =>
    name.replace(/^\w+/, (status) => colours[status as Line[0]](status));
  const rows = lines.map(([status, topic, text]) => [`${status.padEnd(6)}${topic}`, text] as const);
  print(columns(rows, { paint }));
}

function withHint(message: string, hint: string | undefined): string {
  return hint === undefined ? message : `${message.replace(/\.$/, "")}. ${hint}`;
}

async function launchText(
  project: Project,
  installation: Installation,
  git: boolean,
): Promise<string> {
  try {
    const line = shellLine(launchFor(project, { installation, git }));
    const own = await ownCodeOf(project, git);
    const second = own && launchFor(own.project, {
      installation: await installationOf(own.project),
      git,
    });
    return `A client in this project starts the server with:\n\n  ${line}\n\n` +
      (own && second ? `${own.sentence}\n\n  ${shellLine(second)}\n\n` : "") +
      "See config <client> for the whole snippet.";
  } catch (error) {
    // The configuration contains a path that cannot be a permission.
    return withHint(messageOf(error), error instanceof RefraktError ? error.hint : undefined);
  }
}
