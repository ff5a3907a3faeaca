/**
 * Short errors for parameters that do not fit: the SDK answers with its whole account.
 *
 * @module
 */

import { type SpecTypeName, specTypeSchemas } from "@modelcontextprotocol/server";

/** The codes of JSON-RPC and of MCP that are answered here. */
export const CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
} as const;

/** An error of JSON-RPC. */
export interface RpcError {
  /** Its code. */
  readonly code: number;
  /** What is wrong, in a sentence. */
  readonly message: string;
  /** Facts for programs. */
  readonly data?: Record<string, unknown>;
}

/** The type of each method's request in the specification. */
const REQUEST_TYPES: Readonly<Record<string, SpecTypeName>> = {
  "completion/complete": "CompleteRequest",
  "initialize": "InitializeRequest",
  "logging/setLevel": "SetLevelRequest",
  "prompts/get": "GetPromptRequest",
  "prompts/list": "ListPromptsRequest",
  "resources/list": "ListResourcesRequest",
  "resources/read": "ReadResourceRequest",
  "resources/subscribe": "SubscribeRequest",
  "resources/templates/list": "ListResourceTemplatesRequest",
  "resources/unsubscribe": "UnsubscribeRequest",
  "tools/call": "CallToolRequest",
  "tools/list": "ListToolsRequest",
};

/** How many faults of a request are named. */
const NAMED_FAULTS = 3;

/** What is wrong with the parameters of a request, by the specification. */
export function paramsProblem(
  { method, params = {} }: { method: string; params?: unknown },
): RpcError | undefined {
  const type = Object.hasOwn(REQUEST_TYPES, method) ? REQUEST_TYPES[method] : undefined;
  if (type === undefined) return undefined;
  const faults = faultsOf(type, { method, params });
  return faults === undefined
    ? undefined
    : { code: CODES.invalidParams, message: `Invalid params: ${faults}` };
}

/** What does not fit a type of the specification: the first few fields. */
function faultsOf(type: SpecTypeName, value: unknown): string | undefined {
  const result = specTypeSchemas[type]["~standard"].validate(value);
  if (result instanceof Promise || result.issues === undefined) return undefined;
  const faults = result.issues.slice(0, NAMED_FAULTS).map(({ path = [], message }) => {
    const steps = path.map((step) => String(typeof step === "object" ? step.key : step));
    const reason = message.replace(/^Invalid (input|option): /, "");
    if (steps.length === 0) return reason;
    const field = (steps[0] === "params" ? steps.slice(1) : steps).join(".") || "params";
    return `"${field}": ${reason}`;
  });
  return faults.join("; ");
}
