/**
 * Findings in the Static Analysis Results Interchange Format, which code hosts show beside the
 * changed lines.
 */

import type { Finding } from "../../plugins/site/engine/methods/check_pages.ts";
import { DIAGNOSTIC_CODES } from "../../plugins/site/engine/pages/read/diagnostics.ts";
import { editsOf } from "../../plugins/site/engine/pages/read/edits.ts";
import { VERSION } from "../version.ts";

/** A SARIF 2.1.0 log with one run. */
export function sarifOf(findings: readonly Finding[]): Record<string, unknown> {
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  const rules = codes.map((id) => {
    const [level, text] = DIAGNOSTIC_CODES[id];
    return { id, shortDescription: { text }, defaultConfiguration: { level } };
  });
  const results = findings.map((finding) => {
    const { path, line, column, severity, code, message } = finding;
    const artifactLocation = { uri: path.split("/").map(encodeURIComponent).join("/") };
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
    runs: [{ tool: { driver: { name: "refrakt-mcp", version: VERSION, rules } }, results }],
  };
}
