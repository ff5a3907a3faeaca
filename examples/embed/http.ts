/** Serves the same over HTTP, for `deno serve`. */

import { createServer } from "jsr:@refrakt/mcp@^0.2";
import { hoursTool } from "./hours.ts";

const { fetch } = await createServer({ name: "team", plugins: [{ name: "team", tools: [hoursTool] }] });
export default { fetch };
