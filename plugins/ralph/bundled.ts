/** Ralph as a plugin that ships with the server. */

import type { BundledPlugin } from "../../src/tools/adapter.ts";
import { VERSION } from "../../src/version.ts";

export const RALPH: BundledPlugin = {
  name: "ralph",
  version: VERSION,
  description: "Spec-driven development: research, requirements, design, tasks, implementation.",
  load: async () => (await import("./plugin.ts")).ralphPlugin,
  applies: ({ ralph }) => ralph,
};
