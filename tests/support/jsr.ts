/** A small JSR registry on loopback: it keeps what `deno publish` sends, and serves it. */

import { join } from "node:path";
import { build } from "../../.ci/build.ts";
import manifest from "../../deno.json" with { type: "json" };

/** A registry that is running. */
export interface JsrRegistry extends AsyncDisposable {
  /** Its URL, for `JSR_URL`. */
  readonly url: string;
  /** The files that were published, by their path with a leading slash. */
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** Starts a registry, and publishes the built package to it with the real `deno publish`. */
export async function publishToRegistry(): Promise<JsrRegistry> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  let exports: Record<string, string> = {};
  const base = `/${manifest.name}`;
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/api/")) {
        if (request.method === "POST") {
          await unpack(request.body!, files);
          const published = JSON.parse(new TextDecoder().decode(files.get("/deno.json")!));
          exports = published.exports;
          return Response.json({ id: "1", status: "success", error: null });
        }
        if (pathname.includes("/versions/")) {
          return Response.json({ code: "packageVersionNotFound", message: "free" }, {
            status: 404,
          });
        }
        return Response.json({ scope: "refrakt", name: "mcp", githubRepository: null });
      }
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
      const type = pathname.endsWith(".json")
        ? "application/json"
        : pathname.endsWith(".ts")
        ? "text/typescript"
        : pathname.endsWith(".js")
        ? "text/javascript"
        : "text/plain";
      return new Response(file, { headers: { "content-type": type } });
    },
  );
  const url = `http://127.0.0.1:${server.addr.port}/`;
  const folder = join(await Deno.makeTempDir({ prefix: "refrakt-mcp-jsr-" }), "package");
  await build(folder);
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["publish", "--allow-dirty", "--no-check", "--token", "any"],
    cwd: folder,
    env: { JSR_URL: url, NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  }).output();
  await Deno.remove(join(folder, ".."), { recursive: true });
  if (code !== 0) {
    await server.shutdown();
    throw new Error(`deno publish failed: ${new TextDecoder().decode(stderr)}`);
  }
  return { url, files, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** Reads a gzipped tar: the format is blocks of 512 bytes, a header and then the content. */
async function unpack(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  files: Map<string, Uint8Array<ArrayBuffer>>,
): Promise<void> {
  const bytes = await new Response(body.pipeThrough(new DecompressionStream("gzip"))).bytes();
  const text = (from: number, length: number) =>
    new TextDecoder().decode(bytes.subarray(from, from + length)).replace(/\0.*$/s, "");
  let longName: string | undefined;
  for (let offset = 0; offset + 512 <= bytes.length && bytes[offset] !== 0;) {
    const size = parseInt(text(offset + 124, 12).trim(), 8) || 0;
    const content = bytes.slice(offset + 512, offset + 512 + size);
    const type = String.fromCharCode(bytes[offset + 156]!);
    const prefix = text(offset + 345, 155);
    const name = longName ?? join(prefix, text(offset, 100));
    longName = undefined;
    if (type === "L") longName = new TextDecoder().decode(content).replace(/\0.*$/s, "");
    else if (type === "0" || type === "\0") files.set(`/${name.replace(/^\.?\//, "")}`, content);
    offset += 512 + Math.ceil(size / 512) * 512;
  }
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
