/** `refrakt_check`: the mistakes in a site's pages, by kind; and all of them for the command line. */

import * as z from "zod";
import type { CallContext } from "../../../src/plugin/context.ts";
import { goneOf } from "../../../src/plugin/counted.ts";
import { defineTool, type Tool } from "../../../src/plugin/tool.ts";
import type { Finding } from "../engine/methods/check_pages.ts";
import type { Diagnostic } from "../engine/pages/read/diagnostics.ts";
import { type Findings, siteEngine } from "../engine/lazy.ts";
import {
  DIAGNOSTIC,
  EDIT,
  type Fix,
  SEVERITIES,
  type Severity,
} from "../engine/pages/read/diagnostics.ts";
import { readCommit } from "../commit_files.ts";
import { configKey } from "../sites.ts";
import { inSites, READS_PAGES, SITE, startOf, WARNINGS } from "../fields.ts";

const DEFAULT_LIMIT = 60;

/** What a start leaves to the next one. */
const FINDINGS = z.strictObject({
  files: z.int(),
  findings: z.array(DIAGNOSTIC.extend({ path: z.string() })),
  skipped: z.array(z.string()),
  warnings: z.array(z.string()).optional(),
});

const CHECKED = z.object({
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
      "path:line:column message; several places: path:1:2,3:4",
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
  nextCursor: z.string().optional(),
  warnings: WARNINGS,
});

export const checkTool: Tool = defineTool({
  name: "refrakt_check",
  title: "Check the pages",
  description:
    "Lints the pages, without site of every site: mistakes by kind, with corrections. For one page " +
    "use refrakt_render.",
  input: z.strictObject({
    path: z.string().optional().describe("A page or a folder"),
    since: z.string().optional().describe(
      "A commit, branch or HEAD: only what is new",
    ),
    severity: z.enum(SEVERITIES).optional(),
    code: z.string().optional().describe("Such as link-broken"),
    limit: z.int().min(1).max(500).optional(),
    cursor: z.string().optional(),
    site: SITE,
  }),
  output: CHECKED,
  ...READS_PAGES,
  run: async ({ path, site, since, severity, code, limit = DEFAULT_LIMIT, cursor }, call) => {
    const { findings: all, warnings, skipped, gone, ...checked } = await findingsOf(
      { path, site, since },
      call,
    );
    const findings = folded(all);
    const wanted = findings.filter((finding) =>
      (severity === undefined || finding.severity === severity) &&
      (code === undefined || finding.code === code)
    );
    const { groups, fixes, next } = grouped(wanted, startOf(cursor, "refrakt_check"), limit);
    const count = (of: Severity) => findings.filter((finding) => finding.severity === of).length;
    const [errors, hints] = [count("error"), count("hint")];
    return {
      ok: errors === 0,
      ...checked,
      ...goneOf(gone, (code) => code),
      errors,
      warningCount: count("warning"),
      ...(hints === 0 ? {} : { hintCount: hints }),
      groups,
      // The messages name the corrections, too.
      ...(fixes.length === 0 || path === undefined && code === undefined ? {} : { fixes }),
      ...(skipped.length === 0 ? {} : { skipped }),
      ...(next === undefined ? {} : { nextCursor: String(next) }),
      ...(warnings === undefined ? {} : { warnings }),
    };
  },
});

/** Findings without those that follow from others, whose messages count them. */
export function folded<Each extends Diagnostic & { readonly path?: string }>(
  findings: readonly Each[],
): Each[] {
  const placeOf = ({ path }: Each, line: number | undefined) => `${path}\0${line}`;
  const following = Map.groupBy(
    findings.filter(({ follows }) => follows !== undefined),
    (each) => placeOf(each, each.follows),
  );
  const seen = new Set<string>();
  return findings.filter(({ follows }) => follows === undefined).map((each) => {
    const place = placeOf(each, each.line);
    const count = following.get(place)?.length ?? 0;
    if (count === 0 || seen.has(place)) return each;
    seen.add(place);
    const verb = count === 1 ? "finding follows" : "findings follow";
    return { ...each, message: `${each.message} (${count} ${verb} from it)` };
  });
}

/** Every finding of a site as data, for the `check` command; never listed. */
export const findingsTool: Tool = defineTool({
  name: "refrakt_findings",
  title: "Find mistakes in the pages",
  description: "Finds mistakes in a site's pages.",
  input: z.strictObject({
    path: z.string().optional(),
    since: z.string().optional(),
    site: SITE,
  }),
  ...READS_PAGES,
  listed: { to: "none" },
  run: (input, call) => findingsOf(input, call),
});

/** Checks the pages of every site, or of one; with `since`, only what is new since a commit. */
async function findingsOf(
  { since, site, path }: {
    readonly path?: string | undefined;
    readonly site?: string | undefined;
    readonly since?: string | undefined;
  },
  call: CallContext,
): Promise<Findings> {
  const { project, signal } = call;
  const commit = since === undefined ? undefined : await readCommit(project.cwd, since, signal);
  const engine = await siteEngine();
  const isWhole = path === undefined && commit === undefined;
  const found = await Array.fromAsync(inSites(project, { site, path }, (name) => {
    const find = () => engine.checkPages({ path, site: name, commit }, call);
    const key = [...configKey(project), "findings", name];
    return isWhole ? project.memo(key, find, { keep: FINDINGS }) : find();
  }));
  const unique = (texts: readonly string[]) => [...new Set(texts)];
  // Sites share packages.
  const skipped = new Map<string, Finding>();
  const others = found.flatMap(({ findings }) => findings).filter((finding) => {
    if (finding.code !== "package-skipped") return true;
    skipped.set(finding.message, finding);
    return false;
  });
  const warnings = unique(found.flatMap(({ warnings = [] }) => warnings));
  return {
    files: found.reduce((sum, { files }) => sum + files, 0),
    findings: [...skipped.values(), ...others],
    ...(commit === undefined ? {} : {
      changed: unique(found.flatMap(({ changed = [] }) => changed)),
      gone: found.flatMap(({ gone = [] }) => gone),
    }),
    skipped: unique(found.flatMap(({ skipped }) => skipped)),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/**
 * Groups findings by code, errors and large groups first, and lists `limit` of them from `start`.
 */
function grouped(findings: readonly Finding[], start: number, limit: number) {
  const byCode = Map.groupBy(findings, ({ code, severity }) => `${severity}:${code}`);
  // A skipped package explains others, so it comes first.
  const isSkipped = ([first]: readonly Finding[]) => first!.code === "package-skipped";
  const sorted = [...byCode.values()].sort((a, b) =>
    Number(isSkipped(b)) - Number(isSkipped(a)) ||
    SEVERITIES.indexOf(a[0]!.severity) - SEVERITIES.indexOf(b[0]!.severity) ||
    b.length - a.length || a[0]!.code.localeCompare(b[0]!.code)
  );
  let at = 0;
  const groups = [];
  const fixes: (Partial<Fix> & Pick<Finding, "path" | "edits">)[] = [];
  for (const group of sorted) {
    const shown = group.filter(() => {
      const index = at++;
      return index >= start && index < start + limit;
    });
    // Later pages omit groups that earlier pages have listed.
    if (shown.length === 0 && start > 0) continue;
    for (const { path, fix, edits } of shown) {
      if (edits !== undefined) fixes.push({ path, edits });
      else if (fix !== undefined) fixes.push({ path, ...fix });
    }
    groups.push({
      code: group[0]!.code,
      severity: group[0]!.severity,
      count: group.length,
      files: new Set(group.map(({ path }) => path)).size,
      findings: linesOf(shown),
    });
  }
  return { groups, fixes, next: start + limit < findings.length ? start + limit : undefined };
}

/** A line a finding; equal ones of a file are one line with all places. */
function linesOf(findings: readonly Finding[]): string[] {
  const equal = Map.groupBy(findings, ({ path, message }) => `${path}\n${message}`);
  return [...equal.values()].map(([first, ...others]) => {
    const places = others.map((each) => placeOf(each).slice(each.path.length + 1));
    return `${[placeOf(first!), ...places].join(",")} ${first!.message}`;
  });
}

/** Formats a place as linters do: `path:line:column`. */
export function placeOf(
  { path, line, column }: {
    readonly path: string;
    readonly line?: number | undefined;
    readonly column?: number | undefined;
  },
): string {
  return [path, line ?? 1, column ?? 1].join(":");
}
