/** `ralph_check`: lints the documents of a spec. */

import * as z from "zod";
import { word } from "../../../src/plain_text.ts";
import { counted } from "../../../src/plugin/counted.ts";
import type { Tool } from "../../../src/plugin/tool.ts";
import { brief } from "../failures.ts";
import { findFolder } from "../folders.ts";
import { coverageText, lintSpec, uncoveredIn } from "../lint.ts";
import { nextStep } from "../next.ts";
import { readSpec } from "../spec.ts";
import { ralphTool, specName } from "../tool.ts";

/** How many findings and ids an answer has. */
const MAX_FINDINGS = 40;

export const checkTool: Tool = ralphTool({
  name: "check",
  title: "Check a spec",
  description: "Lints the documents: ids, checks, task sizes, requirements without a task.",
  effect: "reads",
  input: z.strictObject({ spec_name: specName }),
  output: {
    ok: z.boolean(),
    total: z.int().describe("All findings"),
    findings: z.array(z.unknown()),
    coverage: z.object({ summary: z.string().nullable(), uncovered: z.array(z.string()) }),
  },
  run: ({ spec_name }, { project: { cwd } }) => {
    const spec = readSpec(findFolder(cwd, spec_name), spec_name !== undefined);
    const name = word(spec.name);
    const { findings, coverage, checked } = lintSpec(spec);
    const errors = findings.filter((finding) => finding.severity === "error").length;
    const counts = `${counted(errors, "error")}, ${counted(findings.length - errors, "warning")}`;
    const listed = findings.slice(0, MAX_FINDINGS)
      .map((finding) => ({ ...finding, message: brief(finding.message) }));
    const rest = findings.length > listed.length ? `… of ${findings.length} findings` : undefined;
    const summary = coverageText(coverage);
    return {
      spec,
      message: `${name}: ${counts} in ${checked.join(", ") || "no documents"}`,
      facts: [
        ...listed.map(({ file, line, severity, rule, message }) =>
          `${file}${line > 0 ? `:${line}` : ""} ${severity} ${rule}: ${message}`
        ),
        rest,
        summary && `Coverage: ${summary}`,
      ],
      step: nextStep(spec),
      warnings: checked.length === 0 ? [`'${name}' has no documents yet.`] : [],
      data: {
        ok: errors === 0,
        total: findings.length,
        findings: listed,
        coverage: { summary, uncovered: uncoveredIn(coverage).slice(0, MAX_FINDINGS) },
      },
    };
  },
});
