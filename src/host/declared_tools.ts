/** Makes what `built_tools.ts` has in the published package. */

import { BUNDLED } from "../bundled.ts";
import { DEFAULT_BUDGET } from "../plugin/result.ts";
import type { Project } from "../plugin/project.ts";
import { basePlugin } from "./detect.ts";
import { createResultStore } from "./shape.ts";
import { builtKey, entriesOf } from "./toolset.ts";

/** Returns, as JSON by its key, what lists show of the tools of each plugin. */
export async function declaredTools(project: Project): Promise<Record<string, string>> {
  const late = () => Promise.reject(new Error("Only the declarations are used"));
  const results = createResultStore(DEFAULT_BUDGET);
  const plugins = [basePlugin({ detection: late, inventory: late, results }), ...BUNDLED];
  const entries = plugins.flatMap((plugin) =>
    (plugin.variants?.known ?? [""]).map(async (variant) => {
      const { tools } = await entriesOf(plugin, project, variant);
      const declared = tools.map(({ input, output, ...facts }) => ({
        ...facts,
        input: { json: input.json },
        output: output && { json: output.json },
      }));
      return [builtKey(plugin, variant), JSON.stringify(declared)] as const;
    })
  );
  return Object.fromEntries(await Promise.all(entries));
}
