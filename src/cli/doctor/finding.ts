/**
 * What `doctor` finds, one line each.
 *
 * @module
 */

import { messageOf, RefraktError } from "../../errors.ts";
import { refusalToError } from "../../io/permissions.ts";

/** One finding. */
export interface Finding {
  /** How it is: fine, worth a look, or wrong. */
  readonly status: "ok" | "warning" | "problem";
  /** What was looked at. */
  readonly topic: string;
  /** What was found, without a final period. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** A finding of something that is fine. */
export function ok(topic: string, message: string): Finding {
  return { status: "ok", topic, message };
}

/** A finding of something that is worth a look, but stops nothing. */
export function warning(topic: string, message: string, hint?: string): Finding {
  return { status: "warning", topic, message, ...(hint === undefined ? {} : { hint }) };
}

/** A finding of something that is wrong. */
export function problem(topic: string, message: string, hint?: string): Finding {
  return { status: "problem", topic, message, ...(hint === undefined ? {} : { hint }) };
}

/** The finding for an error; a refusal of the runtime names the flag that is missing. */
export function problemOf(topic: string, error: unknown): Finding {
  const known = refusalToError(error, Deno.cwd()) ?? error;
  return problem(topic, messageOf(known), known instanceof RefraktError ? known.hint : undefined);
}

/** Runs one check; where it fails itself, that is a finding too, and the others go on. */
export async function checked(
  topic: string,
  check: () => readonly Finding[] | Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [problemOf(topic, error)];
  }
}

/** A number with its noun. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
