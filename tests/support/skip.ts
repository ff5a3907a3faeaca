/** Tests that cannot run everywhere; the log states why they are skipped. */

/** Why tests of FIFOs, devices and shell scripts cannot run here; `undefined` if they can. */
export const NOT_UNIX: string | undefined = Deno.build.os === "windows"
  ? "Windows has no FIFOs, devices and shell scripts"
  : undefined;

/** Why tests of `/proc` and `/dev/full` cannot run here; `undefined` if they can. */
export const NOT_LINUX: string | undefined = Deno.build.os === "linux"
  ? undefined
  : "only Linux has /proc and /dev/full";

/** Why tests of files of other users cannot run here; `undefined` if they can. */
export const NOT_ROOT: string | undefined = NOT_UNIX ??
  (Deno.uid() === 0 ? undefined : "only root gives files to others");

/**
 * Registers a test, or a skipped one with the reason in its name, which `.ci/run` lists at the
 * end.
 */
export function testUnless(
  reason: string | undefined,
  name: string,
  fn: (t: Deno.TestContext) => void | Promise<void>,
): void {
  Deno.test({
    name: reason === undefined ? name : `${name} (skipped: ${reason})`,
    ignore: reason !== undefined,
    fn,
  });
}
