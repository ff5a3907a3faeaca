/**
 * Made-up packages, installed as npm installs them, and the published server that takes them from
 * there: a server that runs from the checkout looks into no `node_modules`.
 */

import { join } from "node:path";
import { publishToRegistry } from "./jsr.ts";
import { lab } from "./lab.ts";
import { linkTree } from "./link_tree.ts";
import { writeFiles } from "./project.ts";
import { type FakePackage, filesOf, SCOPE } from "./registry.ts";
import { childEnvironment, README_PERMISSIONS, type StartOptions } from "./server.ts";

/** Flags of `deno run` for a project whose packages are installed. */
const FROM_DISK = ["--no-config", "--node-modules-dir=manual"];

/** The published server, for projects with made-up packages. */
export interface InstalledServer extends AsyncDisposable {
  /** Starts it under the documented permissions, or others. */
  options(args?: readonly string[], permissions?: readonly string[]): StartOptions;
  /** The same with `--isolate`. */
  isolated(args?: readonly string[], permissions?: readonly string[]): StartOptions;
}

/** Prepares the published server. */
export async function installedServer(): Promise<InstalledServer> {
  const registry = await publishToRegistry();
  const options = (args: readonly string[] = [], permissions = README_PERMISSIONS) => ({
    entry: "jsr:@refrakt/mcp",
    // The server's own modules come from a host of the test's.
    grants: [...FROM_DISK, ...permissions].map((flag) =>
      flag.startsWith("--allow-import=") ? `${flag},${new URL(registry.url).host}` : flag
    ),
    args,
    env: { ...childEnvironment(), JSR_URL: registry.url },
  });
  return {
    options,
    isolated: (args = [], permissions = README_PERMISSIONS) =>
      options(["--isolate", ...args], ["--unstable-worker-options", ...permissions]),
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
  };
}

/** Puts made-up packages into a project's `node_modules`. */
export function installPackages(
  cwd: string,
  packages: readonly FakePackage[],
  scope = SCOPE,
): void {
  for (const entry of packages) {
    const folder = join("node_modules", scope, entry.name);
    const files = Object.entries(filesOf(scope, entry));
    writeFiles(cwd, Object.fromEntries(files.map(([path, text]) => [join(folder, path), text])));
  }
}

/** What no test needs of the real packages: parsers of the docs plugin, by far the largest part. */
const LEFT_OUT = new Set([".bin", "tree-sitter-wasms", "typescript", "@esbuild"]);

/** Puts the real packages of refrakt into a project's `node_modules`, as npm installs them. */
export async function installReal(cwd: string): Promise<void> {
  const modules = join(await lab(), "node_modules");
  linkTree(modules, join(cwd, "node_modules"), (entry) => !LEFT_OUT.has(entry));
}
