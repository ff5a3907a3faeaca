/**
 * A small npm registry for fake plugins, so that a spawned server loads them like real ones.
 * It serves one scope; other packages come from their usual registry.
 */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Files, makeProject, writeFiles } from "./project.ts";
import { childEnvironment } from "./server.ts";
import { temporaryFolder } from "./temporary.ts";

export const SCOPE = "@made-up";

/** A fake package: its files by path. `package.json` is generated. */
export interface FakePackage {
  name: string;
  version?: string;
  plugin?: string;
  files?: Files;
  dependencies?: Readonly<Record<string, string>>;
}

/** How a registry of fake packages behaves. */
export interface RegistryOptions {
  /** The scope that it serves; {@linkcode SCOPE} by default. */
  scope?: string;
  /** The path of its address, as mirrors have one. */
  path?: string;
  /** Answers in place of the registry, or delays a request; `undefined` lets it through. */
  intercept?: (path: string) => Promise<Response | undefined> | Response | undefined;
}

/** Serves packages until it is stopped; of several versions, the last is tagged as the latest. */
export async function startRegistry(
  packages: readonly FakePackage[],
  { scope = SCOPE, path: base = "", intercept }: RegistryOptions = {},
) {
  const asked: string[] = [];
  const answers = new Map<string, string | Uint8Array<ArrayBuffer>>();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const path = decodeURIComponent(new URL(request.url).pathname).slice(`${base}/`.length);
      asked.push(path);
      const instead = await intercept?.(path);
      if (instead !== undefined) return instead;
      const answer = answers.get(path);
      return new Response(answer ?? "{}", { status: answer === undefined ? 404 : 200 });
    },
  );
  const { port } = server.addr;
  const origin = `http://127.0.0.1:${port}${base}`;
  for (const entry of packages) {
    const manifest = manifestOf(scope, entry);
    const { name, version } = manifest;
    const tarball = await tarballOf(filesOf(scope, entry));
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    const path = `${name}/-/${entry.name}-${version}.tgz`;
    answers.set(path, tarball);
    const versions = {
      ...JSON.parse(String(answers.get(name) ?? "{}")).versions,
      [version]: { ...manifest, dist: { tarball: `${origin}/${path}`, integrity } },
    };
    answers.set(name, JSON.stringify({ name, "dist-tags": { latest: version }, versions }));
  }
  const home = makeProject({ ".npmrc": `${scope}:registry=${origin}/\n` });
  const denoDir = await denoDirectory();
  return {
    env: { ...childEnvironment(), HOME: home, DENO_DIR: denoDir },
    asked,
    /** Stops it, and removes its packages from the runtime's cache. */
    stop: async (): Promise<void> => {
      // Before the port is free: the next registry may reuse it, and find these packages cached.
      await Deno.remove(join(denoDir, "npm", String(port)), { recursive: true }).catch(() => {});
      await server.shutdown();
    },
  };
}

async function tarballOf(files: Files): Promise<Uint8Array<ArrayBuffer>> {
  const folder = temporaryFolder();
  writeFiles(join(folder, "package"), files);
  const { stdout } = await new Deno.Command("tar", { args: ["cz", "package"], cwd: folder })
    .output();
  return stdout;
}

export function manifestFor(...names: string[]): string {
  const dependencies = Object.fromEntries(names.map((name) => [`${SCOPE}/${name}`, "^1.0.0"]));
  return JSON.stringify({ name: "project", private: true, dependencies });
}

/** A config that lists fake packages as plugins. */
export function configFor(...names: string[]): string {
  return JSON.stringify({ plugins: names.map((name) => `${SCOPE}/${name}`) });
}

export function filesOf(scope: string, entry: FakePackage): Record<string, string> {
  return {
    "package.json": JSON.stringify(manifestOf(scope, entry)),
    "index.js": "export {};\n",
    ...(entry.plugin === undefined ? {} : { "cli-plugin.js": entry.plugin }),
    ...entry.files,
  };
}

function manifestOf(scope: string, { name, version = "1.0.0", dependencies, plugin }: FakePackage) {
  return {
    name: `${scope}/${name}`,
    version,
    type: "module",
    ...(dependencies === undefined ? {} : { dependencies }),
    exports: {
      ".": "./index.js",
      ...(plugin === undefined ? {} : { "./cli-plugin": "./cli-plugin.js" }),
    },
  };
}

/** Where the runtime keeps its cache, which holds the server's own packages. */
export async function denoDirectory(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}
