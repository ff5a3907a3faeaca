/**
 * What a page that hosts views needs, without Node's modules. Not in deno.json: only tests
 * download it.
 */

export { Client, StreamableHTTPClientTransport } from "npm:@modelcontextprotocol/client@2.4.0";
export {
  AppBridge,
  PostMessageTransport,
} from "npm:@modelcontextprotocol/ext-apps@2.0.4/app-bridge";
