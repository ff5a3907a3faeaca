/** The findings of a whole site as an earlier start found them, if nothing that it read has changed. */

import * as z from "zod";
import { rootsOf } from "../io/git_ask.ts";
import { type Kept, mayKeep, openKept } from "../io/kept.ts";
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

/** By site: what is kept for the next start, and what was kept last. */
const sites = new Map<
  string,
  { readonly kept: Kept | undefined; last: KeptFindings | undefined }
>();

/**
 * Returns the findings of this or an earlier start if they are still true; else finds them, and
 * leaves them to the next start.
 */
export async function keptOrFound(
  site: string,
  { project, signal }: CallContext,
  find: () => Promise<Findings>,
): Promise<Findings> {
  if (!mayKeep()) return await find();
  const { cwd } = project;
  const name = `findings ${cwd} ${site}`;
  let known = sites.get(name);
  if (known === undefined) {
    const kept = await rootsOf({ cwd, signal }, "HEAD").then(openKept, () => undefined);
    known = { kept, last: keptShape.safeParse(await kept?.get(name)).data };
    sites.set(name, known);
  }
  const { kept, last } = known;
  if (kept === undefined) return await find();
  // Pages may show the date; packages, configuration and permissions are among what is read.
  const made = JSON.stringify([Deno.version.deno, new Date().toDateString()]);
  if (last?.made === made && areCurrent(new Map(last.reads))) return last.found;
  const { value: found, reads } = await recordReads(find);
  const all = new Map([...readsOfPackages, ...project.reads, ...reads]);
  known.last = found.isFinal ? { made, reads: [...all], found } : undefined;
  if (found.isFinal) await kept.put(name, known.last);
  return found;
}
