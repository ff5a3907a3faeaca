/** The findings of a whole site as an earlier start found them, if nothing that it read has changed. */

import * as z from "zod";
import { openKept } from "../io/kept.ts";
import { areCurrent, readsOfPackages, recordReads } from "../io/reads.ts";
import type { CallContext } from "../tools/context.ts";
import type { Findings } from "./engine/lazy.ts";
import { DIAGNOSTIC } from "./engine/pages/read/diagnostics.ts";

const findingShape = DIAGNOSTIC.extend({ path: z.string() });

/** Kept as they are: answers have the keys of findings in their order. */
const keptShape = z.object({
  made: z.string(),
  reads: z.array(z.tuple([z.string(), z.string()])),
  found: z.custom<Findings>((value) =>
    z.object({
      files: z.int(),
      findings: z.array(findingShape),
      skipped: z.array(z.string()),
      isFinal: z.literal(true),
      warnings: z.array(z.string()).optional(),
    }).strict().safeParse(value).success
  ),
});

type KeptFindings = z.infer<typeof keptShape>;

/** By project and site: what this or an earlier start kept. */
const lasts = new Map<string, KeptFindings | undefined>();

/**
 * Returns the findings of this or an earlier start if they are still true; else finds them, and
 * leaves them to the next start.
 */
export async function keptOrFound(
  site: string,
  { project, signal }: CallContext,
  find: () => Promise<Findings>,
): Promise<Findings> {
  const kept = await openKept({ signal });
  if (kept === undefined) return await find();
  const name = `findings ${project.cwd} ${site}`;
  if (!lasts.has(name)) lasts.set(name, keptShape.safeParse(await kept.get(name)).data);
  const last = lasts.get(name);
  // Pages may show the date; packages, configuration and permissions are among what is read.
  const made = JSON.stringify([Deno.version.deno, new Date().toDateString()]);
  if (last?.made === made && areCurrent(new Map(last.reads))) return last.found;
  const { value: found, reads } = await recordReads(find);
  const all = [...new Map([...readsOfPackages, ...project.reads, ...reads])];
  const next = found.isFinal ? { made, reads: all, found } : undefined;
  lasts.set(name, next);
  if (next !== undefined) await kept.put(name, next);
  return found;
}
