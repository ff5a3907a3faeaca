/** How long a test waits for an answer, in milliseconds: a machine under load is slow. */
export const PATIENCE_MS = 180_000;

/** Lets clients of an SDK, which wait for a minute, wait as long. */
export function patient({ prototype }: { readonly prototype: object }): void {
  const sdk = prototype as { _setupTimeout(id: number, ms: number, ...rest: unknown[]): void };
  const setupTimeout = sdk._setupTimeout;
  sdk._setupTimeout = function (id, ms, ...rest) {
    setupTimeout.call(this, id, Math.max(ms, PATIENCE_MS), ...rest);
  };
}
