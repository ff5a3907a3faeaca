/**
 * `list`: what there is to call and to read.
 *
 * @module
 */

import { nearest, RefraktError } from "../../errors.ts";
import { writeStdout } from "../../sandbox/pipes.ts";
import type { Surface } from "../../surface/registry.ts";
import { uriTemplate } from "../../surface/uri.ts";
import { columns } from "../columns.ts";
import type { Command } from "./types.ts";

interface Entry {
  name: string;
  title: string;
  description: string;
}

const KINDS: Readonly<Record<string, (surface: Surface) => Entry[]>> = {
  tools: (surface) => surface.listedTools().map(pick),
  resources: (surface) =>
    surface.listedResources().map((entry) => ({ ...pick(entry), name: uriTemplate(entry) })),
  prompts: (surface) => surface.listedPrompts().map(pick),
};

/** The command. */
export const list: Command = {
  name: "list",
  usage: "list [tools | resources | prompts]",
  help: "List what the server offers in this project",
  mostArgs: 1,
  run: async ({ workspace, args: [kind], flags }) => {
    if (kind !== undefined && !Object.hasOwn(KINDS, kind)) {
      const guess = nearest(kind, Object.keys(KINDS), 1)[0];
      throw new RefraktError("INVALID_ARGS", `list does not know "${kind}"`, {
        hint: guess === undefined
          ? `It knows ${Object.keys(KINDS).join(", ")}.`
          : `Did you mean ${guess}?`,
      });
    }
    const surface = await workspace.surface();
    const wanted = Object.entries(KINDS).filter(([name]) => kind === undefined || name === kind)
      .map(([name, entries]) => [name, entries(surface)] as const);
    if (flags.values["json"]) {
      writeStdout(`${JSON.stringify(Object.fromEntries(wanted), null, 2)}\n`);
      return 0;
    }
    for (const [name, entries] of wanted) {
      if (kind === undefined) writeStdout(`${name}\n`);
      const rows = entries.map((entry) => [entry.name, firstSentence(entry.description)]);
      writeStdout(rows.length === 0 ? "  none\n" : columns(rows));
      if (kind === undefined) writeStdout("\n");
    }
    return 0;
  },
};

function pick({ name, title, description }: Entry): Entry {
  return { name, title, description };
}

function firstSentence(text: string): string {
  return text.split(/(?<=[.:])\s/)[0]!.replace(/[.:]$/, "");
}
