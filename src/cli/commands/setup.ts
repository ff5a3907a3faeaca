/** `setup` writes a client's configuration, a section of AGENTS.md and the skills; `config` prints it. */

import { join } from "node:path";
import { RefraktError } from "../../errors.ts";
import { kindsOf } from "../../host/detect.ts";
import { has } from "../../host/inventory.ts";
import { projectsBelow } from "../../host/open_project.ts";
import type { Workspace } from "../../host/open_workspace.ts";
import { chooseDeno, denoRun, launchFor, SPECIFIER } from "../../host/serve_command.ts";
import { CMD_NOTE, type Launch, lineIn, shellLine } from "../../host/shell.ts";
import { resolveInside, shownPath } from "../../io/paths.ts";
import { mayWriteTo } from "../../io/permissions.ts";
import { configError } from "../../plugin/config.ts";
import { counted } from "../../plugin/counted.ts";
import type { Project } from "../../plugin/project.ts";
import {
  type ClientConfig,
  clientNamed,
  CLIENTS,
  commandLines,
  configLocation,
  hookFor,
  type Server,
  serversIn,
  snippetOf,
} from "../client_configs.ts";
import type { ParsedFlags } from "../flags.ts";
import { applyChanges, type FileChange, planSetup } from "../setup_files.ts";
import { paintFor, print, printJson, printNote } from "../terminal.ts";
import type { Command, CommandInput } from "./command.ts";

const MAX_LINES = 24;

export const setupCommand: Command = {
  name: "setup",
  usage: "setup <client>",
  help: "Write a client's configuration, a section of AGENTS.md and skills into the project",
  mostArgs: 1,
  run: async ({ args: [name], flags, open }) => {
    const start = Deno.cwd();
    const workspace = await workspaceOf(open, flags);
    const project = workspace.project();
    const place = shownPath(start, project.cwd);
    const client = clientNamed(name);
    const isOn = (flag: string) => flags.values[flag] === true;
    const [remove, json] = [isOn("remove"), isOn("json")];
    const { servers, why } = await serversIn(client, project, flags);
    const isSingle = servers.length === 1;
    const deno = chooseDeno(isOn("npx"));
    const launch = launchFor(project, { trust: project.code.trust && isSingle, deno });
    const { changes, steps, notes } = planSetup(project.cwd, {
      client,
      servers,
      agents: agentsSection(workspace, isSingle, launch),
      skills: (await workspace.inventory("all")).listedSkills(),
      deno: shellLine(deno),
      hook: isOn("hooks") ? hookFor(client, project, flags) : undefined,
      remove,
    });
    if (!remove) {
      if (!hasAnything(workspace)) notes.push(whatIsMissing(workspace));
      notes.push(...cmdNotes(client, servers));
      if (isSingle || json) notes.push(why);
    }
    if (!json) {
      if (place !== "." && flags.values["cwd"] === undefined) {
        print(`The only project is in ${place}: start the client there.\n\n`);
      }
      if (!isSingle && !remove) print(`${why}\n\n`);
      printChanges(client, changes, remove);
      const commands = servers.flatMap((server) => commandLines(client, server)).join("");
      for (const { file, problem, snippet } of steps) {
        const step = remove ? "Remove refrakt's part from it by hand." : `Put this into ${file}:\n`;
        const text = remove ? "" : `${snippet}\n${file === client.projectFile ? commands : ""}`;
        print(`${problem}.\n${step}\n${text}\n`);
      }
    }
    let written = false;
    if (changes.length > 0) {
      requirePermissions(project, client, changes, place, flags);
      const asks = !json && Deno.stdin.isTerminal() && Deno.stdout.isTerminal();
      written = isOn("yes") || asks && confirm("Write these files?");
      if (written) applyChanges(project.cwd, changes);
    }
    const isPending = changes.length > 0 && !written;
    const isDone = !isPending && steps.length === 0;
    if (json) {
      const rows = changes.map((change) => ({ path: change.path, action: actionOf(change) }));
      printJson({ client: client.name, written, changes: rows, steps, notes });
      return isDone ? 0 : 1;
    }
    for (const note of notes) printNote(`${isPending ? "With --yes: " : ""}${note}\n`);
    if (isDone && written) printNote(`Done.${remove ? "" : ` ${client.note}`}\n`);
    if (isPending) printNote("Nothing was written. Add --yes to skip the question.\n");
    return isDone ? 0 : 1;
  },
};

/** Opens the project or, if it has nothing to serve, the only one below it. */
async function workspaceOf(open: CommandInput["open"], flags: ParsedFlags): Promise<Workspace> {
  const workspace = await open();
  const project = workspace.project();
  const { cwd, configProblem } = project;
  if (hasAnything(workspace) || flags.values["remove"] === true) return workspace;
  if (configProblem !== undefined) throw configError(configProblem);
  const places = projectsBelow(cwd);
  if (places.length === 1) {
    const values = { ...flags.values, cwd: join(cwd, places[0]!) };
    return await open({ ...flags, values });
  }
  // An empty folder may start a plan.
  const mayBegin = Object.values(project.grants).some(({ isNeeded }) => isNeeded);
  if (places.length === 0 && mayBegin) return workspace;
  throw new RefraktError("NOT_FOUND", `Nothing of refrakt's to set up in ${cwd}`, {
    hint: places.length > 1
      ? `Name one of the projects below: ${places.map((path) => `--cwd ${path}`).join(", ")}.`
      : whatIsMissing(workspace),
  });
}

/** Whether the project has something to serve, or a plugin is enabled. */
function hasAnything({ project, plugins }: Workspace): boolean {
  const isEnabled = plugins.some(({ name, enable }) =>
    enable !== undefined && project().active.includes(name)
  );
  return isEnabled || kindsOf(project(), plugins).length > 0;
}

function whatIsMissing({ project, plugins }: Workspace): string {
  return plugins.flatMap(({ report }) => report?.missing?.(project(), true) ?? []).join("\n");
}

function printChanges(client: ClientConfig, changes: readonly FileChange[], remove: boolean): void {
  const { bold } = paintFor(Deno.stdout);
  const nothing = `${client.title}: nothing to ${remove ? "remove" : "change"}.\n`;
  if (changes.length === 0) print(nothing);
  for (const change of changes) {
    print(`${bold(`${actionOf(change)} ${change.path}`)}\n`);
    if (remove) continue;
    const lines = change.ours.trimEnd().split("\n");
    const more = lines.splice(MAX_LINES).length;
    if (more > 0) lines.push(`… ${counted(more, "more line")}`);
    print(`${lines.join("\n").replace(/^(?=.)/gm, "  ")}\n\n`);
  }
  if (client.projectFile !== undefined) return;
  const step = remove ? "Remove the entry there" : `config ${client.name} prints the entry`;
  print(`${client.title} has its configuration elsewhere: ${configLocation(client)}.\n${step}.\n`);
}

function actionOf({ before, after }: FileChange): "create" | "change" | "delete" {
  if (before === null) return "create";
  return after === null ? "delete" : "change";
}

/** @throws {RefraktError} `PERMISSION_DENIED`, with a command that grants the permissions. */
function requirePermissions(
  { cwd }: Project,
  client: ClientConfig,
  changes: readonly FileChange[],
  place: string,
  { values }: ParsedFlags,
): void {
  const pathOf = (path: string) => resolveInside(cwd, path, "path");
  const missing = changes.map(({ path }) => path).filter((path) => !mayWriteTo(pathOf(path)));
  if (missing.length === 0) return;
  // Folders are created, and deleted when they become empty.
  const write = [...new Set(changes.map(({ path }) => path.split("/")[0]))].join(",");
  const names = ["remove", "yes", "npx", "git", "hooks", "trust"];
  const flags = names.filter((name) => values[name] === true).map((name) => `--${name}`);
  const grants = ["--allow-read=.", `--allow-write=${write}`];
  const words = [...grants, SPECIFIER, "setup", client.name, ...flags];
  const launch = denoRun(words, values["npx"] === true);
  throw new RefraktError("PERMISSION_DENIED", `No permission to write ${missing.join(", ")}`, {
    hint: `Run:\n${place === "." ? shellLine(launch) : lineIn(place, launch)}`,
    data: { flag: `--allow-write=${write}` },
  });
}

/** The tools of this project, whatever the permissions of `setup` are. */
function agentsSection({ project, plugins }: Workspace, isSingle: boolean, launch: Launch): string {
  const instead = "Where a tool and a command of `refrakt` do the same, use the tool" +
    (has(project(), "plan") ? ", and edit no plan files by hand." : ".");
  // A client that serves several projects has longer names.
  const servers = isSingle ? "server `refrakt`" : "servers `refrakt` and `refrakt-site`";
  return [
    "## refrakt\n",
    `This project has the MCP ${servers}. ${instead}\n`,
    ...plugins.flatMap(({ report }) => report?.agents?.(project()) ?? []),
    "- The rest of the CLI is no tool: `refrakt_detect` lists its commands.",
    `- Without the server: \`${shellLine(launch)} call refrakt_detect\`.`,
  ].join("\n");
}

export const configCommand: Command = {
  name: "config",
  usage: "config <client>",
  help: `Print the snippet for ${CLIENTS.map((client) => client.name).join(", ")}`,
  mostArgs: 1,
  run: async ({ open, args: [name], flags }) => {
    const workspace = await open();
    const client = clientNamed(name);
    const { servers, why } = await serversIn(client, workspace.project(), flags);
    const notes = [client.note, ...cmdNotes(client, servers), why];
    const { command: program } = servers[0]!.launch;
    const path = Deno.execPath();
    if (program === "deno") notes.push(`If the client does not find deno, write ${path}.`);
    else if (program !== path) notes.push("Deno comes from npm, so only Node is needed.");
    const all = (text: (server: Server) => string | undefined) =>
      servers.flatMap((server) => text(server) ?? []).join("\n") || undefined;
    const answer = {
      client: client.name,
      file: configLocation(client),
      note: notes.join(" "),
      snippet: snippetOf(client, servers),
      command: all((server) => client.command?.(server)),
      link: all((server) => client.link?.(server)),
    };
    if (flags.values["json"]) return printJson(answer);
    // Only the snippet goes to stdout, so that it can be piped.
    const { bold } = paintFor(Deno.stderr);
    printNote(`${bold(client.title)}: put this into ${answer.file}. ${answer.note}\n\n`);
    print(`${answer.snippet}\n`);
    for (const server of servers) commandLines(client, server).forEach(printNote);
    if (answer.link !== undefined) printNote(`\nOr open this link:\n\n${answer.link}\n`);
  },
};

/** A note if colleagues on other systems cannot use the command in a shared file. */
function cmdNotes({ projectFile }: ClientConfig, [server]: readonly Server[]): string[] {
  return projectFile !== undefined && server!.launch.command === "cmd" ? [CMD_NOTE] : [];
}
