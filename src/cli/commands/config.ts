/**
 * `config`: the snippet for a client's configuration.
 *
 * @module
 */

import { clientNamed, CLIENTS, fileOf, launchIn, snippetOf } from "../client_configs.ts";
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
    const npx = flags.values["npx"] === true;
    const { launch, entry, mode } = await launchIn(client, workspace.project(), npx);
    const snippet = snippetOf(client.format, entry);
    const answer = {
      client: client.name,
      file: fileOf(client),
      note: [client.note, denoNote(launch.command), mode.reason].filter(Boolean).join(" "),
      snippet,
      ...(client.command === undefined ? {} : { command: client.command(launch) }),
      ...(client.link === undefined ? {} : { link: client.link(launch) }),
    };
    if (flags.values["json"]) {
      printJson(answer);
    } else {
      // The snippet alone goes to stdout, ready for a pipe; what to do with it is for the person.
      const { bold } = paintFor(Deno.stderr);
      printNote(`${bold(client.title)}: put this into ${answer.file}. ${answer.note}\n\n`);
      printData(snippet);
      if (answer.command !== undefined) printNote(`\nOr run this here:\n\n${answer.command}\n`);
      if (answer.link !== undefined) printNote(`\nOr open this link:\n\n${answer.link}\n`);
    }
    return 0;
  },
};

function denoNote(command: string): string {
  if (command === "npx" || command === "cmd") {
    return "Deno comes from npm, so only Node has to be installed.";
  }
  if (command !== "deno") return "";
  return `If the client does not find deno, write ${Deno.execPath()} in its place.`;
}
