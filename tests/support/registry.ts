/**
 * A small npm registry for made-up plugins, so that a spawned server loads them as
 * it loads real ones. It serves one scope; everything else comes from where it
 * always comes from.
 */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { childEnvironment } from "./server.ts";
import { temporaryFolder } from "./temporary.ts";

/** The scope of the made-up packages. */
export const SCOPE = "@made-up";

/** A made-up package: its files by path. `package.json` is written for it. */
export interface FakePackage {
  /** The name without the scope. */
  name: string;
  /** The version; `1.0.0` by default. */
  version?: string;
  /** The source of `cli-plugin.js`; absent for a package without commands. */
  plugin?: string;
  /** More files. */
  files?: Readonly<Record<string, string>>;
  /** What it depends on, by whole names. */
  dependencies?: Readonly<Record<string, string>>;
}

/** How a registry of made-up packages behaves. */
export interface RegistryOptions {
  /** The scope that it serves; the one of the made-up packages by default. */
  scope?: string;
  /** Answers in place of the registry, or holds a request up; `undefined` lets it through. */
  intercept?: (path: string) => Promise<Response | undefined> | Response | undefined;
}

/** A registry of made-up packages. */
export interface FakeRegistry extends Registry {
  /** The paths that were asked for. */
  asked: string[];
  /** The checksum of a package's archive. */
  integrityOf(name: string): string;
}

/** A running registry. */
export interface Registry {
  /** The environment for a child that uses it. */
  env: Record<string, string>;
  /** Stops it, and removes what the runtime has cached of it. */
  stop(): Promise<void>;
}

/** Serves packages until it is stopped. */
export async function startRegistry(
  packages: readonly FakePackage[],
  { scope = SCOPE, intercept }: RegistryOptions = {},
): Promise<FakeRegistry> {
  const asked: string[] = [];
  const built = new Map<string, { packument: string; tarballs: Map<string, Uint8Array> }>();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const path = decodeURIComponent(new URL(request.url).pathname).slice(1);
      asked.push(path);
      const instead = await intercept?.(path);
      if (instead !== undefined) return instead;
      const [name, file] = path.split("/-/") as [string, string | undefined];
      const entry = built.get(name);
      if (entry === undefined) return new Response("{}", { status: 404 });
      if (file === undefined) return new Response(entry.packument);
      const tarball = entry.tarballs.get(file);
      return tarball === undefined
        ? new Response("", { status: 404 })
        : new Response(tarball as BodyInit);
    },
  );
  const { port } = server.addr as Deno.NetAddr;
  const origin = `http://127.0.0.1:${port}`;
  for (const name of new Set(packages.map((entry) => entry.name))) {
    built.set(
      `${scope}/${name}`,
      await packumentOf(origin, scope, packages.filter((entry) => entry.name === name)),
    );
  }
  return {
    ...await registryOf(server, scope, origin),
    asked,
    integrityOf: (name) => {
      const { versions } = JSON.parse(built.get(`${scope}/${name}`)!.packument);
      return Object.values<{ dist: { integrity: string } }>(versions).at(-1)!.dist.integrity;
    },
  };
}

/** A running server as the registry of a scope. */
export async function registryOf(
  server: Deno.HttpServer,
  scope: string,
  origin: string,
): Promise<Registry> {
  const home = temporaryFolder();
  await Deno.writeTextFile(join(home, ".npmrc"), `${scope}:registry=${origin}/\n`);
  const denoDir = await denoDirectory();
  return {
    env: { ...childEnvironment(), HOME: home, DENO_DIR: denoDir },
    stop: async () => {
      // Before the port is free: the next registry may get it, and keep its packages there.
      await Deno.remove(join(denoDir, "npm", new URL(origin).port), { recursive: true })
        .catch(() => {});
      await server.shutdown();
    },
  };
}

/** The tarball of a package, as npm packs it. */
export async function tarballOf(files: Readonly<Record<string, string>>): Promise<Uint8Array> {
  return await gzip(tar(files));
}

/** What a registry says of a tarball. */
export function integrityOf(tarball: Uint8Array): string {
  return `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
}

/** A `package.json` that asks for made-up packages. */
export function manifestFor(...names: string[]): string {
  const dependencies = Object.fromEntries(names.map((name) => [`${SCOPE}/${name}`, "^1.0.0"]));
  return JSON.stringify({ name: "project", private: true, dependencies });
}

/** A config that names made-up packages as plugins. */
export function configFor(...names: string[]): string {
  return JSON.stringify({ plugins: names.map((name) => `${SCOPE}/${name}`) });
}

async function packumentOf(origin: string, scope: string, versions: readonly FakePackage[]) {
  const name = `${scope}/${versions[0]!.name}`;
  const tarballs = new Map<string, Uint8Array>();
  const described: Record<string, unknown> = {};
  let latest = "";
  for (const entry of versions) {
    const version = latest = entry.version ?? "1.0.0";
    const manifest = manifestOf(scope, entry);
    const tarball = await tarballOf(filesOf(scope, entry));
    const file = `${entry.name}-${version}.tgz`;
    tarballs.set(file, tarball);
    described[version] = {
      ...manifest,
      dist: {
        tarball: `${origin}/${name}/-/${file}`,
        integrity: integrityOf(tarball),
      },
    };
  }
  const packument = JSON.stringify({ name, "dist-tags": { latest }, versions: described });
  return { packument, tarballs };
}

/** The files of a made-up package. */
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

/** The `ustar` format: a header of 512 bytes, then the content in blocks of 512. */
function tar(files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const blocks: Uint8Array[] = [];
  for (const [path, text] of Object.entries(files)) {
    const content = encoder.encode(text);
    const header = new Uint8Array(512);
    const put = (value: string, offset: number) => header.set(encoder.encode(value), offset);
    const octal = (value: number, width: number) => value.toString(8).padStart(width, "0");
    put(`package/${path}`, 0);
    put("0000644\0", 100);
    put("0000000\0", 108);
    put("0000000\0", 116);
    put(`${octal(content.length, 11)} `, 124);
    put(`${octal(0, 11)} `, 136);
    put("        ", 148);
    put("0", 156);
    put("ustar\x0000", 257);
    put(`${octal(header.reduce((sum, byte) => sum + byte, 0), 6)}\0 `, 148);
    const padded = new Uint8Array(Math.ceil(content.length / 512) * 512);
    padded.set(content);
    blocks.push(header, padded);
  }
  blocks.push(new Uint8Array(1024));
  const all = new Uint8Array(blocks.reduce((sum, block) => sum + block.length, 0));
  let offset = 0;
  for (const block of blocks) {
    all.set(block, offset);
    offset += block.length;
  }
  return all;
}

async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Where the runtime keeps its cache, which holds the server's own packages. */
async function denoDirectory(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}
