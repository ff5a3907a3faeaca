/** What is said about a whole site as an earlier start found it, if nothing that it read has changed. */

import * as z from "zod";
import { openKept } from "../../src/io/kept.ts";
import { areCurrent, recordReads } from "../../src/io/reads.ts";
import type { CallContext } from "../../src/plugin/context.ts";

/**
 * Returns a function that returns the answer of this or an earlier start if it is still true; else it
 * finds it, and leaves it to the next start.
 *
 * @param shape What an answer that was kept must have.
 */
export function keptAnswers<Found extends { readonly isFinal: boolean }>(
  what: string,
  shape: z.ZodType,
): (site: string, call: CallContext, find: () => Promise<Found>) => Promise<Found> {
  const keptShape = z.object({
    made: z.string(),
    reads: z.array(z.tuple([z.string(), z.string()])),
    // As it is: answers have the keys of what was found in their order.
    found: z.custom<Found>((value) => shape.safeParse(value).success),
  });
  /** By project and site. */
  const lasts = new Map<string, z.infer<typeof keptShape> | undefined>();
  return async (site, { project, signal }, find) => {
    const kept = await openKept({ signal });
    if (kept === undefined) return await find();
    const name = `${what} ${project.cwd} ${site}`;
    if (!lasts.has(name)) lasts.set(name, keptShape.safeParse(await kept.get(name)).data);
    const last = lasts.get(name);
    // Pages may show the date; packages, configuration and permissions are among what is read.
    const made = JSON.stringify([Deno.version.deno, new Date().toDateString()]);
    if (last?.made === made && areCurrent(new Map(last.reads))) return last.found;
    const { value: found, reads } = await recordReads(find);
    const all = [...new Map([...project.reads, ...reads])];
    const next = found.isFinal ? { made, reads: all, found } : undefined;
    lasts.set(name, next);
    if (next !== undefined) await kept.put(name, next);
    return found;
  };
}
