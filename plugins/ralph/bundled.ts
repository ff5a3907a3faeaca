/** Ralph as a plugin that ships with the server. */

import type { BundledPlugin } from "../../src/plugin/adapter.ts";

export const RALPH: BundledPlugin = {
  name: "ralph",
  load: async () => (await import("./plugin.ts")).ralphPlugin,
  applies: ({ ralph }) => ralph,
};
