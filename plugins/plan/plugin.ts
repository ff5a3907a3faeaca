/** The plan as a plugin. What is imported here is quick: `initialize` waits for it. */

import { defined } from "../../src/io/json.ts";
import { shownPath } from "../../src/io/paths.ts";
import { mayRunGit } from "../../src/io/permissions.ts";
import { PLAN_PACKAGE } from "../../src/packages/names.ts";
import { preparations } from "../../src/packages/package.ts";
import { shortLine } from "../../src/plain_text.ts";
import { type Clause, clauseSentence, counted } from "../../src/plugin/counted.ts";
import type { Detection, ProjectKind } from "../../src/plugin/detection.ts";
import type { Detected, MayList, Plugin, ReportLine } from "../../src/plugin/plugin.ts";
import type { Project, Warning } from "../../src/plugin/project.ts";
import { PLAN_COMMANDS } from "./commands/mod.ts";
import { remoteSummary } from "./remote/scratch.ts";
import {
  canStartPlan,
  detectPlan,
  PLAN_FOLDERS,
  planFolder,
  planMissing,
  planStep,
} from "./store/plan_folder.ts";
import { countEntities, filesOf, needsRepair } from "./store/walk.ts";
import { LISTED_VERSIONS, listedVersion, vocabularyOf } from "./upstream/listed_version.ts";

// Sites import the package, too.
preparations.set(PLAN_PACKAGE, async (version) => {
  await (await import("./upstream/scans.ts")).replaceScans(version);
});

/** The longest name from the repository, in characters. */
const MOST_NAME = 60;

export const PLAN: Plugin = {
  name: "plan",
  groups: ["plan", "repair"],
  marks: PLAN_FOLDERS.map((folder) => `plan/${folder}`),
  detect,
  needs: {
    plan: {
      has: ({ plan }) => plan !== null,
      isConfigured: true,
      missing: (project) => planMissing(project.cwd, project.planDir, planStep(project)),
    },
    "new plan": { has: canStartPlan, isConfigured: true },
    repair: { has: needsRepair },
  },
  folders: (project) => ({ plan: [planFolder(project)] }),
  grants: (project) => ({
    write: [project.planDir === null ? "plan" : shownPath(project.cwd, project.planDir)],
    run: ["git"],
    // Also for a new plan, so that it needs no second setup.
    isNeeded: project.plan !== null || project.own?.kind !== "plugin",
    // The history of the plan is in the tables.
    tools: "plan,refrakt_query",
  }),
  package: {
    name: PLAN_PACKAGE,
    inShell: ["serve", "build"],
    load: async (project) => (await (await import("./store/loaded.ts")).loadPlan(project)).warnings,
  },
  variants: {
    known: LISTED_VERSIONS,
    // As in `publishedVersion`, which asks npm: in place of what npm cannot have, its newest is loaded.
    of: listedVersion,
  },
  tools: async (project, variant) => {
    const { planTools } = await import("./tools/mod.ts");
    return planTools(vocabularyOf(project, variant));
  },
  resources: async () => (await import("./resources.ts")).planResources,
  prompts: async () => (await import("./prompts/mod.ts")).planPrompts,
  skills: async () => (await import("./prompts/skills.ts")).PLAN_SKILLS,
  tables: async () => (await import("./tables/mod.ts")).planTables,
  commands: PLAN_COMMANDS,
  instructions,
  report: { summary, kinds, missing, agents, detection, lines, notes },
  warm: async (project) => await (await import("./store/loaded.ts")).readAhead(project),
};

function detect(project: Project, warnings: Warning[]): Detected {
  const facts = detectPlan(project, warnings);
  return { isActive: facts.plan !== null, ...facts };
}

/** The purpose of each tool, and whether it writes in the plan. */
const CLAUSES: readonly Clause[] = [
  ["plan_next", "plan_next finds the next ready item"],
  ["plan_list", "plan_list finds any"],
  ["plan_get", "plan_get reads one"],
  [
    "plan_update",
    "plan_update changes its status, ticks criteria and records a resolution",
    "plan",
  ],
  ["plan_create", "plan_create adds one", "plan"],
  ["plan_status", "plan_status gives the overview"],
  ["plan_validate", "plan_validate finds mistakes"],
  ["plan_history", "plan_history shows what changed"],
];

function instructions({ plan }: Project, mayList: MayList): string[] {
  if (plan === null) return [];
  return [
    [
      ...clauseSentence("Plan: ", CLAUSES, mayList),
      "The resource refrakt://prime says where work stands.",
    ].join(" "),
  ];
}

function summary({ cwd, plan }: Project): string | undefined {
  if (plan === null) return undefined;
  // Counting entities would read every file.
  const { length } = filesOf(cwd, plan.path);
  return `${shortLine(plan.dir, MOST_NAME)}/: ${counted(length, "file")}`;
}

function kinds({ plan }: Project): ProjectKind[] {
  if (plan === null) return [];
  return [{ kind: "plan", use: "plan_next names the next item, plan_status how it stands." }];
}

function missing(project: Project, isInShell = false): string | undefined {
  if (project.plan !== null) return undefined;
  const step = isInShell && canStartPlan(project)
    ? `To have one, run: ${project.shell.call("plan_init")}`
    : planStep(project);
  return `This project has no plan. ${step}`;
}

function agents({ plan }: Project): string[] {
  if (plan === null) return [];
  return [
    "- Plan: `plan_next` returns the next item, `plan_update` changes status and criteria, " +
    "`plan_create` adds an item.",
  ];
}

async function detection(project: Project): Promise<Partial<Detection>> {
  const { cwd, plan, remote } = project;
  return {
    plan: plan && { dir: plan.dir, fileCount: await countEntities(cwd, plan.path) },
    ...defined({ planStep: planStep(project), remote: remote && await remoteSummary(remote, cwd) }),
  };
}

function lines(project: Project, { plan, planStep, remote }: Detection): ReportLine[] {
  const lines: ReportLine[] = [];
  // Where the plan was renamed, a warning says so.
  if (plan !== null) {
    lines.push(["ok", "plan", `${plan.dir}/ with ${counted(plan.fileCount, "file")}`]);
  } else if (project.renamedPlan === undefined) {
    const state = project.configProblem === undefined ? "none" : "unknown";
    lines.push(["ok", "plan", `${state}. ${planStep}`]);
  }
  if (remote?.problem !== undefined) lines.push(["FAIL", "remote", remote.problem]);
  else if (remote !== undefined) {
    const text = `claims and ids: ${remote.address}, refs below ${remote.refs}`;
    lines.push(["ok", "remote", text]);
  }
  return lines;
}

/** Sentences about branches and worktrees that cannot be read. */
async function notes({ cwd, memo, plan }: Project): Promise<readonly string[]> {
  // Whether git may run is reported with the permissions.
  if (plan === null || !mayRunGit()) return [];
  const { unreadElsewhere } = await import("./queries/elsewhere.ts");
  const { signal } = new AbortController();
  const git = { cwd: plan.path, signal, memo };
  return await unreadElsewhere({ cwd, dir: plan.path, signal, git });
}
