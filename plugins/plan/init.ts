/**
 * `plan.init`: scaffolds the plan, and only the plan unless the call asks for more.
 *
 * @module
 */

import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { RefraktError } from "../../src/errors.ts";
import { statIfExists } from "../../src/io/files.ts";
import { PLAN_PACKAGE } from "../../src/npm/names.ts";
import { isInside, resolveInside, shownPath } from "../../src/io/paths.ts";
import { mayWrite } from "../../src/io/permissions.ts";
import { planAround } from "../../src/project/missing_plan.ts";
import type { McpHandlerContext } from "../../src/tools/plugin.ts";
import { withPluginWrites } from "./store/plugin_writes.ts";
import { planPlace } from "./place.ts";
import { nameOnly } from "./entity.ts";
import { withScan } from "./load.ts";
import type { PlanPlugin } from "./commands.ts";

/** What the plugin reports. */
interface InitResult {
  dir: string;
  created: string[];
  installRoot?: unknown;
  [key: string]: unknown;
}

/** What `plan.init` takes. */
export interface InitInput {
  /** The plan's directory. */
  readonly dir?: string | undefined;
  /** Where files beside the plan go. */
  readonly projectRoot?: string | undefined;
  /** The agent whose instructions are written too. */
  readonly agent?: string | undefined;
  readonly noPackageJson?: boolean | undefined;
  readonly noHooks?: boolean | undefined;
  readonly noWrapper?: boolean | undefined;
  readonly noConfig?: boolean | undefined;
}

/** What `plan.init` answers: the plugin's report, as seen from the project. */
export interface InitAnswer {
  /** The plan's folder. */
  readonly dir: string;
  /** What was written. */
  readonly created: string[];
  /** The agents' files that were added to. */
  readonly agentFilesUpdated: unknown;
  /** Whether there was a plan before. */
  readonly alreadyEstablished: boolean;
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
const EXAMPLES = ["SPEC-001", "WORK-001", "ADR-001", "v0.1.0"].map((id) =>
  nameOnly(id, `${id}.md`)
);

/** Runs `plan.init`. */
export async function initPlan(
  input: InitInput,
  context: McpHandlerContext,
  plugin: PlanPlugin,
): Promise<InitAnswer> {
  const { cwd } = context;
  const dir = planPlace(context, input.dir);
  refusePlanInPlan(cwd, dir);
  const projectRoot = resolveInside(cwd, input.projectRoot ?? ".", '"projectRoot"');
  const wanted: Wanted = {
    agent: input.agent,
    packageJson: input.noPackageJson === false,
    hooks: input.noHooks === false,
    wrapper: input.noWrapper === false,
    config: input.noConfig === false,
  };
  requireGrants(cwd, dir, projectRoot, wanted);
  const established = statIfExists(dir)?.isDirectory === true &&
    (await plugin.storeOf(cwd, dir).entities(context.signal)).length > 0;
  const skipped = new Set<string>();
  const store = plugin.storeOf(cwd, dir);
  const agent = agentFor(wanted);
  const isLeftOut = (path: string): boolean => {
    const name = basename(path);
    // A plan that has entities needs no examples, and this server takes the place of the Node
    // server.
    if (isInside(dir, path)) {
      return name === ".plan-cache.json" || name !== "INSTRUCTIONS.md" && established;
    }
    return name === ".mcp.json" ||
      wanted.agent === undefined &&
        Object.values(AGENT_FILES).includes(shownPath(projectRoot, path));
  };
  const manifest = join(fileURLToPath(plugin.base ?? "file:///"), "package.json");
  const result = await withPluginWrites(
    {
      root: cwd,
      // The plugin asks its own manifest for its version, which lies outside of the grants.
      answer: (path) =>
        path === manifest
          ? JSON.stringify({ name: PLAN_PACKAGE, version: plugin.exactVersion })
          : undefined,
      skip: (path) => {
        const leftOut = isLeftOut(path);
        if (leftOut) skipped.add(path);
        return leftOut;
      },
    },
    () =>
      withScan(
        () => established ? [...store.known(), ...EXAMPLES] : [],
        () =>
          plugin.original<InitResult>("init")({
            agent,
            noPackageJson: !wanted.packageJson,
            noHooks: !wanted.hooks,
            noWrapper: !wanted.wrapper,
            noConfig: !wanted.config,
            dir,
            projectRoot,
          }, context),
      ),
  );
  const reported = Array.isArray(result.created) ? result.created : [];
  const created = reported
    .filter((path) => !skipped.has(path.replace(/[\\/]$/, "")) && exists(path))
    .map((path) => shownPath(cwd, path) + (/[\\/]$/.test(path) ? "/" : ""));
  const { installRoot: _outside, mcpWritten: _node, agentFilesUpdated, ...rest } = result;
  return {
    ...rest,
    dir: shownPath(cwd, dir),
    created,
    agentFilesUpdated: wanted.agent === undefined ? [] : agentFilesUpdated,
    alreadyEstablished: established,
  };
}

/** What a call asks for beside the plan's folder. */
interface Wanted {
  readonly agent: string | undefined;
  readonly packageJson: boolean;
  readonly hooks: boolean;
  readonly wrapper: boolean;
  readonly config: boolean;
}

/**
 * The agent that the plugin is told. It writes the wrapper for any agent, and the hook for
 * one alone; where no agent is asked for, that agent's own file is left out.
 */
function agentFor({ agent, hooks, wrapper }: Wanted): string {
  if (agent !== undefined && agent !== "none") return agent;
  if (hooks) return "claude";
  return wrapper ? "any" : "none";
}

/** A plan within a plan would be read as a part of it. */
function refusePlanInPlan(cwd: string, dir: string): void {
  let around = planAround(cwd);
  for (let above = dirname(dir); around === undefined && isInside(cwd, above) && above !== cwd;) {
    around = planAround(above);
    above = dirname(above);
  }
  if (around === undefined || around === dir) return;
  throw new RefraktError("VALIDATION_ERROR", `${dir} lies inside the plan ${around}`, {
    hint: `No plan is made within a plan. Start the server in its project: --cwd=${
      dirname(around)
    }`,
  });
}

/** Refuses before the first write where the call asks for files that may not be written. */
function requireGrants(cwd: string, dir: string, projectRoot: string, asked: Wanted): void {
  const wanted = [dir];
  const agentFile = asked.agent === undefined ? undefined : AGENT_FILES[asked.agent];
  if (agentFile !== undefined) wanted.push(join(projectRoot, agentFile));
  if (asked.hooks && agentFor(asked) === "claude") wanted.push(join(projectRoot, ".claude"));
  if (asked.packageJson) wanted.push(join(projectRoot, "package.json"));
  if (asked.config) wanted.push(join(projectRoot, "refrakt.config.json"));
  if (asked.wrapper) wanted.push(join(projectRoot, "plan.sh"));
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
