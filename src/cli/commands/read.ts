/** `read`: prints one resource. */

import { dirname, resolve } from "node:path";
import { writeFileAtomic } from "../../io/files.ts";
import { asObject, textOf, textsOf } from "../../io/json.ts";
import { realPathOf } from "../../io/paths.ts";
import { refusalToError } from "../../io/permissions.ts";
import { writeFolder } from "../../io/write_folder.ts";
import { readResource } from "../../host/read.ts";
import { bodyText, type ResourceBody } from "../../plugin/resource.ts";
import { print, printJson, printNote } from "../terminal.ts";
import { type Command, terminalCaller, whileLoading } from "./command.ts";

export const read: Command = {
  name: "read",
  usage: "read <uri>",
  help: "Print a resource, such as refrakt://plan/index, or write it to a file with --out",
  needs: [1, "the URI of a resource, which list resources prints"],
  mostArgs: 1,
  run: async ({ open, args: [uri = ""], flags }) => {
    const workspace = await open();
    const { body, mimeType } = await whileLoading(readResource(workspace, uri, terminalCaller()));
    const file = textOf(flags.values["out"]);
    if (file !== undefined) {
      writeFile(resolve(file), fileOf(body));
    } else if (flags.values["json"]) printJson({ uri, mimeType, ...body });
    else {
      const text = bodyText(body, 2);
      print(text.endsWith("\n") ? text : `${text}\n`);
    }
    return 0;
  },
};

function writeFile(path: string, content: string | Uint8Array): void {
  try {
    // The user names the file, so its own folder is the one to write in.
    writeFileAtomic(writeFolder(realPathOf(dirname(path))), path, content);
  } catch (error) {
    throw refusalToError(error, Deno.cwd()) ?? error;
  }
  printNote(`Wrote ${path}\n`);
}

/** The content of a file: data as refrakt writes it, without the warnings about this reading. */
function fileOf(body: ResourceBody): string | Uint8Array {
  if ("text" in body) return body.text;
  if ("blob" in body) return body.blob;
  const { warnings, ...data } = asObject(body.data);
  for (const warning of textsOf(warnings)) printNote(`Note: ${warning}\n`);
  return `${JSON.stringify(data, null, "\t")}\n`;
}
