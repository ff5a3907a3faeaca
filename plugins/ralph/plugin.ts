/**
 * The Ralph Specum workflow as a plugin: from a goal through research, requirements, design and
 * tasks to the implementation, with the state in files.
 */

import { join } from "node:path";
import { statIfExists } from "../../src/io/files.ts";
import { noteRead } from "../../src/io/reads.ts";
import { type Clause, clauseSentence } from "../../src/plugin/counted.ts";
import type { Plugin } from "../../src/plugin/plugin.ts";
import type { Project } from "../../src/plugin/project.ts";

const NAME = "ralph";

export const RALPH: Plugin = {
  name: NAME,
  groups: [NAME],
  enable: 'Start the server with --plugin ralph, or add "ralph" to "plugins" in ' +
    "refrakt.config.json, with --allow-write=specs,.gitignore.",
  detect: ({ cwd, config, requestedPlugins }) => ({
    isActive: requestedPlugins.includes(NAME) || config?.plugins.includes(NAME) === true ||
      hasSpecs(cwd),
  }),
  needs: { ralph: { has: isActive } },
  folders: ({ cwd }) => ({ specs: [join(cwd, "specs")] }),
  grants: (project) => ({
    write: ["specs", ".gitignore"],
    run: [],
    isNeeded: isActive(project),
    tools: NAME,
  }),
  tools: async () => (await import("./entries.ts")).ralphTools,
  resources: async () => (await import("./resources.ts")).resources,
  prompts: async () => (await import("./prompts.ts")).prompts,
  skills: async () => (await import("./skills.ts")).RALPH_SKILLS,
  instructions: (project, mayList) =>
    isActive(project) ? clauseSentence("Ralph Specum: ", CLAUSES, mayList) : [],
  report: {
    summary: (project) => isActive(project) ? "specs/: Ralph Specum" : undefined,
    agents: (project) =>
      isActive(project) ? ["- Ralph Specum: `ralph_status` lists the specs."] : [],
  },
};

const CLAUSES: readonly Clause[] = [
  ["ralph_status", "ralph_status shows the specs"],
  ["ralph_start", "ralph_start begins one", "specs"],
  [
    "ralph_complete_phase",
    "each phase tool returns instructions to follow, then ralph_complete_phase",
    "specs",
  ],
];

function isActive({ active }: Project): boolean {
  return active.includes(NAME);
}

/** Whether `specs/` has the pointer file, or a folder with a state file. */
function hasSpecs(cwd: string): boolean {
  const specs = join(cwd, "specs");
  try {
    if (statIfExists(join(specs, ".current-spec"))?.isFile) return true;
    noteRead(`${specs}/`);
    for (const entry of Deno.readDirSync(specs)) {
      if (!entry.isDirectory || entry.name.startsWith(".")) continue;
      if (statIfExists(join(specs, entry.name, ".ralph-state.json")) !== null) return true;
    }
  } catch {
    // No specs, or unreadable.
  }
  return false;
}
