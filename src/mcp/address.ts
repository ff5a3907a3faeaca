/** The address of the HTTP server. */

export interface Address {
  readonly hostname: string;
  /** 0 takes a free port. */
  readonly port: number;
}

export function isLoopback({ hostname }: Address): boolean {
  return /^(localhost|127(\.\d+){3}|::1)$/i.test(hostname);
}
