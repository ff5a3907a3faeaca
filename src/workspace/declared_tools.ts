/** Makes what `built_tools.ts` has in the published package. */

import { factsOf, loadAdapters, RALPH } from "../bundled.ts";
import { PLAN_PACKAGE } from "../npm/names.ts";
import { openProject } from "../project/project.ts";
import { QuerySession } from "../query/query_session.ts";
import { DEFAULT_BUDGET } from "../tools/shape.ts";
import type { Contribution } from "../tools/registry.ts";
import { createResultStore } from "../tools/stored_results.ts";
import { baseContribution } from "./base_tools.ts";

/** Returns, as JSON by the plan plugin's version, what lists show of the tools of a project with a plan. */
export async function declaredTools(cwd: string): Promise<Record<string, string>> {
  const late = () => Promise.reject(new Error("Only the declarations are used"));
  const results = createResultStore(DEFAULT_BUDGET);
  const source = { detection: late, versions: late, plugins: late, results };
  const base = baseContribution({ ...source, query: new QuerySession(late) }, openProject(cwd));
  const adapters = await loadAdapters();
  const plan = adapters.find(({ packageName }) => packageName === PLAN_PACKAGE)!;
  const ralph = await RALPH.load();
  const listOf = (version: string) => toolsText([base, plan.listed(version), ralph]);
  const { listedVersions } = factsOf(PLAN_PACKAGE);
  return Object.fromEntries(listedVersions.map((version) => [version, listOf(version)]));
}

function toolsText(contributions: readonly Contribution[]): string {
  const tools = contributions
    .flatMap((contribution) => contribution.tools ?? [])
    .sort((a, b) => a.name < b.name ? -1 : 1)
    .map(({ input, output, ...facts }) => ({
      ...facts,
      input: { json: input.json },
      output: output && { json: output.json },
    }));
  return JSON.stringify(tools);
}
