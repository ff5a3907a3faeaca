/** Makes what `built_tools.ts` has in the published package. */

import type { Project } from "../plugin/project.ts";
import { QuerySession } from "../../plugins/query/query_session.ts";
import { DEFAULT_BUDGET } from "../plugin/result.ts";
import { createResultStore } from "./stored_results.ts";
import { builtKey, SOURCES } from "./sources.ts";

/** Returns, as JSON by its key, what lists show of the tools of each source. */
export async function declaredTools(project: Project): Promise<Record<string, string>> {
  const late = () => Promise.reject(new Error("Only the declarations are used"));
  const results = createResultStore(DEFAULT_BUDGET);
  const query = new QuerySession(late);
  const base = { detection: late, inventory: late, query, results };
  const entries = SOURCES.flatMap((source) =>
    (source.versions ?? [undefined]).map(async (version) => {
      const { tools = [] } = await source.load(project, base, version);
      const declared = tools.map(({ input, output, ...facts }) => ({
        ...facts,
        input: { json: input.json },
        output: output && { json: output.json },
      }));
      return [builtKey(source, version), JSON.stringify(declared)] as const;
    })
  );
  return Object.fromEntries(await Promise.all(entries));
}
