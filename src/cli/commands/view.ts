/** `view`: shows the plan board or a preview in a browser, without an MCP client. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { didYouMean } from "../../errors.ts";
import { defined, textOf } from "../../io/json.ts";
import { writeStderr, writeStdout } from "../../io/pipes.ts";
import { listen } from "../../mcp/listen.ts";
import { BUNDLED } from "../../bundled.ts";
import type { Project } from "../../plugin/project.ts";
import { usageError } from "../flags.ts";
import { type Command, terminalContext } from "./command.ts";

const BROWSER_VIEWS = BUNDLED.flatMap(({ views = [] }) => views);

export const viewCommand: Command = {
  name: "view",
  usage: BROWSER_VIEWS.map(({ usage }) => `view ${usage}`).join(" | "),
  help:
    `Show ${BROWSER_VIEWS.map(({ shows }) => shows).join(", ")} in your browser until Ctrl-C; ` +
    "needs --allow-net=127.0.0.1",
  needs: [1, "the name of a view"],
  mostArgs: 2,
  run: async ({ open, args, flags }) => {
    const workspace = await open();
    const editor = textOf(flags.values["editor"]);
    const project = workspace.project();
    const token = crypto.getRandomValues(new Uint8Array(24)).toBase64({ alphabet: "base64url" });
    const served = {
      ...await servedView(project, args, textOf(flags.values["site"])),
      // Such as `vscode://file/home/ada/site/content/index.md:3`.
      editor: editor && `${editor}://file${pathToFileURL(join(project.cwd, "/")).pathname}`,
      token,
      workspace,
      context: terminalContext(workspace),
    };
    const { answerCall, viewHandler } = await import("../view_server.ts");
    const address = { hostname: "127.0.0.1", port: Number(flags.values["port"] ?? 0) };
    const server = await listen(address, viewHandler(served));
    writeStdout(`http://127.0.0.1:${server.address.port}/#${token}\n`);
    writeStderr(
      "No browser is opened, which would need the right to run any program: open this link in one. " +
        "It has a secret of this start, so that links of earlier ones are no longer valid. " +
        "Ctrl-C exits.\n",
    );
    // Read the data now, before somebody opens the page.
    const first = { name: served.view.tool, arguments: served.input };
    void answerCall(first, served).catch(() => {});
    await server.closed;
  },
};

export async function servedView(
  project: Project,
  [name = "", what]: readonly string[],
  site?: string,
) {
  const view = BROWSER_VIEWS.find((each) => each.name === name);
  if (view === undefined || what !== undefined && view.input === undefined) {
    const problem = view ? `view ${name} takes no path` : `Unknown view: ${JSON.stringify(name)}`;
    const guess = view ? "" : didYouMean(name, BROWSER_VIEWS.map((each) => each.name));
    const hint = `${guess} Write view board, or view preview content/index.md.`;
    throw usageError(problem, hint.trim());
  }
  const target = what === undefined ? {} : view.input!(what);
  const toolLists = BUNDLED.map(({ viewTools = [] }) =>
    typeof viewTools === "function" ? viewTools(project) : viewTools
  );
  return {
    view,
    document: await view.document(),
    frame: await view.frame?.(),
    viewTools: (await Promise.all(toolLists)).flat(),
    input: defined({ ...target, site: view.input && site }),
  };
}
