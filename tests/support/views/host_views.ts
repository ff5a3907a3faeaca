/** A page that hosts a view, and the server behind it, on a loopback port. */

import { createServer } from "../../../src/lib/mod.ts";

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>host</title>
<style>html,body{margin:0;height:100%}iframe{border:0;width:100%;height:100%}</style></head>
<body><script type="module" src="/host.js"></script></body></html>`;

/** Serves a project, whose code runs with `trust`, with the bundled script of the host. */
export async function hostViews(
  cwd: string,
  script: string,
  trust: boolean,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = await createServer({ cwd, code: { trust } });
  const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/") return new Response(PAGE, { headers: { "content-type": "text/html" } });
    if (pathname === "/host.js") {
      const headers = { "content-type": "text/javascript" };
      return new Response(Deno.readTextFileSync(script), { headers });
    }
    return server.fetch(request);
  });
  return {
    url: `http://127.0.0.1:${http.addr.port}/`,
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await http.shutdown();
    },
  };
}
