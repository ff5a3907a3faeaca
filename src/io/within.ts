/** Timeouts for promises. */

/**
 * Returns the value of a promise in an object, or `undefined` on timeout. Ignores what the promise
 * does later.
 *
 * @param keepAlive Whether the wait keeps the process alive.
 */
export async function within<Value>(
  pending: Promise<Value>,
  milliseconds: number,
  keepAlive = true,
): Promise<{ readonly value: Value } | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
    if (!keepAlive) Deno.unrefTimer(Number(timer));
  });
  try {
    return await Promise.race([pending.then((value) => ({ value })), late]);
  } finally {
    clearTimeout(timer);
  }
}
