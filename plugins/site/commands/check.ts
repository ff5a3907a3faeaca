/** `check`: lints the pages of a site. */

import { RefraktError } from "../../../src/errors.ts";
import type { PluginCommandInput, Terminal } from "../../../src/plugin/plugin.ts";
import { QUICK_MS, runGit } from "../../../src/io/git.ts";
import { textOf } from "../../../src/io/json.ts";
import { mayRunGit } from "../../../src/io/permissions.ts";
import { findingsTool } from "../tools/check.ts";
import { entryLine, groupsOf, placeOf } from "../engine/pages/read/finding_groups.ts";
import type { Severity } from "../engine/pages/read/diagnostics.ts";
import type { Findings } from "../engine/lazy.ts";
import type { Finding } from "../engine/methods/check_pages.ts";
import { applyFixes } from "./apply_fixes.ts";
import { sarifOf } from "./sarif.ts";
import { contentFolders } from "../sites.ts";
import { counted, goneOf } from "../../../src/plugin/counted.ts";

/** How often corrected pages are checked and corrected again. */
const MOST_ROUNDS = 5;

const FORMATS = ["text", "json", "sarif"] as const;
type Format = typeof FORMATS[number];

interface Report {
  files: number;
  errors: number;
  warnings: number;
  hints: number;
  findings: Finding[];
  /** With `--since`: the codes of findings that are gone. */
  gone?: string[];
  notes: string[];
}

export async function check(command: PluginCommandInput): Promise<number> {
  const { open, args: [path], values, terminal } = command;
  const format = formatOf(values);
  const isDryRun = values["dry-run"] === true;
  const context = await open();
  const { project } = context;
  const input = { path, site: textOf(values["site"]), since: textOf(values["since"]) };
  const look = async () => reportOf(await command.call(findingsTool, input, context) as Findings);
  let report = await look();
  if (values["fix"] === true || isDryRun) {
    const folders = contentFolders(project);
    const fix = () => applyFixes(project.cwd, folders, report.findings, isDryRun);
    const first = fix();
    let { applied, notes } = first;
    const would = isDryRun ? "would be " : "";
    if (isDryRun && format === "text") {
      terminal.print(first.diff);
      terminal.note(`${counted(applied, "correction")} would be applied\n`);
      return applied > 0 ? 1 : 0;
    }
    // One correction may reveal another mistake with one.
    for (let count = applied, round = 0; !isDryRun && count > 0; round++) {
      report = await look();
      if (round === MOST_ROUNDS) break;
      const again = fix();
      count = again.applied;
      applied += count;
      notes = again.notes;
    }
    report.notes.push(...notes);
    terminal.note(`${counted(applied, "correction")} ${would}applied\n`);
  }
  for (const note of report.notes) terminal.note(`warning: ${note}\n`);
  const { cwd } = project;
  const prefix = format === "sarif" ? await folderInRepository(cwd) : "";
  write(format, report, terminal, cwd, prefix);
  return report.errors > 0 ? 1 : 0;
}

/**
 * Returns the folder of the project in its repository, such as `docs/`: code hosts read paths from
 * the root. Empty where the project is the root, or git may not run.
 */
async function folderInRepository(cwd: string): Promise<string> {
  if (!mayRunGit()) return "";
  const result = await runGit(["rev-parse", "--show-prefix"], { cwd, timeoutMs: QUICK_MS });
  return result.code === 0 ? new TextDecoder().decode(result.stdout).replace(/\n$/, "") : "";
}

function write(
  format: Format,
  report: Report,
  terminal: Terminal,
  cwd: string,
  prefix: string,
): void {
  const { findings, files, errors, warnings, hints, gone, notes } = report;
  if (format === "sarif") return terminal.json(sarifOf(findings, cwd, prefix));
  if (format === "json") {
    const counts = { files, errors, warnings, hints, findings, ...goneOf(gone, (code) => code) };
    return terminal.json({ ok: errors === 0, ...counts, notes });
  }
  const { red, yellow, dim } = terminal.paint;
  const colours = { error: red, warning: yellow, hint: dim };
  if (terminal.isTerminal && findings.length > MOST_LINES) printGroups(findings, colours, terminal);
  else {
    const lines = findings.map((finding) => {
      const { severity, code, message } = finding;
      return `${placeOf(finding)} ${colours[severity](code)} ${message}\n`;
    });
    terminal.print(lines.join(""));
  }
  const counts = [
    counted(errors, "error"),
    counted(warnings, "warning"),
    ...hints === 0 ? [] : [counted(hints, "hint")],
    ...gone === undefined ? [] : [`${gone.length} gone`],
  ];
  terminal.note(`${counts.join(", ")} in ${counted(files, "file")}\n`);
}

/** People on a terminal get more findings than these by what is wrong; programs get a line each. */
const MOST_LINES = 50;

/** How much is shown of what is wrong with one code. */
const MOST_ENTRIES = 10;

/** Prints what is wrong, with three places each, and the number of findings by code. */
function printGroups(
  findings: readonly Finding[],
  colours: Readonly<Record<Severity, (text: string) => string>>,
  terminal: Terminal,
): void {
  const groups = groupsOf(findings);
  for (const { code, severity, entries } of groups) {
    const lines = entries.slice(0, MOST_ENTRIES).map((entry) => `  ${entryLine(entry)}\n`);
    const sql = `select path, line, message from findings where code = '${code}'`;
    const more = entries.length > MOST_ENTRIES
      ? `  and ${entries.length - MOST_ENTRIES} more: query "${sql}"\n`
      : "";
    terminal.print(`${colours[severity](code)}\n${lines.join("")}${more}\n`);
  }
  const rows = groups.map(({ code, severity, count, files }) =>
    `${String(count).padStart(6)} ${severity} ${code} in ${counted(files, "file")}\n`
  );
  terminal.print(rows.join(""));
}

function reportOf({ files, findings, gone, warnings = [], skipped }: Findings): Report {
  const count = (wanted: Severity) => findings.filter((each) => each.severity === wanted).length;
  return {
    files,
    errors: count("error"),
    warnings: count("warning"),
    hints: count("hint"),
    findings,
    ...(gone === undefined ? {} : { gone }),
    notes: [...warnings, ...skipped.map((what) => `skipped: ${what}`)],
  };
}

function formatOf(values: PluginCommandInput["values"]): Format {
  const wanted = values["format"] ?? (values["json"] === true ? "json" : "text");
  const format = FORMATS.find((each) => each === wanted);
  if (format !== undefined && (values["json"] !== true || format === "json")) return format;
  throw new RefraktError("INVALID_ARGS", `Invalid value for --format: "${wanted}"`, {
    hint: format === undefined
      ? `Valid values: ${FORMATS.join(", ")}.`
      : "It must be json with --json.",
  });
}
