/** Makes what `built_tools.ts` has in the published package. */

import { loadAdapters, RALPH } from "../bundled.ts";
import { openProject } from "../project/project.ts";
import { QuerySession } from "../query/query_session.ts";
import { DEFAULT_BUDGET } from "../tools/shape.ts";
import { createResultStore } from "../tools/stored_results.ts";
import { baseContribution } from "./base_tools.ts";

/** Returns, as JSON, what lists show of the tools of a project that has a plan. */
export async function declaredTools(cwd: string): Promise<string> {
  const late = () => Promise.reject(new Error("Only the declarations are used"));
  const results = createResultStore(DEFAULT_BUDGET);
  const source = { detection: late, versions: late, plugins: late, results };
  const base = baseContribution({ ...source, query: new QuerySession(late) }, openProject(cwd));
  const adapters = await loadAdapters();
  const tools = [base, ...adapters.map((adapter) => adapter.listed()), await RALPH.load()]
    .flatMap((contribution) => contribution.tools ?? [])
    .sort((a, b) => a.name < b.name ? -1 : 1)
    .map(({ input, output, ...facts }) => ({
      ...facts,
      input: { json: input.json },
      output: output && { json: output.json },
    }));
  return JSON.stringify(tools);
}
