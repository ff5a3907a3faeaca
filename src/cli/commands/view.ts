/** `view`: shows the plan board or a preview in a browser, without an MCP client. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { didYouMean } from "../../errors.ts";
import { defined, textOf } from "../../io/json.ts";
import { writeStderr, writeStdout } from "../../io/pipes.ts";
import { listen } from "../../mcp/listen.ts";
import { BUNDLED } from "../../bundled.ts";
import type { Project } from "../../plugin/project.ts";
import type { ServedView } from "../view_page.ts";
import { oneOf } from "../serve_flags.ts";
import { usageError, wrongValue } from "../flags.ts";
import { type Command, terminalContext } from "./command.ts";

const BROWSER_VIEWS = BUNDLED.flatMap(({ views = [] }) => views);

export const view: Command = {
  name: "view",
  usage: BROWSER_VIEWS.map(({ usage }) => `view ${usage}`).join(" | "),
  help:
    `Show ${BROWSER_VIEWS.map(({ shows }) => shows).join(", ")} in your browser until Ctrl-C; ` +
    "needs --allow-net=127.0.0.1",
  mostArgs: 2,
  run: async ({ open, args, flags }) => {
    const workspace = await open();
    const served = {
      ...await servedView(workspace.project(), args, textOf(flags.values["site"])),
      editor: editorPrefix(oneOf(flags.values, "editor", EDITORS), workspace.project().cwd),
    };
    const { answerCall, viewHandler } = await import("../view_server.ts");
    const context = terminalContext(workspace);
    const token = crypto.getRandomValues(new Uint8Array(24)).toBase64({ alphabet: "base64url" });
    const access = { token, workspace, context };
    const address = { hostname: "127.0.0.1", port: portOf(textOf(flags.values["port"])) };
    const server = await listen(address, viewHandler(served, access));
    writeStdout(`http://127.0.0.1:${server.address.port}/#${token}\n`);
    writeStderr(
      "No browser is opened, which would need the right to run any program: open this link in one. " +
        "It has a secret of this start, so that links of earlier ones are no longer valid. " +
        "Ctrl-C exits.\n",
    );
    // By the time that somebody has opened it, what it shows is read.
    const first = { name: served.view.tool, arguments: served.input };
    void answerCall(first, served, access).catch(() => {});
    await server.closed;
    return 0;
  },
};

/** Editors with addresses such as `vscode://file/home/ada/site/content/index.md:3`. */
const EDITORS = ["vscode", "cursor", "zed"] as const;

function editorPrefix(editor: string | undefined, cwd: string): string | undefined {
  if (editor === undefined) return undefined;
  return `${editor}://file${pathToFileURL(join(cwd, "/")).pathname}`;
}

export async function servedView(
  project: Project,
  [name, what]: readonly string[],
  site?: string,
): Promise<ServedView> {
  const invalid = (problem: string, guess = "") =>
    usageError(problem, `${guess} Write view board, or view preview content/index.md.`.trim());
  if (name === undefined) throw invalid("view needs the name of a view");
  const view = BROWSER_VIEWS.find((each) => each.name === name);
  if (view === undefined) {
    const names = BROWSER_VIEWS.map((each) => each.name);
    throw invalid(`Unknown view: ${JSON.stringify(name)}`, didYouMean(name, names));
  }
  if (what !== undefined && view.input === undefined) throw invalid(`view ${name} takes no path`);
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

/** The port of `--port`; 0, any free one, without it. */
function portOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port >= 1 && port <= 65_535) return port;
  throw wrongValue("port", text, "It must be a number from 1 to 65535, such as 4400.");
}
