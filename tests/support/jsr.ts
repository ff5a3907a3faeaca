/** A small JSR registry on loopback, which stores and serves what `deno publish` sends. */

import { extname, join } from "node:path";
import { build } from "../../.ci/build.ts";
import manifest from "../../deno.json" with { type: "json" };
import { runProcess } from "./process.ts";
import { readTree } from "./project.ts";
import { denoDirectory } from "./registry.ts";
import { temporaryFile, temporaryFolder } from "./temporary.ts";

export interface JsrRegistry extends AsyncDisposable {
  readonly url: string;
}

const TYPES: Readonly<Record<string, string>> = {
  ".json": "application/json",
  ".ts": "text/typescript",
  ".js": "text/javascript",
};

/** The files of the package, published once by its first user. */
let published: Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>> | undefined;

/**
 * Serves the built package as the real `deno publish` sends it. In a whole run, `.ci/test.ts`
 * serves it to all tests, so that Deno downloads and compiles it once.
 *
 * @param built The folder of the built package, if it is built already.
 */
export async function publishToRegistry(built?: string): Promise<JsrRegistry> {
  const shared = Deno.env.get("REFRAKT_REGISTRY");
  if (shared !== undefined) {
    return { url: shared, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const files = await (published ??= publish(built));
  const { exports } = JSON.parse(new TextDecoder().decode(files.get("/deno.json")));
  // Deno caches modules by URL, and ports are reused.
  const state = crypto.randomUUID();
  const base = `/${state}/${manifest.name}`;
  const server = serve(async ({ pathname }) => {
    if (pathname === `${base}/meta.json`) {
      const versions = { [manifest.version]: {} };
      return Response.json({ scope: "refrakt", name: "mcp", latest: manifest.version, versions });
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
    [Symbol.asyncDispose]: async () => {
      await server.shutdown();
      await forgetPort(server.addr.port);
    },
  };
}

/** Removes what Deno has kept of the modules that a port has served, 4 MB. */
async function forgetPort(port: number): Promise<void> {
  const kept = join(await denoDirectory(), `remote/http/127.0.0.1_PORT${port}`);
  await Deno.remove(kept, { recursive: true }).catch(() => {});
}

/** The files that `deno publish` sends of the package, by their path with a leading slash. */
async function publish(built?: string): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>> {
  let sent: Uint8Array | undefined;
  await using server = serve(async ({ pathname }, request) => {
    if (request.method === "POST") {
      sent = await request.bytes();
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
  const { stderr } = await runProcess(Deno.execPath(), args, folder, undefined, env);
  if (sent === undefined) throw new Error(`deno publish failed: ${stderr}`);
  const archive = temporaryFile("package.tgz", "");
  Deno.writeFileSync(archive, sent);
  const unpacked = temporaryFolder();
  const { code, stderr: said } = await runProcess("tar", ["xzf", archive], unpacked);
  if (code !== 0) throw new Error(said);
  const paths = Object.keys(readTree(unpacked));
  return new Map(paths.map((path) => [`/${path}`, Deno.readFileSync(join(unpacked, path))]));
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
