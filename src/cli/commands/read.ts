/**
 * `read`: one resource.
 *
 * @module
 */

import { RefraktError } from "../../errors.ts";
import { writeStderr, writeStdout } from "../../io/pipes.ts";
import { readResource, toRefraktError } from "../../tools/call.ts";
import { toolsetFor } from "../../tools/lookup.ts";
import { textOf } from "../../tools/resource.ts";
import { describeError, exitCodeOf } from "../exit.ts";
import { terminalContext } from "./context.ts";
import type { Command } from "./types.ts";
import { whileLoading } from "./waiting.ts";

/** The command. */
export const read: Command = {
  name: "read",
  usage: "read <uri>",
  help: "Print a resource",
  examples: ["read refrakt://plan/work/WORK-012", "read refrakt://detect"],
  mostArgs: 1,
  run: async ({ workspace, args: [uri], flags }) => {
    if (uri === undefined) {
      throw new RefraktError("INVALID_ARGS", "read needs the URI of a resource", {
        hint: "List them with: list resources",
      });
    }
    const toolset = await whileLoading(toolsetFor(workspace, uri));
    const context = { ...terminalContext(workspace), project: toolset.project };
    try {
      const { body, mimeType } = await readResource(toolset, uri, context);
      const text = flags.values["json"]
        ? JSON.stringify({ uri, mimeType, ...body }, null, 2)
        : textOf(body, 2);
      writeStdout(text.endsWith("\n") ? text : `${text}\n`);
      return 0;
    } catch (error) {
      const known = toRefraktError(error, context, "RESOURCE_FAILED");
      writeStderr(`${describeError(known)}\n`);
      return exitCodeOf(known);
    }
  },
};
