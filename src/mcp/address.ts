/** Listening on an address, and comparing the secrets that requests bring. */

import { messageOf, RefraktError } from "../errors.ts";
import { nodeModule } from "../io/node_module.ts";

export interface Address {
  readonly hostname: string;
  /** 0 takes a free port. */
  readonly port: number;
}

export function isLoopback({ hostname }: Address): boolean {
  return /^(localhost|127(\.\d+){3}|::1)$/i.test(hostname);
}

/** The address as in a URL or a permission: without port 0. */
export function shownAddress({ hostname, port }: Address): string {
  return (hostname.includes(":") ? `[${hostname}]` : hostname) + (port === 0 ? "" : `:${port}`);
}

/**
 * Starts listening.
 *
 * @throws {RefraktError} `PERMISSION_DENIED` without the permission, `INVALID_ARGS` if the address
 * is not available.
 */
export function listen(
  address: Address,
  handler: Deno.ServeHandler<Deno.NetAddr>,
): Deno.HttpServer<Deno.NetAddr> {
  const shown = shownAddress(address);
  try {
    return Deno.serve({ ...address, onListen: () => {} }, handler);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) {
      throw new RefraktError("PERMISSION_DENIED", `No permission to listen on ${shown}`, {
        hint: `Start it with --allow-net=${shown}.`,
      });
    }
    throw new RefraktError("INVALID_ARGS", `Cannot listen on ${shown}: ${messageOf(error)}`, {
      hint: "Stop the program that uses it, or pass another address or port.",
    });
  }
}

/** Compares in constant time. */
export function isSameSecret(a: string, b: string): boolean {
  const { createHash, timingSafeEqual } = nodeModule("node:crypto");
  const [left, right] = [a, b].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(left!, right!);
}
