/**
 * Builds the desktop bundle `dist/refrakt-mcp.mcpb`, which clients such as Claude Desktop
 * install with a folder picker, and `dist/server.json` for the MCP registry, with the checksum
 * of the bundle.
 *
 *     deno task mcpb
 *     deno task mcpb --out <dir>
 */

import { join } from "node:path";
import server from "../server.json" with { type: "json" };
import { launchFor, SPECIFIER } from "../src/npm/serve_command.ts";
import { openProject } from "../src/project/project.ts";
import { OLDEST_DENO, TESTED_DENO } from "../src/runtime.ts";
import { VERSION } from "../src/version.ts";
import { outFolder, ROOT, runDeno } from "./run_deno.ts";

/** The command of the tool that checks and packs bundles. */
const MCPB = ["run", "-A", "--no-config", "--quiet", "npm:@anthropic-ai/mcpb@2.1.2"];

/** The file name of the bundle, also in the download URL of `server.json`. */
export const BUNDLE = "refrakt-mcp.mcpb";

if (import.meta.main) {
  await buildBundle(outFolder("dist"));
}

/**
 * Builds the bundle and the registry's entry into a folder.
 *
 * @throws {Error} If the manifest is invalid, with the validator's message.
 */
export async function buildBundle(out: string): Promise<void> {
  const staging = await Deno.makeTempDir({ prefix: "refrakt-mcpb-" });
  try {
    await Deno.mkdir(join(staging, "server"));
    await Deno.writeTextFile(
      join(staging, "manifest.json"),
      `${JSON.stringify(bundleManifest(), null, 2)}\n`,
    );
    await Deno.writeTextFile(join(staging, "server/start.mjs"), await startScript());
    await Deno.copyFile(join(ROOT, "LICENSE"), join(staging, "LICENSE"));
    await Deno.mkdir(out, { recursive: true });
    await runDeno(ROOT, [...MCPB, "validate", join(staging, "manifest.json")]);
    await runDeno(ROOT, [...MCPB, "pack", staging, join(out, BUNDLE)]);
  } finally {
    await Deno.remove(staging, { recursive: true });
  }
  const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(join(out, BUNDLE)));
  const entry = registryEntry(new Uint8Array(digest).toHex());
  await Deno.writeTextFile(join(out, "server.json"), `${JSON.stringify(entry, null, 2)}\n`);
}

/**
 * The manifest of the bundle, which starts the server in the chosen folder with every permission
 * that a project can need.
 */
export function bundleManifest(): Record<string, unknown> {
  const example = openProject(join(ROOT, "examples/site-and-plan"));
  const { args } = launchFor(example, { base: "{folder}" });
  return {
    manifest_version: "0.3",
    name: "refrakt-mcp",
    display_name: server.title,
    version: VERSION,
    description: server.description,
    author: { name: "The refrakt authors", url: "https://github.com/refrakt-md" },
    repository: { type: "git", url: `${server.repository.url}.git` },
    license: "MIT",
    keywords: ["refrakt", "markdoc", "plan", "deno"],
    server: {
      type: "node",
      entry_point: "server/start.mjs",
      mcp_config: {
        command: "node",
        args: [
          "${__dirname}/server/start.mjs",
          "${user_config.folder}",
          // A bundle is one version: the server that it starts never changes.
          ...args.map((arg) => arg === SPECIFIER ? `jsr:@refrakt/mcp@${VERSION}` : arg),
        ],
      },
    },
    tools_generated: true,
    prompts_generated: true,
    compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: ">=18.0.0" } },
    user_config: {
      folder: {
        type: "directory",
        title: "Project folder",
        description: "The folder of the refrakt project. The server reads this folder, writes " +
          "its plan/ and runs git in it, and nothing else.",
        required: true,
      },
    },
  };
}

/** The entry for the MCP registry: `server.json` at this version, with the bundle's checksum. */
export function registryEntry(fileSha256: string): typeof server {
  return {
    ...server,
    version: VERSION,
    packages: server.packages.map((entry) => ({
      ...entry,
      version: VERSION,
      identifier: `${server.repository.url}/releases/download/v${VERSION}/${BUNDLE}`,
      fileSha256,
    })),
  };
}

async function startScript(): Promise<string> {
  const source = await Deno.readTextFile(new URL("./mcpb_start.mjs", import.meta.url));
  return source.replace("{oldest}", () => OLDEST_DENO).replace("{tested}", () => TESTED_DENO);
}
