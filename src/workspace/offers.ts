/**
 * Tools that start a plan or a Ralph spec in a project that has none. A model can only call what is
 * listed, and the plugins themselves are loaded where there is something for them.
 *
 * @module
 */

import { join } from "node:path";
import { describeInit } from "../../plugins/plan/tools/init.ts";
import { RefraktError } from "../errors.ts";
import { mayWrite } from "../io/permissions.ts";
import { pluginContribution } from "../plugin_host/tools.ts";
import type { Project } from "../project/project.ts";
import type { Contribution } from "../tools/contribution.ts";
import type { CliPlugin } from "../tools/plugin.ts";
import type { Toolset } from "../tools/registry.ts";
import { defineTool } from "../tools/tool.ts";
import { VERSION } from "../version.ts";

/**
 * What is on offer: `plan.init` where no plan is, `ralph_start` where Ralph is not in
 * use and its folder may be written.
 *
 * @param whole The toolset with every plugin loaded; it does the work.
 */
export async function offers(
  project: Project,
  whole: () => Promise<Toolset>,
): Promise<Contribution[]> {
  const found: Contribution[] = [];
  if (project.plan === null) found.push({ tools: [planInit(whole)] });
  if (!project.ralph && mayWrite(join(project.cwd, "specs"))) {
    const { ralphPlugin } = await import("../../plugins/ralph/plugin.ts");
    found.push(startOf(ralphPlugin));
  }
  return found;
}

function planInit(whole: () => Promise<Toolset>) {
  return defineTool({
    ...describeInit(false),
    name: "plan.init",
    run: async (input, context) => {
      const tool = (await whole()).findTool("plan.init");
      if (tool !== undefined) return await tool.run(input, context);
      throw new RefraktError("PLUGIN_LOAD_FAILED", "The plan plugin is not available", {
        hint: "Call refrakt.detect to see why.",
      });
    },
  });
}

/** The first tool of the workflow; the others follow when there is a spec. */
function startOf(plugin: CliPlugin): Contribution {
  return pluginContribution({
    namespace: plugin.namespace,
    packageName: plugin.namespace,
    packageVersion: VERSION,
    versionFrom: "bundled",
    source: "bundled",
    plugin: {
      namespace: plugin.namespace,
      commands: plugin.commands.filter(({ toolName }) => toolName === "ralph_start"),
    },
    declared: [],
  });
}
