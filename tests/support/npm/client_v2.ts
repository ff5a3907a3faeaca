/** The client of the MCP SDK 2.x. Not in deno.json: only tests and the demo download it. */

// deno-lint-ignore no-import-prefix -- only tests download it
import { Client } from "npm:@modelcontextprotocol/client@2.4.0";
import { patient } from "./patience.ts";

export * from "npm:@modelcontextprotocol/client@2.4.0";
export { StdioClientTransport } from "npm:@modelcontextprotocol/client@2.4.0/stdio";

patient(Client);
