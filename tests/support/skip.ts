/** Tests that cannot run everywhere; where they are left out, the log says why. */

/**
 * Registers a test, or one that is left out with the reason in its name, which
 * `.ci/run` lists at the end.
 */
export function testUnless(
  reason: string | undefined,
  name: string,
  fn: (t: Deno.TestContext) => void | Promise<void>,
): void {
  Deno.test({
    name: reason === undefined ? name : `${name} (left out: ${reason})`,
    ignore: reason !== undefined,
    fn,
  });
}
