/**
 * `check`: the linter of a site, for people and for CI.
 *
 * @module
 */

import { RefraktError } from "../../errors.ts";
import { runAsCall } from "../../sandbox/call.ts";
import { enterSandbox } from "../../sandbox/mod.ts";
import { headOf, placeOf } from "../../site/check.ts";
import type { checkPages, Finding } from "../../site/engine/check_pages.ts";
import { engineFor, type SiteEngine } from "../../site/engine/client.ts";
import type { InputOf } from "../../site/engine/mod.ts";
import type { CallContext } from "../../tools/context.ts";
import type { Workspace } from "../../tools/workspace.ts";
import { applyFixes } from "../apply_fixes.ts";
import { print, printJson, printNote } from "../print.ts";
import { sarifOf } from "../sarif.ts";
import { terminalContext } from "./context.ts";
import type { Command } from "./types.ts";

const FORMATS = ["text", "json", "sarif"] as const;
type Format = typeof FORMATS[number];

/** What was found on every site that was checked. */
interface Report {
  files: number;
  errors: number;
  warnings: number;
  findings: Finding[];
  notes: string[];
}

/** The command. */
export const check: Command = {
  name: "check",
  usage: "check [page | folder]",
  help: "Find what is wrong with the pages of the site; ends with 1 where there are errors",
  examples: [
    "check",
    "check content/index.md",
    "check --fix --dry-run",
    "check --format sarif > check.sarif",
  ],
  mostArgs: 1,
  run: async ({ workspace, args: [path], flags: { values } }) => {
    const format = formatOf(values["format"], values["json"] === true);
    const isDryRun = values["dry-run"] === true;
    const look = () =>
      reportOf(workspace, {
        path,
        site: values["site"],
        isChanged: values["changed"] === true,
      });
    let report = await look();
    if (values["fix"] === true || isDryRun) {
      const { cwd } = terminalContext(workspace).project;
      const { applied, diff, notes } = applyFixes(cwd, report.findings, isDryRun);
      if (isDryRun && format === "text") {
        print(diff);
        printNote(`${count(applied, "correction")} would be applied\n`);
        return applied > 0 ? 1 : 0;
      }
      // Corrected pages are read again: one correction may uncover another.
      if (!isDryRun && applied > 0) report = await look();
      report.notes.push(...notes);
      printNote(`${count(applied, "correction")} applied\n`);
    }
    for (const note of report.notes) printNote(`warning: ${note}\n`);
    WRITE[format](report);
    if (format === "text") printNote(summary(report));
    return report.errors > 0 ? 1 : 0;
  },
};

const WRITE: Readonly<Record<Format, (report: Report) => void>> = {
  text: ({ findings }) =>
    print(
      findings.map((finding) => `${placeOf(finding)} ${finding.code} ${finding.message}\n`).join(
        "",
      ),
    ),
  json: ({ notes, ...report }) => printJson({ ok: report.errors === 0, ...report, notes }),
  sarif: ({ findings }) => printJson(sarifOf(findings)),
};

/** What is checked. */
interface Scope {
  readonly path: string | undefined;
  readonly site: unknown;
  readonly isChanged: boolean;
}

async function reportOf(
  workspace: Workspace,
  { path, site: wanted, isChanged }: Scope,
): Promise<Report> {
  const context = terminalContext(workspace);
  const { project } = context;
  enterSandbox(project.cwd);
  const engine = engineFor(project.code);
  const named = typeof wanted === "string" ? wanted : undefined;
  // Where no site is declared, the engine says so.
  const sites = named === undefined ? project.site?.names ?? [undefined] : [named];
  const head = isChanged ? await headOf(project.cwd, context.signal) : undefined;
  const report: Report = { files: 0, errors: 0, warnings: 0, findings: [], notes: [] };
  const outside: RefraktError[] = [];
  for (const site of sites) {
    try {
      const found = await checkSite(engine, context, { path, site, head });
      report.files += found.files;
      for (const finding of found.findings) report.findings.push(finding);
      report.notes.push(
        ...found.warnings ?? [],
        ...found.skipped.map((what) => `skipped: ${what}`),
      );
    } catch (error) {
      // A page belongs to one site; the others do not have it.
      const elsewhere = error instanceof RefraktError && error.code === "NOT_FOUND" &&
        path !== undefined && sites.length > 1;
      if (!elsewhere) throw error;
      outside.push(error);
    }
  }
  if (outside.length === sites.length) throw outside[0]!;
  report.errors = report.findings.filter(({ severity }) => severity === "error").length;
  report.warnings = report.findings.filter(({ severity }) => severity === "warning").length;
  return report;
}

/** Runs as a call does: what the packages print goes to the log, not to stdout. */
async function checkSite(
  engine: SiteEngine,
  context: CallContext,
  input: InputOf<"checkPages">,
): ReturnType<typeof checkPages> {
  const { value } = await runAsCall(
    context.project.cwd,
    () => engine.ask("checkPages", input, context),
    { signal: context.signal, mayWrite: false },
  );
  if (value === undefined) throw new RefraktError("TOOL_FAILED", "A package ended the check");
  return value;
}

function formatOf(format: unknown, json: boolean): Format {
  if (format === undefined) return json ? "json" : "text";
  const found = FORMATS.find((known) => known === format);
  if (found !== undefined && !(json && found !== "json")) return found;
  throw new RefraktError(
    "INVALID_ARGS",
    json
      ? `--json and --format ${format} contradict each other`
      : `--format does not take "${format}"`,
    { hint: `The formats are ${FORMATS.join(", ")}.` },
  );
}

function summary({ files, errors, warnings }: Report): string {
  return `${count(errors, "error")}, ${count(warnings, "warning")} in ${count(files, "file")}\n`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
