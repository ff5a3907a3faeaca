/** Serves refrakt's tools and one of its own over stdio; with `hours`, it calls that one and ends. */

import { createServer } from "jsr:@refrakt/mcp@^0.2";
import { hoursTool } from "./hours.ts";

const server = await createServer({
  name: "team",
  instructions: "Ask team_hours before you plan somebody's week.",
  plugins: [{ name: "team", tools: [hoursTool] }],
});

if (Deno.args[0] === "hours") console.log(await server.callTool("team_hours", { person: "ada" }));
else await server.serveStdio();
