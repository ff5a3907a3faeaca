/** The host's side of MCP Apps. It is no import of deno.json: only tests download it. */

export {
  AppBridge,
  PostMessageTransport,
} from "npm:@modelcontextprotocol/ext-apps@2.0.4/app-bridge";
