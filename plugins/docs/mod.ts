/**
 * What the docs plugin needs to be called well: its one command takes a path and
 * flags, and has no schema that says so.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import { resolveInside, shownPath } from "../../src/sandbox/paths.ts";
import { mayWrite } from "../../src/sandbox/permissions.ts";
import type { PluginAdapter } from "../../src/surface/adapter.ts";
import { inputToArgv } from "../../src/surface/argv.ts";
import type { CliPluginCommand } from "../../src/surface/plugin.ts";
import type { JsonSchema } from "../../src/surface/schema.ts";

const SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    input: { type: "string", description: "The source folder or file, inside the project." },
    output: { type: "string", description: "The folder for the pages; needed unless validate." },
    lang: { type: "string", enum: ["typescript", "python"], description: "Default: detected." },
    validate: { type: "boolean", description: "Only check whether the pages are up to date." },
    sourceUrl: { type: "string", description: "Base URL of links to the source." },
    title: { type: "string", description: "Title of the section. Default: API Reference." },
    args: {
      type: "array",
      items: { type: "string" },
      description: "Arguments as on the command line, in place of all the others.",
    },
  },
  additionalProperties: true,
};

/** Adapts `@refrakt-md/docs`. */
export const docsAdapter: PluginAdapter = {
  packageName: "@refrakt-md/docs",
  adapt: (plugin) => ({
    ...plugin,
    description: plugin.description ?? "API documentation from source code.",
    commands: plugin.commands.map((command) =>
      command.name === "extract" && command.mcpHandler === undefined ? extract(command) : command
    ),
  }),
};

function extract(command: CliPluginCommand): CliPluginCommand {
  return {
    ...command,
    title: "Extract API pages",
    description: "Extracts the symbols of TypeScript or Python source into Markdown pages with " +
      "symbol runes, or checks with validate whether they are up to date.",
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
  return resolveInside(cwd, String(path), `"${name}"`);
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
