/**
 * Findings in the Static Analysis Results Interchange Format, which code hosts show beside
 * the changed lines.
 *
 * @module
 */

import type { Finding } from "../site/engine/check_pages.ts";
import { DIAGNOSTIC_CODES, type DiagnosticCode } from "../site/engine/pages/diagnostics.ts";
import { VERSION } from "../version.ts";

/** A SARIF 2.1.0 log with one run. */
export function sarifOf(findings: readonly Finding[]): Record<string, unknown> {
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{
      tool: {
        driver: {
          name: "refrakt-mcp",
          version: VERSION,
          rules: codes.map(ruleOf),
        },
      },
      results: findings.map((finding) => resultOf(finding, codes)),
    }],
  };
}

function ruleOf(code: DiagnosticCode): Record<string, unknown> {
  const [level, meaning] = DIAGNOSTIC_CODES[code];
  return { id: code, shortDescription: { text: meaning }, defaultConfiguration: { level } };
}

/** A severity in the words of the format. */
const LEVELS = { error: "error", warning: "warning", hint: "note" } as const;

function resultOf(
  { path, line = 1, column = 1, severity, code, message, fix }: Finding,
  codes: readonly DiagnosticCode[],
): Record<string, unknown> {
  const artifactLocation = { uri: path.split("/").map(encodeURIComponent).join("/") };
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: LEVELS[severity],
    message: { text: message },
    locations: [{
      physicalLocation: {
        artifactLocation,
        region: { startLine: line, startColumn: column },
      },
    }],
    ...(fix === undefined ? {} : {
      fixes: [{
        artifactChanges: [{
          artifactLocation,
          replacements: [{
            deletedRegion: {
              startLine: fix.line,
              startColumn: fix.column,
              endColumn: fix.column + fix.length,
            },
            insertedContent: { text: fix.text },
          }],
        }],
      }],
    }),
  };
}
