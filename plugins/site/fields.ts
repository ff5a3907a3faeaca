/** Schemas of inputs and outputs that several site tools share, and the choice of sites. */

import * as z from "zod";
import { RefraktError } from "../../src/errors.ts";
import type { Project } from "../../src/plugin/project.ts";
import { siteWith } from "./sites.ts";

/** Annotations of tools that only read a site. */
export const READS = {
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  requires: ["site"],
} as const;

/** Annotations of tools that only read pages. */
export const READS_PAGES = { ...READS, requires: ["pages"] } as const;

/** Annotations of tools that write pages. */
export const WRITES_PAGES = {
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  requires: ["pages"],
  writes: "pages",
} as const;

/** Required if the project has several sites; the error lists their names. */
export const SITE_NAME: z.ZodOptional<z.ZodString> = z.string().optional().describe("Site name");

export const WARNINGS: z.ZodOptional<z.ZodArray<z.ZodString>> = z.array(z.string()).optional();

/** The values are texts, numbers or booleans; the JSON schema omits that. */
export const ATTRIBUTES: z.ZodOptional<
  z.ZodType<Readonly<Record<string, string | number | boolean>>>
> = z.unknown().pipe(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])))
  .meta({ type: "object" }).optional().describe("By name");

export function startOf(cursor: string | undefined, tool: string): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new RefraktError("INVALID_ARGS", `"cursor" is not a cursor of ${tool}`, {
    hint: "Pass the nextCursor of the previous result, or omit it.",
  });
}

/**
 * Runs work in the named site, in the one whose folder contains the path, or in each: a page is
 * missing from all sites but its own.
 */
export async function* inSites<Result>(
  project: Project,
  { site, path }: { readonly site?: string | undefined; readonly path?: string | undefined },
  work: (site: string) => Promise<Result>,
): AsyncGenerator<Result> {
  const siteName = site ?? (path === undefined ? undefined : siteWith(project, path));
  let missing: unknown;
  let isFound = false;
  // Without a declared site, the engine throws.
  for (const name of siteName === undefined ? project.site?.names ?? [""] : [siteName]) {
    try {
      yield await work(name);
      isFound = true;
    } catch (error) {
      const isElsewhere = error instanceof RefraktError && error.code === "NOT_FOUND";
      if (!isElsewhere || path === undefined) throw error;
      missing = error;
    }
  }
  if (!isFound) throw missing;
}
