/**
 * Findings in the Static Analysis Results Interchange Format, which code hosts show beside the
 * changed lines.
 */

import { DIAGNOSTIC_CODES, editsOf, type Finding } from "../engine/pages/read/diagnostics.ts";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { VERSION } from "../../../src/version.ts";

/** The root of the repository, or the project where that is not known. */
const ROOT = "%SRCROOT%";

/**
 * Returns a SARIF 2.1.0 log with one run.
 *
 * @param prefix The folder of the project in its repository, such as `docs/`.
 */
export function sarifOf(
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
    return {
      ruleId: code,
      ruleIndex: codes.indexOf(code),
      level: severity === "hint" ? "note" : severity,
      message: { text: message },
      locations: [{ physicalLocation: { artifactLocation, region } }],
      ...(replacements.length > 0 && {
        fixes: [{ artifactChanges: [{ artifactLocation, replacements }] }],
      }),
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
