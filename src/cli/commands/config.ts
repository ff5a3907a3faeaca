/**
 * `config`: the snippet for a client's configuration.
 *
 * @module
 */

import { didYouMean, RefraktError } from "../../errors.ts";
import { writeStderr, writeStdout } from "../../sandbox/pipes.ts";
import { CLIENTS } from "../clients.ts";
import { columns } from "../columns.ts";
import { SPECIFIER } from "../grants.ts";
import type { Command } from "./types.ts";

/** The command. */
export const config: Command = {
  name: "config",
  usage: "config <client>",
  help: `Print the snippet for ${CLIENTS.map((client) => client.name).join(", ")}`,
  mostArgs: 1,
  run: ({ workspace, args: [name], flags }) => {
    const names = CLIENTS.map((client) => client.name);
    if (name === undefined) {
      throw new RefraktError("INVALID_ARGS", "config needs the name of a client", {
        hint: `It knows:\n${columns(CLIENTS.map((client) => [client.name, client.file]))}`,
      });
    }
    const client = CLIENTS.find((entry) => entry.name === name.toLowerCase().replace(/[ _]/g, "-"));
    if (client === undefined) {
      throw new RefraktError("INVALID_ARGS", `config does not know "${name}"`, {
        hint: `${didYouMean(name, names)} It knows ${names.join(", ")}.`.trim(),
      });
    }
    const snippet = client.snippet(workspace.project());
    const note = Deno.build.standalone && snippet.includes(SPECIFIER)
      ? `${client.note} The grants of this binary do not fit here, so the snippet runs from JSR.`
      : client.note;
    if (flags.values["json"]) {
      const { name, file } = client;
      writeStdout(`${JSON.stringify({ client: name, file, note, snippet }, null, 2)}\n`);
      return Promise.resolve(0);
    }
    // The snippet alone goes to stdout, ready for a pipe; what to do with it is for the person.
    writeStderr(`${client.title}: put this into ${client.file}. ${note}\n\n`);
    writeStdout(`${snippet}\n`);
    return Promise.resolve(0);
  },
};
