/** `config`: prints the snippet for a client's configuration. */

import {
  type ClientConfig,
  clientNamed,
  CLIENTS,
  commandLines,
  fileOf,
  serversIn,
  snippetOf,
} from "../client_configs.ts";
import { CMD_NOTE } from "../../host/shell.ts";
import { paintFor, print, printJson, printNote } from "../terminal.ts";
import type { Command } from "./command.ts";

export const config: Command = {
  name: "config",
  usage: "config <client>",
  help: `Print the snippet for ${CLIENTS.map((client) => client.name).join(", ")}`,
  mostArgs: 1,
  run: async ({ open, args: [name], flags }) => {
    const workspace = await open();
    const client = clientNamed(name, "config");
    const { servers, why } = await serversIn(client, workspace.project(), flags);
    const snippet = snippetOf(client, servers);
    const all = (texts: readonly (string | undefined)[]) => texts.filter(Boolean).join("\n");
    const answer = {
      client: client.name,
      file: fileOf(client),
      note: [client.note, denoNote(servers[0]!.launch.command, client), why].filter(Boolean)
        .join(" "),
      snippet,
      command: client.command && all(servers.map((server) => client.command?.(server))),
      link: client.link && all(servers.map((server) => client.link?.(server))),
    };
    if (flags.values["json"]) {
      printJson(answer);
    } else {
      // Only the snippet goes to stdout, so that it can be piped.
      const { bold } = paintFor(Deno.stderr);
      printNote(`${bold(client.title)}: put this into ${answer.file}. ${answer.note}\n\n`);
      print(`${snippet}\n`);
      for (const server of servers) commandLines(client, server).forEach(printNote);
      if (answer.link !== undefined) printNote(`\nOr open this link:\n\n${answer.link}\n`);
    }
    return 0;
  },
};

function denoNote(command: string, { projectFile }: ClientConfig): string {
  if (command === "deno") return `If the client does not find deno, write ${Deno.execPath()}.`;
  if (command !== "npx" && command !== "cmd") return "";
  const note = "Deno comes from npm, so only Node is needed.";
  return command === "cmd" && projectFile !== undefined ? `${note} ${CMD_NOTE}` : note;
}
