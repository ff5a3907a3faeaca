/** The client of the MCP SDK 1.x. Not in deno.json: only tests download it. */

// deno-lint-ignore no-import-prefix -- only tests download it
import { Client } from "npm:@modelcontextprotocol/sdk@1.32.2/client/index.js";
import { patient } from "./patience.ts";

export { Client };
export { StdioClientTransport } from "npm:@modelcontextprotocol/sdk@1.32.2/client/stdio.js";
export { StreamableHTTPClientTransport } from "npm:@modelcontextprotocol/sdk@1.32.2/client/streamableHttp.js";
export { AjvJsonSchemaValidator } from "npm:@modelcontextprotocol/sdk@1.32.2/validation/ajv";

patient(Client);
