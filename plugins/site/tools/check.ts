/** `refrakt_check`: the mistakes in a site's pages, by kind; and all of them for the command line. */

import type { Edit } from "../../../src/markdoc/edits.ts";
import * as z from "zod";
import type { CallContext } from "../../../src/plugin/context.ts";
import { didYouMean, RefraktError } from "../../../src/errors.ts";
import { defined, unlessEmpty } from "../../../src/io/json.ts";
import { quotedName } from "../../../src/plain_text.ts";
import { goneOf } from "../../../src/plugin/counted.ts";
import { defineTool, type Tool } from "../../../src/plugin/tool.ts";
import { type Findings, siteEngine } from "../engine/lazy.ts";
import {
  DIAGNOSTIC,
  DIAGNOSTIC_CODES,
  EDIT,
  entryLine,
  type Finding,
  folded,
  groupsOf,
  SEVERITIES,
  type Severity,
} from "../engine/pages/read/diagnostics.ts";
import { readCommit } from "../engine/methods/since.ts";
import { configKey } from "../sites.ts";
import { inSites, READS_PAGES, SITE_NAME, startOf, WARNINGS } from "../fields.ts";

const DEFAULT_LIMIT = 60;

/** The findings that are kept for the next start. */
const FINDINGS = z.strictObject({
  files: z.int(),
  findings: z.array(DIAGNOSTIC.extend({ path: z.string() })),
  skipped: z.array(z.string()),
  warnings: z.array(z.string()).optional(),
});

const CHECK_RESULT = z.object({
  ok: z.boolean().describe("Whether there are no errors"),
  files: z.int().optional(),
  errors: z.int(),
  warningCount: z.int().optional(),
  hintCount: z.int().optional(),
  changed: z.array(z.string()).optional().describe("The files that differ from since"),
  gone: z.int().optional().describe("How many findings of since are gone"),
  goneKinds: z.record(z.string(), z.int()).optional(),
  groups: z.array(z.object({
    code: z.string(),
    severity: z.enum(SEVERITIES),
    count: z.int(),
    files: z.int(),
    findings: z.array(z.string()).describe(
      "path:line:column message; several places: path:1:2,3:4; of many the first three",
    ),
  })),
  fixes: z.array(
    EDIT.partial().extend({
      path: z.string(),
      edits: z.array(EDIT).optional().describe("Several places: all or none"),
    }),
  ).optional().describe(
    "With path or code: unambiguous corrections, which replace length characters by text",
  ),
  skipped: z.array(z.string()).optional().describe(
    "Checks of the build that were skipped, and why",
  ),
  rest: z.string().optional().describe("How to list the places that are only counted"),
  nextCursor: z.string().optional(),
  warnings: WARNINGS,
});

const REST =
  "refrakt_query lists all places: select path, line, message from findings where code = …";

export const checkTool: Tool = defineTool({
  name: "refrakt_check",
  listed: { rank: 4 },
  title: "Check the pages",
  description:
    "Lints the pages, by default of all sites: mistakes by kind, with corrections. One page: " +
    "refrakt_render.",
  input: z.strictObject({
    path: z.string().optional().describe("A page or a folder"),
    since: z.string().optional().describe(
      "Only what is new since a commit",
    ),
    severity: z.enum(SEVERITIES).optional().describe("Filter"),
    code: z.string().optional().describe("Such as link-broken"),
    limit: z.int().min(1).max(500).optional().describe("Findings"),
    cursor: z.string().optional().describe("nextCursor"),
    site: SITE_NAME,
  }),
  output: CHECK_RESULT,
  ...READS_PAGES,
  run: async ({ path, site, since, severity, code, limit = DEFAULT_LIMIT, cursor }, call) => {
    if (code !== undefined && !Object.hasOwn(DIAGNOSTIC_CODES, code)) {
      const guess = didYouMean(code, Object.keys(DIAGNOSTIC_CODES));
      throw new RefraktError("INVALID_ARGS", `"code": no such code: ${quotedName(code)}`, {
        hint: guess || "Omit it: the groups of the answer have the codes.",
      });
    }
    const { findings, warnings, skipped, gone, ...checked } = await checkSites(
      { path, site, since },
      call,
    );
    const wanted = findings.filter((finding) =>
      (severity === undefined || finding.severity === severity) &&
      (code === undefined || finding.code === code)
    );
    const start = startOf(cursor, "refrakt_check");
    const { groups, fixes, isCut, next } = listEntries(wanted, start, limit);
    const count = (of: Severity) => findings.filter((finding) => finding.severity === of).length;
    const [errors, hints] = [count("error"), count("hint")];
    return defined({
      ok: errors === 0,
      ...checked,
      ...goneOf(gone, (code) => code),
      errors,
      warningCount: count("warning"),
      hintCount: hints || undefined,
      groups,
      // The messages name the corrections, too.
      fixes: path === undefined && code === undefined ? undefined : unlessEmpty(fixes),
      skipped: unlessEmpty(skipped),
      rest: isCut ? REST : undefined,
      nextCursor: next?.toString(),
      warnings,
    });
  },
});

const EVERY = z.strictObject({
  path: z.string().optional().describe("A page or a folder"),
  since: z.string().optional().describe("A commit, branch or HEAD"),
  fix: z.enum(["write", "preview"]).optional().describe("Correct pages in memory"),
  site: SITE_NAME,
});

/** Every finding of a site as data, for the `check` command; never listed. */
export const findingsTool: Tool = defineTool({
  name: "refrakt_findings",
  title: "Find mistakes in the pages",
  description: "Finds mistakes in a site's pages.",
  input: EVERY,
  ...READS_PAGES,
  listed: { to: "none" },
  run: (input, call) => checkSites(input, call),
});

/** Checks all pages of a site. */
export function siteFindings(site: string, call: CallContext): Promise<Findings> {
  const { project } = call;
  const find = async () => await (await siteEngine()).checkPages({ site }, call);
  return project.memo([...configKey(project), "findings", site], find, { keep: FINDINGS });
}

/** Checks the pages of every site, or of one; with `since`, only what is new since a commit. */
async function checkSites(
  { since, site, path, fix }: z.infer<typeof EVERY>,
  call: CallContext,
): Promise<Findings> {
  const { project, signal } = call;
  const commit = since === undefined ? undefined : await readCommit(project.cwd, since, signal);
  const engine = await siteEngine();
  const isWhole = path === undefined && commit === undefined && fix === undefined;
  const siteResults = await Array.fromAsync(inSites(project, { site, path }, (name) => {
    if (isWhole) return siteFindings(name, call);
    return engine.checkPages({ path, site: name, commit, fix }, call);
  }));
  const unique = (texts: readonly string[]) => [...new Set(texts)];
  // Sites share packages.
  const skipped = new Map<string, Finding>();
  const others = siteResults.flatMap(({ findings }) => findings).filter((finding) => {
    if (finding.code !== "package-skipped") return true;
    skipped.set(finding.message, finding);
    return false;
  });
  return defined({
    files: siteResults.reduce((sum, { files }) => sum + files, 0),
    findings: folded([...skipped.values(), ...others]),
    changed: commit && unique(siteResults.flatMap(({ changed = [] }) => changed)),
    gone: commit && siteResults.flatMap(({ gone = [] }) => gone),
    corrected: fix && siteResults.flatMap(({ corrected = [] }) => corrected),
    skipped: unique(siteResults.flatMap(({ skipped }) => skipped)),
    warnings: unlessEmpty(unique(siteResults.flatMap(({ warnings = [] }) => warnings))),
  });
}

/** Groups findings, and lists `limit` entries from `start`, with their corrections. */
function listEntries(findings: readonly Finding[], start: number, limit: number) {
  let at = 0;
  let isCut = false;
  const fixes: (Partial<Edit> & Pick<Finding, "path" | "edits">)[] = [];
  const groups = groupsOf(findings).flatMap(({ entries, ...group }) => {
    const listedEntries = entries.filter(() => {
      const index = at++;
      return index >= start && index < start + limit;
    });
    // Later pages omit groups that earlier pages have listed.
    if (listedEntries.length === 0 && start > 0) return [];
    for (const { path, fix, edits } of listedEntries.flatMap((entry) => entry.findings)) {
      if (edits !== undefined) fixes.push({ path, edits });
      else if (fix !== undefined) fixes.push({ path, ...fix });
    }
    isCut ||= listedEntries.some((entry) => entry.more > 0);
    return { ...group, findings: listedEntries.map(entryLine) };
  });
  const next = start + limit < at ? start + limit : undefined;
  return { groups, fixes: fixes.slice(0, limit), isCut, next };
}
