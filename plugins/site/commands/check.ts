/** `check`: lints the pages of a site. */

import {
  DIAGNOSTIC_CODES,
  editsOf,
  entryLine,
  type Finding,
  groupsOf,
  placeOf,
  SEVERITIES,
  type Severity,
} from "../engine/pages/read/diagnostics.ts";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { RefraktError } from "../../../src/errors.ts";
import type { PluginCommandInput, Terminal } from "../../../src/plugin/plugin.ts";
import { QUICK_MS, runGit } from "../../../src/io/git.ts";
import { textOf } from "../../../src/io/json.ts";
import { mayRunGit, mayWriteTo } from "../../../src/io/permissions.ts";
import { findingsTool } from "../tools/check.ts";
import type { Findings } from "../engine/lazy.ts";
import type { CorrectedPage } from "../engine/methods/other_texts.ts";
import { writeCorrected } from "../page_writes.ts";
import { contentFolders } from "../sites.ts";
import { linesOf } from "../../../src/markdoc/lines.ts";
import { counted, goneOf } from "../../../src/plugin/counted.ts";
import { VERSION } from "../../../src/version.ts";

const FORMATS = ["text", "json", "sarif"] as const;
type Format = typeof FORMATS[number];

export async function check(command: PluginCommandInput): Promise<number> {
  const { open, args: [path], values, terminal } = command;
  const format = formatOf(values);
  const isDryRun = values["dry-run"] === true;
  const fix = isDryRun ? "preview" : values["fix"] === true ? "write" : undefined;
  const context = await open();
  const { cwd } = context.project;
  const input = { path, site: textOf(values["site"]), since: textOf(values["since"]), fix };
  const report = await command.call(findingsTool, input, context) as Findings;
  const { findings, corrected = [] } = report;
  const notes = [
    ...report.warnings ?? [],
    ...report.skipped.map((part) => `skipped: ${part}`),
  ];
  if (isDryRun) {
    const count = corrected.reduce((sum, page) => sum + page.count, 0);
    if (format === "text") terminal.print(corrected.map(differenceOf).join(""));
    terminal.note(`${counted(count, "correction")} would be applied\n`);
    if (format === "text") return count > 0 ? 1 : 0;
  } else if (fix !== undefined) {
    const written = writeCorrected(cwd, contentFolders(context.project), corrected);
    const refused = findings.filter((each) => editsOf(each).length > 0).map(({ path }) => path)
      .filter((path) => !mayWriteTo(resolve(cwd, path)));
    notes.push(
      ...written.notes,
      ...[...new Set(refused)].map((path) =>
        `No permission to write ${path}: start with --allow-write=${path}`
      ),
    );
    terminal.note(`${counted(written.applied, "correction")} applied\n`);
  }
  for (const note of notes) terminal.note(`warning: ${note}\n`);
  const prefix = format === "sarif" ? await folderInRepository(cwd) : "";
  printFindings(format, report, notes, terminal, cwd, prefix);
  return findings.some(({ severity }) => severity === "error") ? 1 : 0;
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

function printFindings(
  format: Format,
  { findings, files, gone }: Findings,
  notes: readonly string[],
  terminal: Terminal,
  cwd: string,
  prefix: string,
): void {
  const [errors, warnings, hints] = SEVERITIES.map((wanted) =>
    findings.filter(({ severity }) => severity === wanted).length
  ) as [number, number, number];
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

/** How many entries of one code are shown. */
const MOST_PER_CODE = 10;

/** Prints the findings, grouped by code, with three places each. */
function printGroups(
  findings: readonly Finding[],
  colours: Readonly<Record<Severity, (text: string) => string>>,
  terminal: Terminal,
): void {
  const groups = groupsOf(findings);
  for (const { code, severity, entries } of groups) {
    const lines = entries.slice(0, MOST_PER_CODE).map((entry) => `  ${entryLine(entry)}\n`);
    const sql = `select path, line, message from findings where code = '${code}'`;
    const more = entries.length > MOST_PER_CODE
      ? `  and ${entries.length - MOST_PER_CODE} more: query "${sql}"\n`
      : "";
    terminal.print(`${colours[severity](code)}\n${lines.join("")}${more}\n`);
  }
  const rows = groups.map(({ code, severity, count, files }) =>
    `${String(count).padStart(6)} ${severity} ${code} in ${counted(files, "file")}\n`
  );
  terminal.print(rows.join(""));
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

/** The lines that a correction changes, as a patch. */
function differenceOf({ path, source, text }: CorrectedPage): string {
  const after = linesOf(text);
  const changes = linesOf(source).flatMap((line, index) =>
    line === after[index] ? [] : [`@@ -${index + 1} +${index + 1} @@\n-${line}\n+${after[index]}\n`]
  );
  return changes.length === 0 ? "" : `--- a/${path}\n+++ b/${path}\n${changes.join("")}`;
}

/** The root of the repository, or the project where that is not known. */
const ROOT = "%SRCROOT%";

/**
 * Returns a SARIF 2.1.0 log with one run, which code hosts show beside the changed lines.
 *
 * @param prefix The folder of the project in its repository, such as `docs/`.
 */
function sarifOf(
  findings: readonly Finding[],
  cwd: string,
  prefix: string,
): Record<string, unknown> {
  const root = resolve(cwd, ...prefix.split("/").filter(Boolean).map(() => ".."));
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  const rules = codes.map((id) => {
    const [level, text] = DIAGNOSTIC_CODES[id];
    return { id, shortDescription: { text }, defaultConfiguration: { level } };
  });
  const results = findings.map((finding) => {
    const { path, line, column, severity, code, message } = finding;
    const uri = `${prefix}${path}`.split("/").map(encodeURIComponent).join("/");
    const artifactLocation = { uri, uriBaseId: ROOT };
    const region = { startLine: line ?? 1, startColumn: column ?? 1 };
    const replacements = editsOf(finding).map((edit) => ({
      deletedRegion: {
        startLine: edit.line,
        startColumn: edit.column,
        endColumn: edit.column + edit.length,
      },
      insertedContent: { text: edit.text },
    }));
    const fixes = [{ artifactChanges: [{ artifactLocation, replacements }] }];
    return {
      ruleId: code,
      ruleIndex: codes.indexOf(code),
      level: severity === "hint" ? "note" : severity,
      message: { text: message },
      locations: [{ physicalLocation: { artifactLocation, region } }],
      fixes: replacements.length > 0 ? fixes : undefined,
    };
  });
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{
      tool: { driver: { name: "refrakt-mcp", version: VERSION, rules } },
      originalUriBaseIds: { [ROOT]: { uri: pathToFileURL(`${root}/`).href } },
      columnKind: "utf16CodeUnits",
      results,
    }],
  };
}
