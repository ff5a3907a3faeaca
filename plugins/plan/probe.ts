/**
 * What the server relies on in the plan plugin beyond its contract. It is the same from 0.25 to
 * 0.29; a version that differs gets a warning, and its tools do what they can.
 *
 * @module
 */

import { PLAN_PACKAGE } from "../../src/npm/names.ts";
import type { Warning } from "../../src/project/project.ts";
import { runAsCall } from "../../src/sandbox/call.ts";
import type { PlanPlugin } from "./commands.ts";

/** A project and a plan that do not exist. */
const [ROOT, DIR] = ["/", "/dev/null/plan"];

const SOURCE = '{% work id="WORK-001" status="ready" %}\n\n# Sample\n\n{% /work %}\n';

/** Commands whose handlers are called. */
const CALLED = ["create", "init", "migrate", "next", "next-id", "status", "validate"];

/** One thing that is relied on. */
interface Expectation {
  /** How a version differs in which it does not hold. */
  readonly differs: string;
  /** What follows from that. */
  readonly hint: string;
  /** Whether it holds. */
  holds(plugin: PlanPlugin): boolean | Promise<boolean>;
}

const EXPECTED: readonly Expectation[] = [
  {
    differs: "does not parse an entity by parseFileContent of its scanner",
    hint: "Its tools fail.",
    holds: ({ parser }) => parser.parse(SOURCE, "work/WORK-001.md")?.type === "work",
  },
  {
    differs: `has no structured handler of one of ${CALLED.join(", ")}`,
    hint: "The tools of that name fail.",
    holds: (plugin) => CALLED.every((command) => typeof plugin.original(command) === "function"),
  },
  {
    differs: "does not scan the plan by ../scanner.js",
    hint: "Its tools read every file at each call, and may leave a cache file in the plan.",
    holds: scansByModule,
  },
  {
    differs: "has other functions in its diff export",
    hint: "plan.history and the prompts that tell changes fail.",
    holds: ({ diff }) => diff.isComplete,
  },
];

/** Checks everything that is relied on; one warning for each that does not hold. */
export async function unfamiliarWarnings(plugin: PlanPlugin): Promise<Warning[]> {
  const warnings: Warning[] = [];
  for (const { differs, hint, holds } of EXPECTED) {
    if (await isTrue(() => holds(plugin))) continue;
    warnings.push({
      code: "PLUGIN_UNFAMILIAR",
      package: PLAN_PACKAGE,
      message:
        `${PLAN_PACKAGE} ${plugin.version.version} is not as 0.25 to 0.29 are: it ${differs}`,
      hint,
    });
  }
  return warnings;
}

/** Whether the plugin's handlers get their entities from us; asked of one that only reads. */
async function scansByModule(plugin: PlanPlugin): Promise<boolean> {
  const before = plugin.scans.count;
  const { signal } = new AbortController();
  const context = { cwd: ROOT, planDir: DIR, signal, progress: () => {}, log: () => {} };
  await runAsCall(
    ROOT,
    () => plugin.withScan(() => [], () => plugin.original("next")({ dir: DIR }, context)),
  )
    .catch(() => {});
  return plugin.scans.count > before;
}

async function isTrue(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  try {
    return await holds();
  } catch {
    return false;
  }
}
