/**
 * `read`: one resource.
 *
 * @module
 */

import { RefraktError } from "../../errors.ts";
import { writeStderr, writeStdout } from "../../sandbox/pipes.ts";
import { readResource, toRefraktError } from "../../surface/call.ts";
import { surfaceFor } from "../../surface/lookup.ts";
import { describeError } from "../exit.ts";
import { terminalContext } from "./context.ts";
import type { Command } from "./types.ts";

/** The command. */
export const read: Command = {
  name: "read",
  usage: "read <uri>",
  help: "Print a resource",
  mostArgs: 1,
  run: async ({ workspace, args: [uri], flags }) => {
    if (uri === undefined) {
      throw new RefraktError("INVALID_ARGS", "read needs the URI of a resource", {
        hint: "List them with: list resources",
      });
    }
    const surface = await surfaceFor(workspace, uri);
    const context = { ...terminalContext(workspace), project: surface.project };
    try {
      const { body, mimeType } = await readResource(surface, uri, context);
      const text = flags.values["json"]
        ? JSON.stringify({ uri, mimeType, ...body }, null, 2)
        : "text" in body
        ? body.text
        : JSON.stringify(body.data, null, 2);
      writeStdout(text.endsWith("\n") ? text : `${text}\n`);
      return 0;
    } catch (error) {
      writeStderr(`${describeError(toRefraktError(error, context, "RESOURCE_FAILED"))}\n`);
      return 1;
    }
  },
};
