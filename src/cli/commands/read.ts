/** `read`: prints one resource. */

import { readResource } from "../../tools/call.ts";
import { toolsetFor } from "../../tools/lookup.ts";
import { bodyText } from "../../tools/resource.ts";
import { print, printJson } from "../print.ts";
import { terminalContext, whileLoading } from "./context.ts";
import type { Command } from "./command.ts";

export const read: Command = {
  name: "read",
  usage: "read <uri>",
  help: "Print a resource",
  examples: ["read refrakt://detect", "read refrakt://plan/index"],
  needs: [1, "the URI of a resource, which list resources prints"],
  mostArgs: 1,
  run: async ({ workspace, args: [uri = ""], flags }) => {
    const toolset = await whileLoading(toolsetFor(workspace, uri));
    const context = { ...terminalContext(workspace), project: toolset.project };
    const { body, mimeType } = await readResource(toolset, uri, context);
    if (flags.values["json"]) printJson({ uri, mimeType, ...body });
    else {
      const text = bodyText(body, 2);
      print(text.endsWith("\n") ? text : `${text}\n`);
    }
    return 0;
  },
};
