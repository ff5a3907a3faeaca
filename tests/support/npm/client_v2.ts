/** The client of the MCP SDK 2.x. Not in deno.json: only tests and the demo download it. */

export * from "npm:@modelcontextprotocol/client@2.4.0";
export { StdioClientTransport } from "npm:@modelcontextprotocol/client@2.4.0/stdio";
