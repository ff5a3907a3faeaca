/** What `src/host/built_tools.ts` has in the published package. */

import { BUNDLED } from "../src/bundled.ts";
import { basePlugin } from "../src/host/detect.ts";
import { builtKey, entriesOf } from "../src/host/toolset.ts";
import { createResultStore } from "../src/host/shape.ts";
import { DEFAULT_BUDGET } from "../src/plugin/result.ts";
import type { Project } from "../src/plugin/project.ts";

/** JSON of the tools of each plugin by its key. */
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
