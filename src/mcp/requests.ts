/**
 * Looks at what a client sent before and after the SDK does, so that every request gets
 * an answer, and one that a person can read.
 *
 * @module
 */

import {
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  type SpecTypeName,
  specTypeSchemas,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { fieldOf, isObject } from "../io/json.ts";

/** The codes of JSON-RPC and of MCP that are answered here. */
export const CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
  unsupportedVersion: -32022,
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

/** The newest revisions, which the SDK's list of handshake versions leaves out. */
const MODERN_VERSIONS = ["2026-07-28"];

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

/**
 * Why a message is no JSON-RPC, or speaks a version that nobody here knows.
 *
 * @param message One parsed message, no batch.
 */
export function messageProblem(message: unknown): RpcError | undefined {
  if (!isObject(message)) return invalidRequest("A message is a JSON object");
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== "2.0") return invalidRequest('"jsonrpc" must be "2.0"');
  const isAnswer = method === undefined && ("result" in message || "error" in message);
  if (id !== undefined && typeof id !== "string" && !Number.isSafeInteger(id)) {
    return isAnswer && id === null
      ? undefined
      : invalidRequest('"id" must be a string or a whole number');
  }
  if (isAnswer) return undefined;
  if (typeof method !== "string") return invalidRequest('"method" must be a string');
  if (params !== undefined && !isObject(params)) {
    return { code: CODES.invalidParams, message: 'Invalid params: "params" must be an object' };
  }
  return versionProblem(params ?? {}) ?? (id === undefined ? undefined : formProblem(message));
}

/** Whether a message is JSON-RPC, of a version that is known here; see {@linkcode messageProblem}. */
export function isMessage(message: unknown): message is JSONRPCMessage {
  return messageProblem(message) === undefined;
}

/** What the SDK would drop without an answer, such as a token for progress that is no token. */
function formProblem(message: unknown): RpcError | undefined {
  const faults = faultsOf("JSONRPCRequest", message);
  return faults === undefined ? undefined : invalidRequest(faults);
}

function versionProblem({ _meta }: { readonly _meta?: unknown }): RpcError | undefined {
  const requested = fieldOf(_meta, PROTOCOL_VERSION_META_KEY);
  const supported = [...MODERN_VERSIONS, ...SUPPORTED_PROTOCOL_VERSIONS];
  if (requested === undefined || supported.some((version) => version === requested)) {
    return undefined;
  }
  return {
    code: CODES.unsupportedVersion,
    message: `Unsupported protocol version: ${JSON.stringify(requested)}`,
    data: { supported: [...new Set(supported)], requested },
  };
}

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

/** The id to answer to, also where the request is malformed; `null` where it has none. */
export function answerableId(message: unknown): string | number | null {
  const id = fieldOf(message, "id");
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function invalidRequest(reason: string): RpcError {
  return { code: CODES.invalidRequest, message: `Invalid request: ${reason}` };
}
