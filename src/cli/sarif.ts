/**
 * Findings in the Static Analysis Results Interchange Format, which code hosts show beside the
 * changed lines.
 */

import type { Finding } from "../site/engine/methods/check_pages.ts";
import { DIAGNOSTIC_CODES } from "../site/engine/pages/read/diagnostics.ts";
import { VERSION } from "../version.ts";

/** A SARIF 2.1.0 log with one run. */
export function sarifOf(findings: readonly Finding[]): Record<string, unknown> {
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  const rules = codes.map((id) => {
    const [level, text] = DIAGNOSTIC_CODES[id];
    return { id, shortDescription: { text }, defaultConfiguration: { level } };
  });
  const results = findings.map(({ path, line, column, severity, code, message, fix }) => {
    const artifactLocation = { uri: path.split("/").map(encodeURIComponent).join("/") };
    const region = { startLine: line ?? 1, startColumn: column ?? 1 };
    const replacement = fix && {
      deletedRegion: {
        startLine: fix.line,
        startColumn: fix.column,
        endColumn: fix.column + fix.length,
      },
      insertedContent: { text: fix.text },
    };
    return {
      ruleId: code,
      ruleIndex: codes.indexOf(code),
      level: severity === "hint" ? "note" : severity,
      message: { text: message },
      locations: [{ physicalLocation: { artifactLocation, region } }],
      ...(replacement && {
        fixes: [{ artifactChanges: [{ artifactLocation, replacements: [replacement] }] }],
      }),
    };
  });
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver: { name: "refrakt-mcp", version: VERSION, rules } }, results }],
  };
}
