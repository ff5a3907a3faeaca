/** Waits for a promise, but not forever. */

/**
 * Waits for a promise at most some time. The work behind it is not stopped: what it does later is
 * ignored.
 *
 * @param late Returns the value if the time is over, or throws.
 */
export async function waitAtMost<Value, Late>(
  milliseconds: number,
  pending: Promise<Value>,
  late: () => Late,
): Promise<Value | Awaited<Late>> {
  const isLate = Symbol();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<typeof isLate>((resolve) => {
    timer = setTimeout(() => resolve(isLate), milliseconds);
  });
  try {
    const outcome = await Promise.race([pending, limit]);
    return outcome === isLate ? await late() : outcome;
  } finally {
    clearTimeout(timer);
  }
}
