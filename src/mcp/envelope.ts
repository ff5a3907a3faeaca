/**
 * What a client of the newer era says of itself with each request. The SDK's type of it has no
 * fields for the keys.
 *
 * @module
 */

import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { fieldOf, textOf } from "../io/json.ts";

/** What the client can do, as it declares it. */
export function declaredCapabilities({ mcpReq }: ServerContext): unknown {
  return fieldOf(mcpReq.envelope, CLIENT_CAPABILITIES_META_KEY);
}

/** What the client calls itself. */
export function declaredName({ mcpReq }: ServerContext): string | undefined {
  return textOf(fieldOf(fieldOf(mcpReq.envelope, CLIENT_INFO_META_KEY), "name"));
}

/** The least severe messages that the client wants. */
export function declaredLogLevel({ mcpReq }: ServerContext): string | undefined {
  return textOf(fieldOf(mcpReq.envelope, LOG_LEVEL_META_KEY));
}
