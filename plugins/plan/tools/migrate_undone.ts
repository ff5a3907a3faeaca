/**
 * The plugin reports files that it could not move beside an answer of success. What was
 * asked to be written and was not is an error here.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import { mayWrite } from "../../../src/io/permissions.ts";
import { asObject } from "../../../src/io/json.ts";

/** The most files that the message names. */
const MOST_NAMED = 5;

/**
 * Refuses the answer of a migration that did not do what it was to do.
 *
 * @param place The project, whose place on the machine is no part of a message, and the plan.
 * @param answer What the plugin answered.
 * @throws {RefraktError} `PERMISSION_DENIED` where a grant is missing, else `FILE_OPERATION_FAILED`;
 * the data says what was moved all the same.
 */
export function refuseUndone(
  { root, dir }: { readonly root: string; readonly dir: string },
  answer: unknown,
): void {
  const { mode, errors, applied } = asObject(answer);
  if (mode !== "apply" || !Array.isArray(errors) || errors.length === 0) return;
  const reasons = errors.map(({ file, reason }) =>
    `${file}: ${String(reason).replaceAll(`${root}/`, "").slice(0, 300)}`
  );
  const done = Array.isArray(applied) ? applied.length : 0;
  const denied = !mayWrite(dir);
  const more = reasons.length > MOST_NAMED ? `\n… and ${reasons.length - MOST_NAMED} more` : "";
  throw new RefraktError(
    denied ? "PERMISSION_DENIED" : "FILE_OPERATION_FAILED",
    `${errors.length} of ${errors.length + done} files were not moved\n` +
      reasons.slice(0, MOST_NAMED).join("\n") + more,
    {
      hint: denied
        ? "Start the server with --allow-write=<the plan's folder>, and call again."
        : "Mend what the reasons say, and call again: what was moved is not moved twice.",
      data: { applied: applied ?? [], errors: reasons },
    },
  );
}
