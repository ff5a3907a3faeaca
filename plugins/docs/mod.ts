/**
 * What the docs plugin needs to be called well: its one command takes a path and
 * flags, and has no schema that says so.
 */

import { RefraktError } from "../../src/errors.ts";
import { resolveInside, shownPath } from "../../src/io/paths.ts";
import { mayWrite } from "../../src/io/permissions.ts";
import type { PluginAdapter } from "../../src/tools/adapter.ts";
import { inputToArgv } from "../../src/tools/argv.ts";
import type { CliPlugin, CliPluginCommand } from "../../src/tools/plugin.ts";
import type { JsonSchema } from "../../src/tools/schema.ts";

const SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    input: { type: "string", description: "Source folder or file" },
    output: { type: "string", description: "Folder for the pages; needed unless validate" },
    lang: { type: "string", enum: ["typescript", "python"] },
    validate: { type: "boolean", description: "Only check whether they are up to date" },
    sourceUrl: { type: "string", description: "Base of links to the source" },
    title: { type: "string" },
    args: {
      type: "array",
      items: { type: "string" },
      description: "The command line, in place of the others",
    },
  },
  additionalProperties: true,
};

/** What every version up to 0.25 declares. Its parsers are half of what a first start would download. */
const DECLARED: CliPlugin = {
  namespace: "docs",
  commands: [{
    name: "extract",
    description: "Extract symbols from source code into {% symbol %} Markdown",
    handler: () => {},
  }],
};

/** Adapts `@refrakt-md/docs`. */
export const docsAdapter: PluginAdapter = {
  packageName: "@refrakt-md/docs",
  declared: DECLARED,
  load: () => (plugin) => ({
    plugin: {
      ...plugin,
      description: plugin.description ?? "API documentation from source code.",
      commands: plugin.commands.map((command) =>
        command.name === "extract" && command.mcpHandler === undefined ? extract(command) : command
      ),
    },
    warnings: [],
  }),
};

function extract(command: CliPluginCommand): CliPluginCommand {
  return {
    ...command,
    title: "Extract API pages",
    description: "Makes pages with symbol runes from TypeScript or Python source, or checks them " +
      "with validate.",
    inputSchema: command.inputSchema ?? SCHEMA,
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    mcpHandler: async (input: Record<string, unknown>, { cwd }) => {
      const { input: source, output, ...flags } = input;
      const argv = inputToArgv({
        ...(source === undefined ? {} : { _: [place(cwd, source, "input")] }),
        ...flags,
        ...(output === undefined ? {} : { output: writable(cwd, output, flags["validate"]) }),
      });
      // What it prints is the answer; its exit code decides whether it is an error.
      await command.handler!(argv);
    },
  };
}

function place(cwd: string, path: unknown, name: string): string {
  return resolveInside(cwd, String(path), `"${name}"`, String(path));
}

function writable(cwd: string, path: unknown, validate: unknown): string {
  const output = place(cwd, path, "output");
  if (validate === true || mayWrite(output)) return output;
  const shown = shownPath(cwd, output);
  throw new RefraktError("PERMISSION_DENIED", `No permission to write ${shown}`, {
    hint: `Start the server with --allow-write=${shown} as well.`,
    data: { flag: `--allow-write=${shown}` },
  });
}
