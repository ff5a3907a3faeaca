/** The codes of JSON-RPC and of MCP that are answered here. */
export const CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
} as const;
