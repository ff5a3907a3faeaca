/**
 * `doctor` prints the command that starts the server here, what it finds, and what to do; `warm`
 * downloads the packages for a start; `cache clear` removes the values kept for the next start.
 */

import { join } from "node:path";
import { messageOf } from "../../errors.ts";
import { mayWriteTo } from "../../io/permissions.ts";
import { isOnPath } from "../../io/git.ts";
import { asObject, unlessEmpty } from "../../io/json.ts";
import { clearKept, keptBytes, MOST_KEPT_BYTES } from "../../io/kept.ts";
import {
  installedFolders,
  launchFor,
  neededGrants,
  printableLaunch,
  readsNothingAbove,
} from "../../host/serve_command.ts";
import { shellLine } from "../../host/shell.ts";
import { callByName } from "../../host/call.ts";
import { pluginPackages } from "../../host/discover.ts";
import { hasExport } from "../../packages/load.ts";
import { installedCopy, namedPackages } from "../../packages/manifests.ts";
import { isFirstParty } from "../../packages/names.ts";
import { replacedPackages, startOf } from "../../host/start.ts";
import { quotedName, shortLine } from "../../plain_text.ts";
import type { Project } from "../../plugin/project.ts";
import { CONFIG_NAME } from "../../plugin/config.ts";
import { counted } from "../../plugin/counted.ts";
import type { Detection } from "../../plugin/detection.ts";
import type { ReportLine } from "../../plugin/plugin.ts";
import type { Workspace } from "../../host/open_workspace.ts";
import { VERSION } from "../../version.ts";
import { usageError } from "../flags.ts";
import { paintFor, print, printJson, printNote, table } from "../terminal.ts";
import { type Command, terminalCaller, whileLoading } from "./command.ts";

/** Warnings about features that the project requests and cannot use. */
const ERRORS =
  /^(?:CONFIG_INVALID|(?:PATH|FOLDER)_\w+|PLUGIN_(?:LOAD_FAILED|MALFORMED)|SITE_BROKEN)$/;

const ok = (topic: string, text: string): ReportLine => ["ok", topic, text];
const warn = (topic: string, text: string): ReportLine => ["warn", topic, text];

export const doctorCommand: Command = {
  name: "doctor",
  usage: "doctor",
  help: "Print the command that starts the server here, and what refrakt_detect reports; exits " +
    "with 1 if it found errors",
  mostArgs: 0,
  run: async ({ open, flags }) => {
    const workspace = await open();
    const project = workspace.project();
    const git = flags.values["git"] === true;
    const detection = await whileLoading(workspace.detection());
    const { launch, problem } = printableLaunch(project, { git });
    const command = shellLine(launch);
    const mayTrust = problem === undefined && !project.code.trust && (await startOf(project)).trust;
    const trustCommand = mayTrust ? shellLine(launchFor(project, { git, trust: true })) : undefined;
    const cacheBytes = project.memo.kept && await keptBytes();
    const kept =
      `${((cacheBytes ?? 0) / 1e6).toFixed(1)} MB of at most ${MOST_KEPT_BYTES / 1e6} MB are ` +
      "kept for the next start, of all projects, below DENO_DIR; cache clear removes it";
    const reported = workspace.plugins.map(({ report }) => report?.notes?.(project) ?? []);
    const notes = [...(await Promise.all(reported)).flat(), ...unservedPlugins(project)];
    const lines = projectLines(workspace, detection);
    if (problem !== undefined) lines.push(warn("permission", problemSentence(problem)));
    lines.push(
      ...permissionLines(project, detection, git, trustCommand ?? command),
      ok("cache", cacheBytes === undefined ? "nothing is kept" : kept),
      ...notes.map((note) => warn("note", note)),
    );
    const healthy = lines.every(([status]) => status !== "FAIL");
    if (flags.values["json"] === true) {
      const fields = { healthy, command, trustCommand, cacheBytes, notes: unlessEmpty(notes) };
      printJson({ ...fields, detection });
      return healthy ? 0 : 1;
    }
    print(`${command}\n\n`);
    if (trustCommand !== undefined) {
      print(`With the project's code, which may do all that the server may:\n${trustCommand}\n\n`);
    }
    const { green, yellow, red } = paintFor(Deno.stdout);
    const colours = { ok: green, warn: yellow, FAIL: red };
    const rows = lines.map(([status, topic, text]) => [`${status.padEnd(6)}${topic}`, text]);
    const paint = (name: string) =>
      name.replace(/^\w+/, (status) => colours[status as ReportLine[0]](status));
    print(table(rows, { paint }));
    for (const { path, command } of detection.below ?? []) {
      print(`\nA project is in ${path}, served by:\n${command}\n`);
    }
    print("\nThe first line starts the server; config <client> prints the whole snippet.\n");
    return healthy ? 0 : 1;
  },
};

const MAX_NAMES = 8;

/** What the project is, and what the server has found in it. */
function projectLines(workspace: Workspace, detection: Detection): ReportLine[] {
  const project = workspace.project();
  const replaced = project.code.trust ? [] : replacedPackages(project);
  const ignored = replaced.slice(0, MAX_NAMES).map(quotedName).join(", ");
  const overrides = `Overrides and patches are ignored without --trust: ${ignored}`;
  return [
    ok("start", detection.start),
    ...[warn("packages", overrides)].slice(0, replaced.length),
    ok("project", detection.cwd),
    ok("server", `${VERSION} on Deno ${Deno.version.deno}`),
    ...detection.kinds.map(({ kind, name, use }) =>
      ok("kind", `${kind}${name === undefined ? "" : ` ${shortLine(name, 100)}`}: ${use}`)
    ),
    ...workspace.plugins.flatMap(({ report }) => report?.lines?.(project, detection) ?? []),
    ...detection.plugins.map(({ packageName, packageVersion, versionFrom, commands }) => {
      const count = counted(commands.length, "command");
      return ok("plugin", `${packageName} ${packageVersion} (${versionFrom}): ${count}`);
    }),
    ok("tools", String(detection.tools.length)),
    ...(detection.withheld ?? []).map(({ name, reason }) =>
      warn("tools", `${name} is not listed: ${reason}`)
    ),
    ...detection.warnings.map(({ code, message, hint }): ReportLine => {
      // The command is printed above. A site whose code is not trusted is not broken.
      const step = hint?.replace(project.shell.trust(), "--trust loads it.");
      const isError = ERRORS.test(code) && step === hint;
      return [isError ? "FAIL" : "warn", code, problemSentence({ message, hint: step })];
    }),
  ];
}

/** Which permissions of the last printed command this process has, and what it reads above. */
function permissionLines(
  project: Project,
  { permissions }: Detection,
  git: boolean,
  command: string,
): ReportLine[] {
  const { write, run } = neededGrants(project);
  const missing = Deno.build.standalone
    ? "is missing: a binary's permissions are fixed, so start the server from JSR"
    : "is missing here; the command above has it";
  const line = (isGranted: boolean, flag: string) =>
    isGranted ? ok("permission", flag) : warn("permission", `${flag} ${missing}`);
  const lines = [
    line(permissions.read, "--allow-read=."),
    ...write.map((path) => line(mayWriteTo(join(project.cwd, path)), `--allow-write=${path}`)),
  ];
  const { trust } = project.code;
  if (run.length > 0 && (git || !trust)) {
    const noGit = "git is not installed, or not on the PATH: the plan has no history";
    lines.push(isOnPath("git") ? line(permissions.git, "--allow-run=git") : warn("git", noGit));
  } else if (permissions.git && trust) {
    lines.push(warn("permission", "--allow-run=git gives trusted code all of your user's rights"));
  }
  const above = installedFolders(project) ?? [];
  if (above.length > 0 && command.includes("--node-modules-dir=manual")) {
    const text = `the command reads ${above.join(", ")}, where they are installed`;
    lines.push(ok("packages", text));
  } else if (readsNothingAbove(project)) {
    const text =
      "the command reads nothing above this folder: refrakt's packages are npm's. In a " +
      "member of a workspace, doctor with --allow-read=<the workspace's folder> takes what is " +
      "installed there";
    lines.push(ok("packages", text));
  }
  return lines;
}

/** An error or a warning, with its hint. */
function problemSentence(problem: unknown): string {
  const { message = messageOf(problem), hint } = asObject(problem);
  return hint === undefined ? String(message) : `${String(message).replace(/\.$/, "")}. ${hint}`;
}

/** How to serve the packages with commands that the server does not load, as sentences. */
function unservedPlugins(project: Project): string[] {
  // A binary has only the packages inside it.
  if (Deno.build.standalone) return [];
  const served = pluginPackages(project);
  const listed = [...served].flatMap(([name, source]) => source === "default" ? [] : name);
  return namedPackages(project).flatMap((name) => {
    const folder = served.has(name) ? undefined : installedCopy(project, name);
    if (folder === undefined || hasExport({ folder }, "cli-plugin") !== true) return [];
    const plugins = [...listed, name].map((each) => JSON.stringify(each)).join(", ");
    const start = isFirstParty(name) || project.code.trust ? "" : " and start with --trust";
    return `${name} exports ./cli-plugin and is not served: write "plugins": [${plugins}] into ` +
      `${CONFIG_NAME}${start}`;
  });
}

export const warmCommand: Command = {
  name: "warm",
  usage: "warm",
  help: "Download everything that this project needs, so that later starts need no network",
  mostArgs: 0,
  run: async ({ open, flags }) => {
    const workspace = await open();
    const steps: { name: string; error: string | undefined }[] = [];
    const load = async (name: string, run: () => Promise<unknown>) => {
      printNote(`Loading ${name}\n`);
      const error = await run().then(() => undefined, problemSentence);
      steps.push({ name, error });
    };
    await load("the protocol", () => import("../../mcp/stdio.ts"));
    await load("the plugins", () => workspace.inventory("lists"));
    await load("the plan's parser", () => workspace.warm());
    const { project, warnings } = await workspace.inventory("all");
    const calls = workspace.plugins.flatMap((plugin) => plugin.preparation?.(project) ?? []);
    for (const [title, tool, input] of calls) {
      await load(title, () => callByName(workspace, tool, input, terminalCaller()));
    }
    for (const { code, message } of warnings) {
      if (code === "PLUGIN_LOAD_FAILED") steps.push({ name: "a plugin", error: message });
    }
    const ready = steps.every(({ error }) => error === undefined);
    if (flags.values["json"] === true) printJson({ ready, steps });
    else print(table(steps.map(({ name, error }) => [name, error ?? "ready"])));
    return ready ? 0 : 1;
  },
};

export const cacheCommand: Command = {
  name: "cache",
  usage: "cache clear",
  help: "Remove what is kept for the next start, of all projects",
  needs: [1, "what to do: clear"],
  mostArgs: 1,
  run: async ({ args: [action] }) => {
    if (action !== "clear") throw usageError(`cache cannot ${action}`, "cache clear");
    if (Deno.build.standalone || !("caches" in globalThis)) {
      return print("Nothing is kept here\n");
    }
    const bytes = await keptBytes();
    await clearKept();
    print(`Removed ${(bytes / 1e6).toFixed(1)} MB\n`);
  },
};
