/** A page that hosts a view, and the server behind it, on a loopback port: `deno run -A server.ts <cwd> <script> [trusted]…`. */

import { createServer } from "../../../src/lib/mod.ts";

const [cwd, hostScript, ...trusted] = Deno.args;
const server = await createServer({ cwd: cwd!, code: { trusted } });
const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>host</title>
<style>html,body{margin:0;height:100%}iframe{border:0;width:100%;height:100%}</style></head>
<body><script type="module" src="/host.js"></script></body></html>`;

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) =>
    void Deno.stdout.writeSync(new TextEncoder().encode(`http://127.0.0.1:${port}/\n`)),
}, (request) => {
  const { pathname } = new URL(request.url);
  if (pathname === "/") return new Response(page, { headers: { "content-type": "text/html" } });
  if (pathname === "/host.js") {
    return new Response(Deno.readTextFileSync(hostScript!), {
      headers: { "content-type": "text/javascript" },
    });
  }
  return server.fetch(request);
});
