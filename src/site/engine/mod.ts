/**
 * The engine of the site tools: loads, parses and renders with code of the repository (rune
 * packages, local runes, themes). It takes plain JSON, so it can run in a Worker.
 */

import { RefraktError } from "../../errors.ts";
import { ruleOf } from "../../npm/package.ts";
import { packageVersion } from "../../npm/versions.ts";
import type { CodePolicy } from "../../project/code_policy.ts";
import { openProject, type Project } from "../../project/project.ts";
import { chooseSite } from "../../project/sites.ts";
import { auditStyles } from "./runes/audit_styles.ts";
import type { Channels } from "./channels.ts";
import { checkPages } from "./methods/check_pages.ts";
import { describeRunes, extractTexts, listRunes } from "./methods/describe_runes.ts";
import { diagnoseSite } from "./methods/diagnose.ts";
import { contractFor, type ContractInput } from "./runes/example_page.ts";
import { inspectRune } from "./runes/inspect_rune.ts";
import { lintPackage, type PackageInput } from "./runes/lint_package.ts";
import { previewOf } from "./methods/preview.ts";
import { queryPages } from "./methods/query_pages.ts";
import { renderPage } from "./methods/render_page.ts";
import { type SiteContext, withWarnings } from "./upstream/site.ts";
import { createSiteCache, type SiteCache } from "./upstream/site_cache.ts";
import { validateTheme } from "./theme/validate_theme.ts";

export interface Engine {
  /** The result may share objects with the engine. */
  run<Name extends MethodName>(
    name: Name,
    project: Project,
    input: InputOf<Name>,
    channels: Channels,
  ): Promise<ResultOf<Name>>;
  /** `params` and the result are plain JSON. Throws `INVALID_ARGS` for an unknown method. */
  handle(method: string, params: EngineParams, channels: Channels): Promise<unknown>;
}

export interface ProjectRef {
  /** Real, absolute path. */
  readonly cwd: string;
  readonly plugins: readonly string[];
  /** Changes with the project or its config. */
  readonly stamp: string;
  /** Timeout of a package download, in milliseconds. */
  readonly timeoutMs: number;
}

export interface EngineParams {
  readonly project: ProjectRef;
  readonly input: Readonly<Record<string, unknown>>;
}

interface Scope {
  readonly project: Project;
  readonly sites: SiteCache;
  readonly channels: Channels;
}

/** Optional if the project has one site. */
interface OfSite {
  readonly site?: string | undefined;
}

const METHODS = {
  warm: async ({ project, sites }: Scope, _input: Record<string, never>) => {
    // A site's error is reported when a tool uses it.
    await Promise.allSettled((project.site?.names ?? []).map(async (name) => {
      // Do not download plugins in advance: some are large and never used.
      const { plugins } = chooseSite(project, name);
      if (plugins.some((plugin) => ruleOf(packageVersion(project, plugin)) === "npm")) return;
      // The first rendering fills caches that all renderings share.
      await inspectRune(await sites.site(project, name), { rune: "hint" });
    }));
    return null;
  },
  runeNames: ofSite(({ names }) => [...names.keys()]),
  listRunes: ofSite((site, { variants }: { readonly variants: boolean }) =>
    listRunes(site, variants)
  ),
  inspectRune: ofSite(inspectRune),
  renderPage: ofSite(renderPage),
  preview: ofSite(previewOf),
  checkPages: ofSite(checkPages),
  queryPages: ofSite(queryPages),
  contract: ofSite((site, input: ContractInput) => withWarnings(site, contractFor(site, input))),
  describeRunes: ofSite(describeRunes),
  auditStyles: ofSite(auditStyles),
  validateTheme: ofSite(validateTheme),
  lintPackage: ({ project }: Scope, input: PackageInput) => lintPackage(project, input),
  diagnose: ({ project }: Scope, { site }: OfSite) => diagnoseSite(project, site),
  i18nKeys: ofSite(extractTexts),
};

export type MethodName = keyof typeof METHODS;

type Inputs = { readonly [Name in MethodName]: Parameters<(typeof METHODS)[Name]>[1] };
type Results = { readonly [Name in MethodName]: Awaited<ReturnType<(typeof METHODS)[Name]>> };

export type InputOf<Name extends MethodName> = Inputs[Name];

export type ResultOf<Name extends MethodName> = Results[Name];

const BY_NAME: {
  readonly [Name in MethodName]: (
    scope: Scope,
    input: InputOf<Name>,
  ) => Promise<ResultOf<Name>>;
} = METHODS;

export function createEngine(code: Partial<CodePolicy> = {}): Engine {
  const sites = createSiteCache();
  const projects = new Map<string, { key: string; project: Project }>();
  const projectOf = (ref: ProjectRef): Project => {
    const key = JSON.stringify(ref);
    const known = projects.get(ref.cwd);
    if (known?.key === key) return known.project;
    const { cwd, plugins, timeoutMs } = ref;
    const project = openProject(cwd, { plugins, code: { ...code, timeoutMs } });
    projects.set(ref.cwd, { key, project });
    return project;
  };
  const run: Engine["run"] = async (name, project, input, channels) =>
    await BY_NAME[name]({ project, sites, channels }, input);
  return {
    run,
    async handle(method, params, channels) {
      if (!isMethod(method)) {
        throw new RefraktError("INVALID_ARGS", `The engine has no method "${method}"`);
      }
      // The typed client is the only sender.
      const input = params.input as InputOf<typeof method>;
      const result = await run(method, projectOf(params.project), input, channels);
      return JSON.parse(JSON.stringify(result));
    },
  };
}

function isMethod(name: string): name is MethodName {
  return Object.hasOwn(METHODS, name);
}

function ofSite<Input, Result>(
  method: (site: SiteContext, input: Input, channels: Channels) => Result | Promise<Result>,
): (scope: Scope, input: OfSite & Input) => Promise<Result> {
  return async ({ project, sites, channels }, input) =>
    await method(await sites.site(project, input.site), input, channels);
}
