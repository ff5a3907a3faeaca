/** Sites as a plugin. Its static imports must load fast: `initialize` waits for them. */

import { resolve } from "node:path";
import { orElse } from "../../src/errors.ts";
import { defined } from "../../src/io/json.ts";
import { shownPath } from "../../src/io/paths.ts";
import { installedCopy } from "../../src/packages/manifests.ts";
import { FIRST_PARTY_SCOPE } from "../../src/packages/names.ts";
import { shortLine, word, wordOrText } from "../../src/plain_text.ts";
import { CONFIG_NAME } from "../../src/plugin/config.ts";
import type { Detection, ProjectKind } from "../../src/plugin/detection.ts";
import { type Clause, clauseSentence } from "../../src/plugin/counted.ts";
import type { Detected, MayList, Plugin, ReportLine } from "../../src/plugin/plugin.ts";
import type { PackageKind, Project, Warning } from "../../src/plugin/project.ts";
import { listContent, notPages } from "./engine/pages/read/content_files.ts";
import { siteEngine } from "./engine/lazy.ts";
import { upstreamVersions } from "./engine/upstream/package_versions.ts";
import { ownPackageOf, siteWarnings } from "./own_package.ts";
import { siteReports } from "./reports.ts";
import { chooseSite, contentFolders, findSites, siteMissing, siteOfTheme } from "./sites.ts";

/** The longest name from the repository, in characters, and how many sites are named. */
const MOST_NAME = 60;
const MOST_IN_SUMMARY = 12;

/** Together these tools load all packages of a site. */
const PREPARING: readonly (readonly [tool: string, input: Record<string, unknown>])[] = [
  ["refrakt_inspect_list", {}],
  ["refrakt_inspect", { rune: "hint" }],
  ["refrakt_inspect_audit", { rune: "hint" }],
  ["refrakt_contracts", {}],
  ["refrakt_validate", {}],
];

/** The variant for versions of the packages that need more tools. */
const LATER = "0.29";

export const SITE: Plugin = {
  name: "site",
  groups: ["site"],
  detect,
  needs: {
    site: { has: ({ site }) => site !== null, isConfigured: true, missing: siteMissing },
    pages: { has: hasPages, isConfigured: true, missing: siteMissing },
    plugin: { has: ({ own }) => own?.kind === "plugin" },
  },
  // A project with one site needs no argument for it.
  omitted: ({ site }) => site?.names.length === 1 ? ["site"] : [],
  folders: (project) => ({ pages: contentFolders(project) }),
  packages: ({ site }) => site === null ? [] : [`${FIRST_PARTY_SCOPE}runes`],
  variants: {
    known: ["", LATER],
    // The site reports a version that cannot be read.
    of: (project) => orElse(() => hasLaterTools(project), false) ? LATER : "",
  },
  tools: async (_project, variant) => {
    const { LATER_TOOLS, SITE_TOOLS } = await import("./tools/mod.ts");
    return variant === LATER ? LATER_TOOLS : SITE_TOOLS;
  },
  resources: async () => (await import("./resources.ts")).siteResources,
  prompts: async () => (await import("./prompts.ts")).sitePrompts,
  skills: async () => (await import("./prompts.ts")).SITE_SKILLS,
  tables: async () => (await import("./tables.ts")).siteTables,
  viewTools: async () => {
    const { previewFileTool, previewTool } = await import("./tools/preview.ts");
    return [previewTool, previewFileTool];
  },
  preparation: ({ site }) =>
    (site?.names ?? []).flatMap((name) =>
      PREPARING.map(([tool, input]) =>
        [`${tool} of ${word(name)}`, tool, { ...input, site: name }] as const
      )
    ),
  commands: [{
    name: "check",
    usage: "check [page | folder]",
    help: "Lint the pages of the site; exits with 1 if there are errors",
    mostArgs: 1,
    run: async (input) => await (await import("./commands/check.ts")).check(input),
  }],
  inShell: (project) => project.site === null ? [] : shellCommands(project),
  instructions,
  report: { summary, kinds: projectKinds, missing: noSite, agents, detection, lines: reportLines },
  warm: async (project) => {
    if (project.site !== null) await (await siteEngine()).warm({ project });
  },
};

function detect(project: Project, warnings: Warning[]): Detected {
  const { cwd, config, plan, renamedPlan } = project;
  const ownPackage = ownPackageOf(cwd);
  const site = findSites(config, warnings) ??
    (ownPackage?.kind === "theme" ? siteOfTheme(cwd) : null);
  const planFolder = plan?.path ?? (renamedPlan && resolve(cwd, renamedPlan));
  warnings.push(...siteWarnings(cwd, site, planFolder));
  return { isActive: site !== null || ownPackage?.kind === "plugin", site, own: ownPackage };
}

/** Commands of refrakt's CLI without a tool: they run until stopped, or write anywhere. */
const SHELL_COMMANDS: readonly (readonly [name: string, line: string])[] = [
  ["refrakt_config_migrate", "config migrate"],
  ["refrakt_edit", "edit"],
  ["refrakt_gallery", "gallery"],
  ["refrakt_migrate", "migrate <codemod>"],
  ["refrakt_reference_dump", "reference dump"],
  ["refrakt_scaffold_css", "scaffold-css"],
  ["refrakt_theme_info", "theme info"],
  ["refrakt_theme_install", "theme install <source>"],
  ["refrakt_write", 'write "<prompt>"'],
];
const LATER_SHELL_COMMANDS: typeof SHELL_COMMANDS = [
  ["refrakt_theme_list", "theme list"],
  ["refrakt_theme_presets_list", "theme presets list"],
  ["refrakt_theme_presets_validate", "theme presets validate"],
];

function shellCommands(project: Project): typeof SHELL_COMMANDS {
  const { version } = installedCopy(project, "@refrakt-md/cli") ?? {};
  return isLater(version) ? [...SHELL_COMMANDS, ...LATER_SHELL_COMMANDS] : SHELL_COMMANDS;
}

function isLater(version = ""): boolean {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) > 0 || Number(minor) >= 29;
}

function hasPages({ site }: Project): boolean {
  return site !== null && site.isTheme !== true;
}

/** Whether the packages are new enough for translatable texts. */
function hasLaterTools(project: Project): boolean {
  return project.site !== null && isLater(upstreamVersions(project).transform.version);
}

const CLAUSES: readonly Clause[] = [
  ["refrakt_reference", "refrakt_reference explains runes to an author"],
  ["refrakt_render", "refrakt_render validates a page or a piece of Markdoc after writing it"],
  ["refrakt_check", "refrakt_check validates every page"],
  ["refrakt_inspect", "refrakt_inspect shows the HTML of a rune"],
  ["refrakt_contracts", "refrakt_contracts the structure that themes rely on"],
];

function instructions(project: Project, mayList: MayList): string[] {
  if (!hasPages(project)) return [];
  const start = project.site!.names.length === 1 ? "Site: " : "Sites: pass one of them as site. ";
  return clauseSentence(start, CLAUSES, mayList);
}

function summary(project: Project): string | undefined {
  if (!hasPages(project)) return undefined;
  const names = project.site!.names.slice(0, MOST_IN_SUMMARY)
    .map((name) => wordOrText(shortLine(name, MOST_NAME)));
  return `${names.length === 1 ? "site" : "sites"} ${names.join(", ")}`;
}

/** What can be done with a package that others use. */
const USES: Readonly<Record<PackageKind, string>> = {
  theme: "refrakt_inspect_audit tells which selectors its CSS styles, refrakt_contracts the HTML " +
    "to style; --trust also loads its configuration.",
  plugin: "refrakt_package_validate lints it with --trust, which runs its code.",
  "preset pack": "No tool here reads presets: run npx --package=@refrakt-md/cli refrakt " +
    "theme presets validate --pack .",
  template: "Its pages are checked in a site made from it: declare one in refrakt.config.json.",
  library: "Nothing in it is for refrakt's tools.",
};

function projectKinds(project: Project): ProjectKind[] {
  const { plan, own: ownPackage } = project;
  const kinds: ProjectKind[] = [];
  if (hasPages(project)) {
    kinds.push({
      kind: "site",
      use: "refrakt_check finds mistakes in its pages, refrakt_reference explains its runes.",
    });
  }
  const isOther = plan !== null || kinds.length > 0;
  if (ownPackage !== null && (ownPackage.kind !== "library" || !isOther)) {
    kinds.push(defined({ ...ownPackage, use: USES[ownPackage.kind] }));
  }
  return kinds;
}

function noSite({ site }: Project): string | undefined {
  return site === null ? `It has no site: declare one in ${CONFIG_NAME}.` : undefined;
}

function agents(project: Project): string[] {
  const lines: string[] = [];
  if (hasPages(project)) {
    lines.push(
      "- Site: `refrakt_reference` explains runes; run `refrakt_check` after changing a page.",
    );
  }
  if (project.site?.isTheme) {
    lines.push(
      "- Theme: `refrakt_contracts` has the HTML to style, `refrakt_inspect_audit` the " +
        "selectors without styles.",
    );
  }
  if (project.own?.kind === "plugin") {
    lines.push("- Runes: `refrakt_package_validate` lints the package.");
  }
  return lines;
}

async function detection(
  project: Project,
  deadline: number,
  warnings: readonly Warning[],
): Promise<Partial<Detection>> {
  const { cwd, site } = project;
  if (site === null) return { site: null };
  const configPath = shownPath(cwd, site.configPath);
  return {
    site: { configPath, sites: site.names, plugins: site.packages },
    ...await siteReports(project, deadline, warnings),
  };
}

function reportLines(project: Project, { site }: Detection): ReportLine[] {
  const none = project.configProblem === undefined ? "none" : "unknown";
  const sites = project.site?.isTheme
    ? "the theme alone"
    : site?.sites.map(word).join(", ") ?? none;
  const others = project.site?.names.flatMap((name) => {
    const site = chooseSite(project, name);
    return orElse(() => notPages(listContent({ project, site })), []);
  }) ?? [];
  return [["ok", "sites", sites], ...others.map((text): ReportLine => ["warn", "pages", text])];
}
