/**
 * Where an HTTP server listens.
 *
 * @module
 */

/** A place to listen. */
export interface Address {
  readonly hostname: string;
  /** The port; 0 takes a free one. */
  readonly port: number;
}

/** Whether an address can be reached from this machine alone. */
export function isLoopback({ hostname }: Address): boolean {
  return /^(localhost|127(\.\d+){3}|::1)$/i.test(hostname);
}
