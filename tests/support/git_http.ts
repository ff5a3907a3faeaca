/** Serves git repositories over HTTP with the real `git http-backend`, slowly or unreliably. */

/** How the server misbehaves. */
export interface HttpTrouble {
  /** A pause before each answer, in milliseconds. */
  readonly delayMs?: number;
  /** The share of the answers to pushes that are cut after the push has landed. */
  readonly cut?: number;
  /** Answers requests in place of git, such as a hostile server. */
  readonly answer?: (request: Request) => Response | undefined;
}

/**
 * Serves the bare repositories in a folder on the loopback address, and lets anybody push.
 *
 * @returns The address of the folder, and a function that stops the server.
 */
export function serveGit(
  folder: string,
  { delayMs = 0, cut = 0, answer }: HttpTrouble = {},
): { url: string; stop: () => Promise<void> } {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      const given = answer?.(request);
      if (given !== undefined) return given;
      const body = new Uint8Array(await request.arrayBuffer());
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      const { pathname, search } = new URL(request.url);
      const child = new Deno.Command("git", {
        args: ["-c", "http.receivepack=true", "http-backend"],
        clearEnv: true,
        env: {
          PATH: Deno.env.get("PATH") ?? "",
          GIT_PROJECT_ROOT: folder,
          GIT_HTTP_EXPORT_ALL: "1",
          GIT_PROTOCOL: request.headers.get("git-protocol") ?? "",
          GIT_CONFIG_NOSYSTEM: "1",
          REQUEST_METHOD: request.method,
          PATH_INFO: decodeURIComponent(pathname),
          QUERY_STRING: search.slice(1),
          CONTENT_TYPE: request.headers.get("content-type") ?? "",
          HTTP_CONTENT_ENCODING: request.headers.get("content-encoding") ?? "",
          CONTENT_LENGTH: String(body.length),
          REMOTE_USER: "anybody",
        },
        stdin: "piped",
        stdout: "piped",
        stderr: "null",
      }).spawn();
      const writer = child.stdin.getWriter();
      await writer.write(body).catch(() => {});
      await writer.close().catch(() => {});
      const { stdout } = await child.output();
      const end = new TextDecoder("latin1").decode(stdout).indexOf("\r\n\r\n");
      const lines = new TextDecoder().decode(stdout.subarray(0, end)).split("\r\n");
      const headers = lines.map((line) => line.split(": ", 2) as [string, string]);
      const status = Number(headers.find(([name]) => name === "Status")?.[1]?.slice(0, 3) ?? 200);
      const content = stdout.subarray(end + 4);
      const isPush = pathname.endsWith("/git-receive-pack") && request.method === "POST";
      if (isPush && Math.random() < cut) return new Response("", { status: 502 });
      return new Response(content, {
        status,
        headers: headers.filter(([name]) => name !== "Status"),
      });
    },
  );
  const { port } = server.addr;
  return { url: `http://127.0.0.1:${port}`, stop: () => server.shutdown() };
}
