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
import { VERSION } from "../src/version.ts";
import { jsonOf, outFolder, ROOT, runDeno } from "./run_deno.ts";

/** The file name of the bundle, also in the download URL of `server.json`. */
export const BUNDLE = "refrakt-mcp.mcpb";

/** What every manifest says of the server. */
export const ABOUT = {
  version: VERSION,
  description: server.description,
  author: { name: "The refrakt authors", url: "https://github.com/refrakt-md" },
  license: "MIT",
};

if (import.meta.main) await buildBundle(outFolder("dist"));

/**
 * Builds the bundle and the registry's entry into a folder.
 *
 * @throws {Error} If the manifest is invalid; the validator prints why.
 */
export async function buildBundle(out: string): Promise<void> {
  const staging = await Deno.makeTempDir({ prefix: "refrakt-mcpb-" });
  try {
    await Deno.mkdir(join(staging, "server"));
    await Deno.writeTextFile(join(staging, "manifest.json"), jsonOf(bundleManifest()));
    const start = await runDeno(ROOT, [
      ...["bundle", "--quiet", "--platform=deno", "--lock=deno.lock", "--frozen"],
      ".ci/mcpb_start.ts",
    ]);
    await Deno.writeTextFile(join(staging, "server/start.mjs"), start);
    await Deno.copyFile(join(ROOT, "LICENSE"), join(staging, "LICENSE"));
    await Deno.mkdir(out, { recursive: true });
    // deno-lint-ignore no-import-prefix -- not in deno.json: only builds of the bundle need it
    const { packExtension } = await import("npm:@anthropic-ai/mcpb@2.1.2");
    if (!await packExtension({ extensionPath: staging, outputPath: join(out, BUNDLE) })) {
      throw new Error("The bundle's manifest is invalid: see above");
    }
  } finally {
    await Deno.remove(staging, { recursive: true });
  }
  const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(join(out, BUNDLE)));
  const entry = registryEntry(new Uint8Array(digest).toHex());
  await Deno.writeTextFile(join(out, "server.json"), jsonOf(entry));
}

/**
 * The manifest of the bundle, which starts the server in the chosen folder with every permission
 * that a project can need.
 */
export function bundleManifest(): Record<string, unknown> {
  return {
    manifest_version: "0.3",
    name: "refrakt-mcp",
    display_name: server.title,
    repository: { type: "git", url: `${server.repository.url}.git` },
    ...ABOUT,
    keywords: ["refrakt", "markdoc", "plan", "deno"],
    server: {
      type: "node",
      entry_point: "server/start.mjs",
      mcp_config: {
        command: "node",
        args: [
          "${__dirname}/server/start.mjs",
          "${user_config.folder}",
          ...["run", "--no-config", "--no-prompt", "--allow-read={folder}"],
          // A bundle is one version: the server that it starts never changes.
          ...["--allow-write={folder}/plan", "--allow-run=git", `jsr:@refrakt/mcp@${VERSION}`],
          ...["--cwd", "{folder}"],
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
