/**
 * Waits for work with a time limit.
 *
 * @module
 */

/**
 * The value of a promise, if it comes in time. What comes later is dropped, a failure too.
 *
 * @param keepAlive Whether the wait alone keeps the process alive.
 * @returns The value in an object; `undefined` where the time was over first.
 * @throws Whatever the promise is rejected with in time.
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
