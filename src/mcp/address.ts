/** The addresses to listen on, and comparing the secrets that requests bring. */

import { nodeModule } from "../io/node_module.ts";

export interface Address {
  readonly hostname: string;
  /** 0 takes a free port. */
  readonly port: number;
}

export function isLoopback({ hostname }: Address): boolean {
  return /^(127(\.\d+){3}|::1)$/.test(hostname);
}

/** The address as in a URL or a permission: without port 0. */
export function shownAddress({ hostname, port }: Address): string {
  return (hostname.includes(":") ? `[${hostname}]` : hostname) + (port === 0 ? "" : `:${port}`);
}

/** Compares in constant time. */
export function isSameSecret(a: string, b: string): boolean {
  const { createHash, timingSafeEqual } = nodeModule("node:crypto");
  const [left, right] = [a, b].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(left!, right!);
}
