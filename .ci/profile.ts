/**
 * Finds out which functions a start runs up to its list, and writes their checksums for
 * `eager.ts`. To be run again when much of what a start runs has changed.
 *
 *     deno task profile
 *
 * @module
 */

import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { makeProject } from "../tests/support/project.ts";
import { startRaw } from "../tests/support/raw.ts";
import { copyExample } from "../tests/support/run.ts";
import { README_PERMISSIONS, ROOT } from "../tests/support/server.ts";
import { build } from "./build.ts";
import { checksum } from "./eager.ts";

/** What V8 writes about a module. */
interface Coverage {
  url: string;
  functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[];
}

if (import.meta.main) {
  const file = new URL("start_functions.json", import.meta.url);
  await Deno.writeTextFile(file, `${JSON.stringify([...await startedFunctions()], null, 2)}\n`);
}

/** The checksums of the functions that starts run, in order. */
export async function startedFunctions(): Promise<Set<string>> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "refrakt-mcp-profile-" }));
  try {
    const out = join(folder, "package");
    await build(out, undefined, new Set());
    const written = join(folder, "coverage");
    for (const project of [makeProject(), copyExample("plan"), copyExample("site-and-plan")]) {
      await list(project, join(out, "src/bundle/mod.js"), written);
    }
    return await called(written, out);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Starts the server of a built package, up to its list. */
async function list(cwd: string, entry: string, coverage: string): Promise<void> {
  const server = startRaw(cwd, {
    grants: [`--coverage=${coverage}`, "--no-config", ...README_PERMISSIONS],
    entry: relative(ROOT, entry),
  });
  await server.request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "profile", version: "1" },
  });
  server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  const { result } = await server.request("tools/list", {});
  if (!Array.isArray(result?.["tools"])) throw new Error("There is no list");
  await server.end();
}

async function called(coverage: string, out: string): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const { name } of Deno.readDir(coverage)) {
    const { url, functions }: Coverage = JSON.parse(await Deno.readTextFile(join(coverage, name)));
    if (!url.startsWith("file:") || !fileURLToPath(url).startsWith(out)) continue;
    const code = await Deno.readTextFile(new URL(url));
    for (const { ranges: [whole] } of functions) {
      // The first one is the module itself.
      if (whole === undefined || whole.count === 0 || whole.endOffset === code.length) continue;
      found.add(checksum(code.slice(whole.startOffset, whole.endOffset)));
    }
  }
  return new Set([...found].sort());
}
