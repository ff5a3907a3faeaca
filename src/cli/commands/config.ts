/**
 * `config`: the snippet for a client's configuration.
 *
 * @module
 */

import { installationOf, launchMode } from "../../npm/launch.ts";
import {
  type ClientConfig,
  clientNamed,
  CLIENTS,
  type LaunchAt,
  snippetOf,
} from "../client_configs.ts";
import { chooseDeno } from "../deno_start.ts";
import { launchFor } from "../grants.ts";
import { printData, printJson, printNote } from "../print.ts";
import { paintFor } from "../terminal.ts";
import type { Command } from "./types.ts";

/** The command. */
export const config: Command = {
  name: "config",
  usage: "config <client>",
  help: `Print the snippet for ${CLIENTS.map((client) => client.name).join(", ")}`,
  examples: ["config claude-code", "config cursor --npx", "config codex"],
  values: CLIENTS.map(({ name }) => name),
  mostArgs: 1,
  run: async ({ workspace, args: [name], flags }) => {
    const client = clientNamed(name, "config");
    const project = workspace.project();
    const installation = await installationOf(project);
    const deno = chooseDeno(flags.values["npx"] === true, client.ownPath);
    let startsInside = true;
    const launch: LaunchAt = (base = "") => {
      startsInside = base === "";
      return launchFor(project, { base, deno, installation });
    };
    const snippet = snippetOf(client.format, client.entry(launch, project.cwd));
    const answer = {
      client: client.name,
      file: client.file,
      note: `${noteFor(client, deno.command)} ${launchMode(installation, startsInside).reason}`,
      snippet,
      ...(client.command === undefined ? {} : { command: client.command(launch) }),
      ...(client.link === undefined ? {} : { link: client.link(launch) }),
    };
    if (flags.values["json"]) {
      printJson(answer);
    } else {
      // The snippet alone goes to stdout, ready for a pipe; what to do with it is for the person.
      const { bold } = paintFor(Deno.stderr);
      printNote(`${bold(client.title)}: put this into ${client.file}. ${answer.note}\n\n`);
      printData(snippet);
      if (answer.command !== undefined) printNote(`\nOr run this here:\n\n${answer.command}\n`);
      if (answer.link !== undefined) printNote(`\nOr open this link:\n\n${answer.link}\n`);
    }
    return 0;
  },
};

function noteFor(client: ClientConfig, command: string): string {
  const notes = [client.note];
  if (command === "npx" || command === "cmd") {
    notes.push("Deno comes from npm, so only Node has to be installed.");
  } else if (command === "deno") {
    notes.push(`If the client does not find deno, write ${Deno.execPath()} in its place.`);
  }
  return notes.join(" ");
}
