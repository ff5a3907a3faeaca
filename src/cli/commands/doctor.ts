/** `doctor`: prints the report of `refrakt_detect`. */

import { messageOf, RefraktError, type WarningCode } from "../../errors.ts";
import { keptBytes, mayKeep, MOST_KEPT } from "../../io/kept.ts";
import { isOnPath } from "../../io/git.ts";
import { replacedPackages } from "../../npm/manifests.ts";
import { startOf } from "../../npm/start.ts";
import { CONFIG_NAME } from "../../project/config.ts";
import type { Project } from "../../project/project.ts";
import type { Detection } from "../../tools/detection.ts";
import { BROWSER_VIEWS, FACTS } from "../../bundled.ts";
import { has } from "../../tools/registry.ts";
import { VERSION } from "../../version.ts";
import { launchFor, neededGrants, printableLaunch, trustStep } from "../../npm/serve_command.ts";
import { shellLine } from "../../npm/shell.ts";
import { quotedName, shortLine } from "../../plain_text.ts";
import { chooseDeno } from "../deno_command.ts";
import { newerVersion } from "../newer_version.ts";
import { print, printJson } from "../print.ts";
import { unservedPlugins } from "../unserved_plugins.ts";
import { table, wrap } from "../table.ts";
import { lineWidth, paintFor, typedCommand } from "../terminal.ts";
import { whileLoading } from "./context.ts";
import type { Command } from "./command.ts";
import { counted } from "../../tools/counted.ts";

/** Warnings about features that the project requests and cannot use. */
const ERRORS: ReadonlySet<WarningCode> = new Set([
  "CONFIG_INVALID",
  "FOLDER_UNREADABLE",
  "PATH_MISSING",
  "PLUGIN_LOAD_FAILED",
  "PLUGIN_MALFORMED",
  "SITE_BROKEN",
]);

const NO_KIND = ["ok", "kind", "none of refrakt's: no plan, no site, no package for it"] as const;
const NO_GIT: Line = [
  "warn",
  "git",
  "git is not installed, or not on the PATH: the plan has no history",
];

const { standalone } = Deno.build;
const FIXED = "a binary's permissions are fixed, so start the server from JSR";

type Line = readonly [status: "ok" | "warn" | "FAIL", topic: string, text: string];

/** What is true of the printed command, and what of the process that prints it. */
interface Lines {
  readonly command: readonly Line[];
  readonly process: readonly Line[];
}

export const doctor: Command = {
  name: "doctor",
  usage: "doctor",
  help: "Print the command that starts the server here, and what refrakt_detect reports; exits " +
    "with 1 if it found errors",
  examples: ["doctor", "doctor --json"],
  mostArgs: 0,
  run: async ({ workspace, flags }) => {
    const project = workspace.project();
    const detection = await whileLoading(workspace.detection());
    const start = await startOf(project);
    const git = flags.values["git"] === true;
    const options = { deno: chooseDeno(false), git };
    const { launch, problem: cause } = printableLaunch(project, options);
    const hint = cause instanceof RefraktError ? cause.hint : undefined;
    const problem = cause === undefined ? undefined : withHint(messageOf(cause), hint);
    const needsMore = problem === undefined && start.trust && !project.code.trust;
    const trusting = needsMore ? launchFor(project, { ...options, trust: true }) : undefined;
    const unread = (await Promise.all(FACTS.map(({ unread }) => unread(project)))).flat();
    const bytes = mayKeep() ? await keptBytes() : undefined;
    const newer = await newerVersion();
    const unserved = problem === undefined ? unservedPlugins(project, options) : [];
    const lines: Lines = {
      command: commandLines(project, start.sentence, problem),
      process: [
        ...reportLines(project, detection, git),
        ["ok", "cache", keptText(bytes)],
        ...unread.map((text) => ["warn", "elsewhere", text] as const),
        ...newer === undefined ? [] : [
          [
            "warn",
            "server",
            `${newer} is newer: write jsr:@refrakt/mcp@${newer} where the client starts it`,
          ] as const,
        ],
        ...unserved.map(({ package: name }): Line => [
          "warn",
          "plugin",
          `${name} exports ./cli-plugin and is not served: see below`,
        ]),
      ],
    };
    const healthy = [...lines.command, ...lines.process].every(([status]) => status !== "FAIL");
    const [command, trustCommand] = [launch, trusting].map((each) => each && shellLine(each));
    if (flags.values["json"] === true) {
      printJson({
        healthy,
        command,
        ...(trustCommand === undefined ? {} : { trustCommand }),
        ...(bytes === undefined ? {} : { cacheBytes: bytes }),
        ...(unread.length === 0 ? {} : { unread }),
        ...(newer === undefined ? {} : { newerVersion: newer }),
        ...(unserved.length === 0 ? {} : { unserved }),
        detection,
      });
      return healthy ? 0 : 1;
    }
    print(`${command}\n\n`);
    if (trustCommand !== undefined) {
      print(`${wrap(trustSentence(project, git), lineWidth()).join("\n")}\n\n${trustCommand}\n\n`);
    }
    printReport("The command above", lines.command);
    printReport("\nThis process", lines.process);
    for (const { path, command } of detection.below ?? []) {
      print(`\nA project is in ${path}, served by:\n${command}\n`);
    }
    for (const { package: name, config, command } of unserved) {
      print(`\nTo serve ${name}, write ${config} into ${CONFIG_NAME}, and start:\n${command}\n`);
    }
    print(`\nThe first line starts the server; config <client> prints the whole snippet.\n`);
    print(viewsText(project));
    return healthy ? 0 : 1;
  },
};

function keptText(bytes: number | undefined): string {
  if (bytes === undefined) return "nothing is kept for the next start";
  const [kept, most] = [(bytes / 1e6).toFixed(1), MOST_KEPT / 1e6];
  return `${kept} MB of at most ${most} MB are kept for the next start, of all projects, ` +
    "below DENO_DIR; cache clear removes it";
}

function viewsText(project: Project): string {
  const views = BROWSER_VIEWS.filter(({ requires }) => has(project, requires))
    .map(({ name }) => `  ${typedCommand()} view ${name}\n`).join("");
  return views && `\nIn your browser, without a client (with --allow-net=127.0.0.1):\n${views}`;
}

/** What the second command does. */
function trustSentence(project: Project, git: boolean): string {
  const start = "The next command runs the project's code, which may do all that the server may";
  if (neededGrants(project).run.length === 0) return `${start}.`;
  return git
    ? `${start}: git is worth all of your user's rights to it.`
    : `${start}. It has no history, claims and other branches without git, which is worth all of ` +
      "your user's rights to that code (--git adds it).";
}

const MOST_NAMES = 8;

/** Which way to start the project needs, and what the printed command ignores. */
function commandLines(project: Project, start: string, problem: string | undefined): Line[] {
  const replaced = project.code.trust ? [] : replacedPackages(project);
  const names = replaced.slice(0, MOST_NAMES).map(quotedName).join(", ");
  return [
    ["ok", "start", start],
    ...(replaced.length === 0 ? [] : [
      ["warn", "packages", `Overrides and patches are ignored without --trust: ${names}`] as const,
    ]),
    ...(problem === undefined ? [] : [["warn", "permission", problem] as const]),
  ];
}

function reportLines(
  project: Project,
  { cwd, kinds, plan, planStep, site, plugins, remote, tools, warnings, permissions }: Detection,
  git: boolean,
): Line[] {
  // A site whose third-party code is not trusted is not broken.
  const leftOut = warnings.some(({ code }) => code === "CODE_NOT_TRUSTED");
  const permission = (isGranted: boolean, flag: string): Line =>
    isGranted ? ["ok", "permission", flag] : [
      "warn",
      "permission",
      standalone
        ? `${flag} is missing: ${FIXED}`
        : `started without ${flag}, which the command above has`,
    ];
  const { write, run } = neededGrants(project);
  const { writeSpecs, writePlan } = permissions;
  const step = trustStep(project);
  const isUnknown = project.configProblem !== undefined;
  const noSite = isUnknown ? "unknown" : "none";
  return [
    ["ok", "project", cwd],
    ["ok", "server", `${VERSION} on Deno ${Deno.version.deno}`],
    ...kinds.map(({ kind, name, use }): Line => [
      "ok",
      "kind",
      `${kind}${name === undefined ? "" : ` ${shortLine(name, 100)}`}: ${use}`,
    ]),
    ...(kinds.length === 0 && project.renamedPlan === undefined && !isUnknown ? [NO_KIND] : []),
    // Where the plan was renamed, the failure says so.
    ...(project.renamedPlan !== undefined ? [] : [
      [
        "ok",
        "plan",
        plan
          ? `${plan.dir}/ with ${counted(plan.fileCount, "file")}`
          : `${isUnknown ? "unknown" : "none"}. ${planStep}`,
      ] as const,
    ]),
    ["ok", "sites", project.site?.isTheme ? "the theme alone" : site?.sites.join(", ") ?? noSite],
    ...plugins.map(({ packageName, packageVersion, versionFrom, commands }): Line => [
      "ok",
      "plugin",
      `${packageName} ${packageVersion} (${versionFrom}): ${counted(commands.length, "command")}`,
    ]),
    ...(remote === undefined ? [] : [
      remote.problem === undefined
        ? ["ok", "remote", `claims and ids: ${remote.address}, refs below ${remote.refs}`] as const
        : ["FAIL", "remote", remote.problem] as const,
    ]),
    ["ok", "tools", String(tools.length)],
    ...warnings.map(({ code, message, hint }): Line => [
      ERRORS.has(code) && !(leftOut && code === "SITE_BROKEN") ? "FAIL" : "warn",
      code,
      // The command is printed above.
      withHint(message, hint?.replace(step, "--trust loads it.")),
    ]),
    permission(permissions.read, "--allow-read=."),
    ...write.map((path) => {
      const isGranted = path === "specs" || path === ".gitignore" ? writeSpecs : writePlan;
      return permission(isGranted, `--allow-write=${path}`);
    }),
    ...(run.length === 0 ? [] : [
      gitLine(project, permissions.git, git) ??
        (isOnPath("git") ? permission(permissions.git, "--allow-run=git") : NO_GIT),
    ]),
  ];
}

/** The line about git beside trusted code, unless the user wants both. */
function gitLine({ code }: Project, isGranted: boolean, git: boolean): Line | undefined {
  if (!code.trust || git) return undefined;
  return isGranted
    ? ["warn", "permission", "--allow-run=git gives the trusted code all of your user's rights"]
    : ["ok", "permission", "no git beside trusted code: without history, claims, other branches"];
}

function printReport(title: string, lines: readonly Line[]): void {
  const { green, yellow, red } = paintFor(Deno.stdout);
  const colours = { ok: green, warn: yellow, FAIL: red };
  const paint = (name: string) =>
    name.replace(/^\w+/, (status) => colours[status as Line[0]](status));
  const rows = lines.map(([status, topic, text]) => [`${status.padEnd(6)}${topic}`, text] as const);
  print(`${title}:\n${table(rows, { paint })}`);
}

function withHint(message: string, hint: string | undefined): string {
  return hint === undefined ? message : `${message.replace(/\.$/, "")}. ${hint}`;
}
