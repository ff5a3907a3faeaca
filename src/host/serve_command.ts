/** The command that starts the server for a project, with the permissions that it needs. */

import { dirname, isAbsolute, join } from "node:path";
import { orElse, RefraktError } from "../errors.ts";
import { isOnPath } from "../io/git.ts";
import { exists, isInside, realPathOf, shownPath } from "../io/paths.ts";
import { mayRead } from "../io/permissions.ts";
import { noteRead } from "../io/reads.ts";
import { namedPackages, packageFacts } from "../packages/manifests.ts";
import { isFirstParty, MARKDOC_PACKAGE } from "../packages/names.ts";
import { quotedName, word } from "../plain_text.ts";
import type { Project, ShellLines } from "../plugin/project.ts";
import { VERSION } from "../version.ts";
import { DENO, denoByNpx, type Launch, shellLine } from "./shell.ts";

/** This server at its minor version, as a range without `^`, which cmd reads: later ones differ. */
export const SPECIFIER = `jsr:@refrakt/mcp@${VERSION.split(".").slice(0, 2).join(".")}`;

/**
 * Chooses the Deno that starts the server: `npx` if requested or if no `deno` is on the PATH.
 *
 * @param ownPath Whether the client starts without the shell's PATH and requires an absolute path.
 * @param facts For tests.
 */
export function chooseDeno(
  npx = false,
  ownPath = false,
  facts = { execPath: Deno.execPath(), standalone: Deno.build.standalone, isOnPath },
): Launch {
  // npx adds its cache to the PATH of this process only.
  const isCached = /[\\/]_npx[\\/]/.test(facts.execPath);
  if (npx || isCached || !facts.isOnPath("deno")) return denoByNpx();
  return ownPath && !facts.standalone ? { command: facts.execPath, args: [] } : DENO;
}

/** Starts a program of a registry with the permissions in `args`. */
export function denoRun(flags: readonly string[], npx?: boolean): Launch {
  const { command, args } = chooseDeno(npx);
  return { command, args: [...args, "run", "--no-config", "--no-prompt", ...flags] };
}

/** The permissions that the plugins of a project need, and one more plugin by its name. */
export function neededGrants({ grants }: Project, plugin?: string, without?: string) {
  const needed = Object.entries(grants).flatMap(([name, each]) =>
    name === plugin || each.isNeeded && name !== without ? each : []
  );
  return {
    write: needed.flatMap(({ write }) => write),
    run: [...new Set(needed.flatMap(({ run }) => run))],
  };
}

interface LaunchOptions {
  /** The project's path or a client's variable for it, if the client starts programs elsewhere. */
  readonly base?: string;
  readonly deno?: Launch;
  /** With the project's code; by default as this process. */
  readonly trust?: boolean;
  /** Allows git with `trust`, where it is worth the user's rights to the project's code. */
  readonly git?: boolean;
  /** Allows what this plugin needs, also where the project does not. */
  readonly plugin?: string;
  /** Leaves out the permissions to write. */
  readonly readOnly?: boolean;
  /** Serves the plan alone, without the project's code, or the site alone, with that code. */
  readonly part?: "plan" | "site" | undefined;
}

/** @throws {RefraktError} `VALIDATION_ERROR` for a path that cannot be a permission. */
export function launchFor(project: Project, options: LaunchOptions = {}): Launch {
  const { base = "", deno = chooseDeno(), part, git = false, plugin, readOnly = false } = options;
  const trust = part === undefined ? options.trust ?? project.code.trust : part === "site";
  const grants = neededGrants(project, plugin, part === "site" ? "plan" : undefined);
  const write = readOnly ? [] : grants.write;
  for (const path of write) requireGrantable(project.cwd, path);
  // Deno searches node_modules from the folder that it starts in, whatever --cwd says.
  const installed = trust && base === "" ? installedFolders(project) : undefined;
  const args = [...deno.args, "run", "--no-config"];
  if (installed !== undefined) args.push("--node-modules-dir=manual");
  args.push("--no-prompt", `--allow-read=${permissionPaths(base, [".", ...installed ?? []])}`);
  if (write.length > 0) args.push(`--allow-write=${permissionPaths(base, write)}`);
  if (grants.run.length > 0 && (git || !trust)) args.push(`--allow-run=${grants.run.join(",")}`);
  args.push(SPECIFIER);
  if (base !== "") args.push("--cwd", base);
  for (const name of project.requestedPlugins) args.push("--plugin", name);
  if (trust) args.push("--trust");
  if (part === "site") args.push("--tools", "site");
  if (part === "plan") {
    const needed = Object.values(project.grants).filter(({ isNeeded }) => isNeeded);
    args.push("--tools", needed.map(({ tools }) => tools).join(","));
  }
  return { command: deno.command, args };
}

/** The command; without write permissions, and with the reason, if the config asks for a wrong one. */
export function printableLaunch(project: Project, options: LaunchOptions = {}) {
  try {
    return { launch: launchFor(project, options), problem: undefined };
  } catch (problem) {
    return { launch: launchFor(project, { ...options, readOnly: true }), problem };
  }
}

/** What a project's reports and errors say to run in a shell. */
export function shellLines(project: () => Project): ShellLines {
  const line = (options: LaunchOptions, ...args: string[]) => {
    const { launch } = printableLaunch(project(), options);
    return shellLine({ ...launch, args: [...launch.args, ...args] });
  };
  return {
    trust: () => `To run it, with all permissions of the server: ${line({ trust: true })}`,
    setup: () => shellLine(denoRun(["--allow-read=.", "jsr:@refrakt/mcp", "setup"])),
    install: (name) => installStep(project(), name),
    call: (tool, args) => {
      const plugin = tool.slice(0, tool.indexOf("_"));
      const words = ["call", tool];
      if (args !== undefined) words.push(JSON.stringify(args));
      return line({ plugin }, ...words);
    },
  };
}

/** Only refrakt and `package.json` vouch for a name: another may be a stranger's on the registry. */
function installStep(project: Project, name: string): string {
  if (usesPnp(project)) {
    return "Yarn keeps packages in zips, which Deno does not load: set nodeLinker: node-modules in " +
      ".yarnrc.yml, and run yarn install.";
  }
  if (readsNothingAbove(project)) {
    return "Not here; in a workspace, packages are installed above its members: run doctor with " +
      "--allow-read=<the workspace's folder>, and use the command that it prints.";
  }
  const isKnown = isFirstParty(name) || name === MARKDOC_PACKAGE ||
    packageFacts(project).declared.some((each) => each.name === name);
  return isKnown
    ? "Install the project, such as with npm install."
    : `${word(name)}: not in package.json. Add it there if you know whose package that is, or ` +
      "take it out of refrakt.config.json, if that names it.";
}

/** Whether the project has no packages of its own, and those of folders above it cannot be read. */
export function readsNothingAbove({ cwd }: Project): boolean {
  return exists(join(cwd, "package.json")) && !exists(join(cwd, "node_modules")) &&
    !mayRead(dirname(cwd));
}

export function usesPnp(project: Project): boolean {
  return packageFacts(project).folders.some((folder) => exists(join(folder, ".pnp.cjs")));
}

/** The folders outside the project with installed packages: those above it, and pnpm's store. */
export function installedFolders(project: Project): string[] | undefined {
  const { cwd } = project;
  const { folders } = packageFacts(project);
  const bases = new Set<string>();
  let isInstalled = false;
  for (const name of namedPackages(project)) {
    const folder = folders.find((each) => {
      const link = join(each, "node_modules", name);
      noteRead(link);
      return exists(link);
    });
    if (folder === undefined) continue;
    isInstalled = true;
    if (!isInside(cwd, folder)) bases.add(shownPath(cwd, folder));
    const real = orElse(() => realPathOf(join(folder, "node_modules", name)), folder);
    if (isInside(folder, real) || isInside(cwd, real)) continue;
    const [, store] = /^(.*[\\/]v\d+[\\/]links)[\\/]/.exec(real) ?? [];
    const [, modules] = /^(.*?[\\/]node_modules)[\\/]/.exec(real) ?? [];
    bases.add(store ?? modules ?? real);
  }
  return isInstalled ? [...bases] : undefined;
}

/**
 * The plan folder comes from the repository's config, so only a plain folder of the project may
 * become a write permission: not the whole project, no folder that git, editors or other programs
 * run code from, and no characters that a client or shell would expand.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for any other path.
 */
function requireGrantable(cwd: string, path: string): void {
  const real = shownPath(cwd, realPathOf(join(cwd, path), cwd));
  if ([path, real].every((each) => each === ".gitignore" || isGrantable(each))) return;
  const folder = quotedName(path);
  const message = `refrakt.config.json requests write access to ${folder}: add it by hand`;
  throw new RefraktError("VALIDATION_ERROR", message, {
    hint: 'If you do not trust it, set plan.dir to a project folder such as "plan".',
  });
}

/** Whether every folder of a path is plain; file systems ignore case, or dots and spaces at an end. */
function isGrantable(path: string): boolean {
  return path.split("/").every((name) =>
    /^[\p{L}\p{N}_@+][\p{L}\p{N}._@+ ,-]*$/u.test(name) &&
    !/^node_modules[. ]*$/i.test(name.normalize("NFKC"))
  );
}

/** Joins the paths of a permission, for a server that starts elsewhere. Deno cannot escape commas. */
function permissionPaths(base: string, relative: readonly string[]): string {
  const paths = relative.map((path) => {
    if (base === "") return path;
    if (path === ".") return base;
    return isAbsolute(base) ? join(base, path) : `${base}/${path}`;
  });
  const divided = paths.find((path) => path.includes(","));
  if (divided === undefined) return paths.join(",");
  const message = `Paths in a Deno permission cannot contain commas: ${divided}`;
  throw new RefraktError("VALIDATION_ERROR", message, {
    hint: "Rename the folder, or start the client in the project, where paths are relative.",
  });
}
