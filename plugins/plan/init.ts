/**
 * `plan.init`: scaffolds the plan, and only the plan unless the call asks for more.
 *
 * @module
 */

import { join } from "node:path";
import { RefraktError } from "../../src/errors.ts";
import { withWriteGate } from "../../src/sandbox/call.ts";
import { readTextIfExists, statIfExists } from "../../src/sandbox/files.ts";
import { isInside, resolveInside, shownPath } from "../../src/sandbox/paths.ts";
import { mayWrite } from "../../src/sandbox/permissions.ts";
import type { McpHandlerContext } from "../../src/surface/plugin.ts";
import type { Original } from "./commands.ts";
import { mendLineEnds, withLineEndsAt } from "./line_ends.ts";
import { planPlace } from "./place.ts";
import { scanPlan, withPresentIds } from "./scanner.ts";

/** What the plugin reports. */
interface InitResult {
  dir: string;
  created: string[];
  installRoot?: unknown;
  [key: string]: unknown;
}

/** The file that each agent's instructions go to. */
const AGENT_FILES: Readonly<Record<string, string>> = {
  claude: "CLAUDE.md",
  cursor: ".cursorrules",
  copilot: ".github/copilot-instructions.md",
  windsurf: ".windsurfrules",
  cline: ".clinerules",
};

/** The examples that a new plan gets. The plugin leaves out those whose id is there already. */
const EXAMPLE_IDS = ["SPEC-001", "WORK-001", "ADR-001", "v0.1.0"];

/** Runs `plan.init`. */
export async function initPlan(
  input: Record<string, unknown>,
  context: McpHandlerContext,
  original: Original,
): Promise<Record<string, unknown>> {
  const { cwd } = context;
  const dir = planPlace(cwd, input["dir"]);
  const projectRoot = resolveInside(cwd, String(input["projectRoot"] ?? "."), '"projectRoot"');
  const options = {
    agent: input["agent"] ?? "none",
    noPackageJson: input["noPackageJson"] ?? true,
    noHooks: input["noHooks"] ?? true,
    noWrapper: input["noWrapper"] ?? true,
    noConfig: input["noConfig"] ?? true,
  };
  requireGrants(cwd, dir, projectRoot, options);
  const established = statIfExists(dir)?.isDirectory === true && scanPlan(cwd, dir).length > 0;
  const agentFile = AGENT_FILES[String(options["agent"])];
  const agentPath = agentFile === undefined ? undefined : join(projectRoot, agentFile);
  const agentText = agentPath === undefined ? null : readTextIfExists(agentPath);
  const skipped = new Set<string>();
  const result = await withWriteGate(
    (path, text) => {
      // An established plan needs no examples, and nobody needs the Node server registered.
      const example = isInside(dir, path) && !path.endsWith("INSTRUCTIONS.md") && established;
      if (!example && !path.endsWith(".mcp.json") && !path.endsWith(".plan-cache.json")) {
        return { path, text: withLineEndsAt(path, text) };
      }
      skipped.add(path);
      return null;
    },
    () =>
      withPresentIds(
        established ? EXAMPLE_IDS : [],
        () => original({ ...options, dir, projectRoot }, context),
      ),
  ) as InitResult;
  if (agentPath !== undefined) mendLineEnds(agentPath, agentText);
  const created = result.created
    .filter((path) => !skipped.has(path.replace(/[\\/]$/, "")) && exists(path))
    .map((path) => shownPath(cwd, path) + (/[\\/]$/.test(path) ? "/" : ""));
  const { installRoot: _outside, mcpWritten: _node, ...rest } = result;
  return { ...rest, dir: shownPath(cwd, dir), created, alreadyEstablished: established };
}

/** Refuses before the first write where the call asks for files that may not be written. */
function requireGrants(
  cwd: string,
  dir: string,
  projectRoot: string,
  options: Record<string, unknown>,
): void {
  const wanted = [dir];
  const agentFile = AGENT_FILES[String(options["agent"])];
  if (agentFile !== undefined) wanted.push(join(projectRoot, agentFile));
  if (options["agent"] === "claude" && options["noHooks"] === false) {
    wanted.push(join(projectRoot, ".claude"));
  }
  if (options["noPackageJson"] === false) wanted.push(join(projectRoot, "package.json"));
  if (options["noConfig"] === false) wanted.push(join(projectRoot, "refrakt.config.json"));
  if (options["noWrapper"] === false && options["agent"] !== "none") {
    wanted.push(join(projectRoot, "plan.sh"));
  }
  const refused = wanted.filter((path) => !mayWrite(path)).map((path) => shownPath(cwd, path));
  if (refused.length === 0) return;
  throw new RefraktError("PERMISSION_DENIED", `No permission to write ${refused.join(", ")}`, {
    hint: `Start the server with --allow-write=${refused.join(",")}, or leave those options out: ` +
      "by default plan.init writes only inside the plan's folder.",
    data: { flag: `--allow-write=${refused.join(",")}` },
  });
}

function exists(path: string): boolean {
  return statIfExists(path.replace(/[\\/]$/, "")) !== null;
}
