/** `check`: lints the pages of a site. */

import { textOf } from "../../io/json.ts";
import { findingsTool, folded, placeOf } from "../../../plugins/site/tools/check.ts";
import type { Findings } from "../../../plugins/site/engine/lazy.ts";
import type { Finding } from "../../../plugins/site/engine/methods/check_pages.ts";
import { callTool } from "../../host/call.ts";
import type { CallContext } from "../../plugin/context.ts";
import { applyFixes } from "../apply_fixes.ts";
import { print, printJson, printNote } from "../print.ts";
import { sarifOf } from "../sarif.ts";
import { paintFor } from "../terminal.ts";
import { contentFolders } from "../../../plugins/site/sites.ts";
import { terminalContext } from "./context.ts";
import { wrongValue } from "../flags.ts";
import { oneOf } from "../serve_flags.ts";
import type { Command, CommandInput } from "./command.ts";
import { counted, goneOf } from "../../plugin/counted.ts";

const FORMATS = ["text", "json", "sarif"] as const;
type Format = typeof FORMATS[number];

interface Report {
  files: number;
  errors: number;
  warnings: number;
  findings: Finding[];
  /** With `--since`: the codes of findings that are gone. */
  gone?: string[];
  notes: string[];
}

export const check: Command = {
  name: "check",
  usage: "check [page | folder]",
  help: "Lint the pages of the site; exits with 1 if there are errors",
  mostArgs: 1,
  run: async ({ open, args: [path], flags: { values } }) => {
    const format = formatOf(values);
    const isDryRun = values["dry-run"] === true;
    const context = terminalContext(await open());
    const { project } = context;
    const input = { path, site: textOf(values["site"]), since: textOf(values["since"]) };
    const look = () => reportOf(context, input);
    let report = await look();
    if (values["fix"] === true || isDryRun) {
      const folders = contentFolders(project);
      const { applied, diff, notes } = applyFixes(project.cwd, folders, report.findings, isDryRun);
      if (isDryRun && format === "text") {
        print(diff);
        printNote(`${counted(applied, "correction")} would be applied\n`);
        return applied > 0 ? 1 : 0;
      }
      // Check again: one fix may reveal another finding.
      if (!isDryRun && applied > 0) report = await look();
      report.notes.push(...notes);
      printNote(`${counted(applied, "correction")} applied\n`);
    }
    for (const note of report.notes) printNote(`warning: ${note}\n`);
    write(format, report);
    return report.errors > 0 ? 1 : 0;
  },
};

function write(format: Format, report: Report): void {
  const { findings, files, errors, warnings, gone, notes } = report;
  if (format === "sarif") return printJson(sarifOf(findings));
  if (format === "json") {
    const counts = { files, errors, warnings, findings, ...goneOf(gone, (code) => code) };
    return printJson({ ok: errors === 0, ...counts, notes });
  }
  const { red, yellow, dim } = paintFor(Deno.stdout);
  const colours = { error: red, warning: yellow, hint: dim };
  const lines = folded(findings).map((finding) => {
    const { severity, code, message } = finding;
    return `${placeOf(finding)} ${colours[severity](code)} ${message}\n`;
  });
  print(lines.join(""));
  const counts = [
    counted(errors, "error"),
    counted(warnings, "warning"),
    ...gone === undefined ? [] : [`${gone.length} gone`],
  ];
  printNote(`${counts.join(", ")} in ${counted(files, "file")}\n`);
}

async function reportOf(
  context: CallContext,
  input: Readonly<Record<"path" | "site" | "since", string | undefined>>,
): Promise<Report> {
  const found = await callTool(findingsTool, input, context) as Findings;
  const { files, findings, gone, warnings = [], skipped } = found;
  const causes = folded(findings);
  return {
    files,
    errors: causes.filter(({ severity }) => severity === "error").length,
    warnings: causes.filter(({ severity }) => severity === "warning").length,
    findings,
    ...(gone === undefined ? {} : { gone }),
    notes: [...warnings, ...skipped.map((what) => `skipped: ${what}`)],
  };
}

function formatOf(values: CommandInput["flags"]["values"]): Format {
  const json = values["json"] === true;
  const format = oneOf(values, "format", FORMATS) ?? (json ? "json" : "text");
  if (!json || format === "json") return format;
  throw wrongValue("format", format, "It must be json with --json.");
}
