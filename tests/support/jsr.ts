/** A small JSR registry on loopback, which stores and serves what `deno publish` sends. */

import { createHash } from "node:crypto";
import { extname, join } from "node:path";
import { build } from "../../.ci/build.ts";
import manifest from "../../deno.json" with { type: "json" };
import { LAB } from "./lab.ts";
import { once } from "./lock.ts";
import { runProcess } from "./process.ts";
import { readTree } from "./project.ts";
import { denoDirectory } from "./registry.ts";
import { ROOT } from "./server.ts";
import { temporaryFolder } from "./temporary.ts";

export interface JsrRegistry extends AsyncDisposable {
  readonly url: string;
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** Caches the archive for the other test files of a run. */
const KEPT = join(LAB, "published");

const TYPES: Readonly<Record<string, string>> = {
  ".json": "application/json",
  ".ts": "text/typescript",
  ".js": "text/javascript",
};

/**
 * Serves the built package as the real `deno publish` sends it. In a whole run, `.ci/test.ts`
 * serves it to all tests, so that Deno downloads and compiles it once.
 *
 * @param built The folder of the built package, if it is built already.
 */
export async function publishToRegistry(built?: string): Promise<JsrRegistry> {
  const state = await stateOf();
  const files = await unpack(await archiveOf(state, built));
  const shared = Deno.env.get("REFRAKT_REGISTRY");
  if (shared !== undefined) {
    return { url: shared, files, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const { exports } = JSON.parse(new TextDecoder().decode(files.get("/deno.json")));
  // Deno caches modules by URL, and ports are reused: the checksum makes the URL unique.
  const base = `/${state}/${manifest.name}`;
  const server = serve(async ({ pathname }) => {
    if (pathname === `${base}/meta.json`) {
      return Response.json({
        scope: "refrakt",
        name: "mcp",
        latest: manifest.version,
        versions: { [manifest.version]: {} },
      });
    }
    if (pathname === `${base}/${manifest.version}_meta.json`) {
      return Response.json({ manifest: await checksums(files), exports });
    }
    const file = files.get(pathname.slice(`${base}/${manifest.version}`.length));
    if (file === undefined) return new Response("not found", { status: 404 });
    const type = TYPES[extname(pathname)] ?? "text/plain";
    return new Response(file, { headers: { "content-type": type } });
  });
  return {
    url: `${urlOf(server)}${state}/`,
    files,
    [Symbol.asyncDispose]: async () => {
      await server.shutdown();
      await forgetPort(server.addr.port);
    },
  };
}

/** Removes what Deno has kept of the modules that a port has served, 4 MB. */
export async function forgetPort(port: number): Promise<void> {
  const kept = join(await denoDirectory(), `remote/http/127.0.0.1_PORT${port}`);
  await Deno.remove(kept, { recursive: true }).catch(() => {});
}

/** The archive of the current checkout, built once by its first user. */
async function archiveOf(state: string, built: string | undefined): Promise<string> {
  await Deno.mkdir(KEPT, { recursive: true });
  const path = join(KEPT, `${state}.tgz`);
  const isThere = () => Deno.stat(path).then(() => true, () => false);
  await once(join(KEPT, "publishing"), isThere, async () => {
    const made = await publish(built);
    if (await stateOf() !== state) throw new Error("The sources changed while they were published");
    for await (const { name } of Deno.readDir(KEPT)) {
      if (name.endsWith(".tgz")) await Deno.remove(join(KEPT, name));
    }
    await Deno.writeFile(`${path}.new`, made);
    await Deno.rename(`${path}.new`, path);
  });
  return path;
}

/** Returns what `deno publish` sends of the package, which it builds unless it is built already. */
async function publish(built: string | undefined): Promise<Uint8Array<ArrayBuffer>> {
  let sent: Uint8Array<ArrayBuffer> | undefined;
  await using server = serve(async ({ pathname }, request) => {
    if (request.method === "POST") {
      sent = await request.bytes() as Uint8Array<ArrayBuffer>;
      return Response.json({ id: "1", status: "success", error: null });
    }
    if (pathname.includes("/versions/")) {
      return Response.json({ code: "packageVersionNotFound", message: "free" }, { status: 404 });
    }
    return Response.json({ scope: "refrakt", name: "mcp", githubRepository: null });
  });
  const folder = built ?? join(temporaryFolder(), "package");
  if (built === undefined) await build(folder);
  const args = ["publish", "--allow-dirty", "--no-check", "--token", "any"];
  const env = { JSR_URL: urlOf(server) };
  const { code, stderr } = await runProcess(Deno.execPath(), args, folder, undefined, env);
  if (code !== 0 || sent === undefined) {
    throw new Error(`deno publish failed: ${stderr}`);
  }
  return sent;
}

/** One checksum of every file of the archive and of the build. */
async function stateOf(): Promise<string> {
  const hash = createHash("sha256").update(Deno.version.deno);
  const add = async (path: string) => {
    const { isDirectory } = await Deno.stat(join(ROOT, path));
    if (!isDirectory) hash.update(`\0${path}\0`).update(await Deno.readFile(join(ROOT, path)));
    else {
      const names = await Array.fromAsync(Deno.readDir(join(ROOT, path)), ({ name }) => name);
      for (const name of names.sort()) await add(`${path}/${name}`);
    }
  };
  for (const path of [...manifest.publish.include, "deno.lock", ".ci"]) await add(path);
  return hash.digest("hex");
}

function serve(
  answer: (url: URL, request: Request) => Promise<Response>,
): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request) => answer(new URL(request.url), request),
  );
}

function urlOf({ addr }: Deno.HttpServer<Deno.NetAddr>): string {
  return `http://127.0.0.1:${addr.port}/`;
}

/** The files of a gzipped tar, by their path with a leading slash. */
async function unpack(archive: string): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const folder = temporaryFolder();
  const { code, stderr } = await runProcess("tar", ["xzf", archive], folder);
  if (code !== 0) throw new Error(stderr);
  const paths = Object.keys(readTree(folder));
  return new Map(paths.map((path) => [`/${path}`, Deno.readFileSync(join(folder, path))]));
}

async function checksums(
  files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
): Promise<Record<string, { size: number; checksum: string }>> {
  const sums: Record<string, { size: number; checksum: string }> = {};
  for (const [path, bytes] of files) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    sums[path] = { size: bytes.length, checksum: `sha256-${digest.toHex()}` };
  }
  return sums;
}
