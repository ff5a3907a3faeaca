/**
 * Imports modules of the project, such as local runes. Under `--no-config` a file cannot import a
 * package by its bare name, and an imported module is never read again. So each file is read, its
 * imports are rewritten to `npm:` specifiers and blob URLs, and the result is imported.
 */

import { quotedName } from "../../../../src/plain_text.ts";
import { isBuiltin } from "node:module";
import { dirname, extname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { messageOf, orElse, RefraktError } from "../../../../src/errors.ts";
import { statIfExists } from "../../../../src/io/files.ts";
import { asObject } from "../../../../src/io/json.ts";
import { notTrusted, refusalIn } from "../../../../src/packages/gate.ts";
import { importModule } from "../../../../src/packages/load.ts";
import { packageVersion } from "../../../../src/packages/versions.ts";
import type { Project } from "../../../../src/plugin/project.ts";
import { resolveInside, shownPath } from "../../../../src/io/paths.ts";
import { readInside } from "../../../../src/io/read.ts";
import { fileStamp } from "../../../../src/io/reads.ts";
import { waitAtMost } from "../../../../src/io/turns.ts";

/** How many module URLs are kept. */
const MOST_MODULES = 500;

const MIME: Readonly<Record<string, string>> = {
  ".ts": "application/typescript",
  ".mts": "application/typescript",
  ".tsx": "text/tsx",
  ".jsx": "text/jsx",
  ".json": "application/json",
};
/** TypeScript may import a module by the name that it has after the build: `a.js` for `a.ts`. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx"],
  ".mjs": [".mts"],
  ".jsx": [".tsx"],
};
const ENDINGS = ["", ".ts", ".js", ".mjs", ".json", "/index.ts", "/index.js"];
/** The parts of a module: imports, and comments, strings and the like, which hold none. */
const PARTS = new RegExp(
  [
    /\/\/.*|\/\*[^]*?\*\/|`(?:\\[^]|[^\\`])*`/,
    /(?<=(?:[=(,:!&|?{;]|\breturn)\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//,
    /(?<lead>\bfrom\s*|\bimport\s*\(?\s*)(?<quote>["'])(?<specifier>[^"'\n]+)\k<quote>/,
    /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?<own>\bimport\.meta\.url\b)/,
  ].map(({ source }) => source).join("|"),
  "g",
);

/** Imports a module: returns its exports and the real, absolute paths of every file that it imports. */
export async function importLocal(project: Project, path: string, subject: string) {
  const entry = findModule(project, resolveInside(project.cwd, path, subject));
  const displayPath = shownPath(project.cwd, entry ?? path);
  if (entry === undefined) {
    throw new RefraktError("NOT_FOUND", `${subject}: no file ${quotedName(path)}`, {
      hint: "Give the path of a module inside the project, relative to refrakt.config.json.",
    });
  }
  requireLocalTrust(project, displayPath);
  const files = new Set<string>();
  try {
    const url = moduleUrl(project, entry, files, []);
    const { timeoutMs } = project.code;
    const loading = importModule(url, project.code);
    const exports = await waitAtMost(timeoutMs, loading, () => {
      throw new Error(`it had not finished after ${timeoutMs / 1000} s`);
    });
    return { exports: asObject(exports), files: [...files] };
  } catch (error) {
    if (refusalIn(error) !== undefined) throw error;
    const reason = messageOf(error).replace(/blob:null\/[\w-]+/g, () => displayPath).slice(0, 600);
    const message = `${subject} (${quotedName(displayPath)}) cannot be loaded: ${reason}`;
    throw new RefraktError("PLUGIN_LOAD_FAILED", message, {
      hint: "Fix the module. It may import the project's files and packages.",
      cause: error,
    });
  }
}

/**
 * Rejects the project's own modules, unless they are trusted.
 *
 * @throws {RefraktError} `CODE_NOT_TRUSTED`, with the command that loads them.
 */
export function requireLocalTrust(project: Project, displayPath: string): void {
  if (!project.code.trust) {
    throw notTrusted(displayPath, "it is code of the project", project.shell.trust());
  }
}

/** Returns a URL for the file's text with its imports resolved. */
function moduleUrl(
  project: Project,
  file: string,
  files: Set<string>,
  importers: readonly string[],
): string {
  files.add(file);
  // Blob URLs cannot form a cycle: let the runtime load the file.
  if (importers.includes(file)) return `${pathToFileURL(file).href}?v=${fileStamp(file)}`;
  const text = readInside(project.cwd, file, "module");
  const type = MIME[extname(file)] ?? "text/javascript";
  const source = type === "application/json" ? text : text.replace(PARTS, (all, ...groups) => {
    const { lead = "", quote, specifier, own } = groups.at(-1);
    if (own !== undefined) return JSON.stringify(pathToFileURL(file).href);
    if (specifier === undefined) return all;
    const target = resolveSpecifier(project, specifier, file, files, [...importers, file]);
    return target === undefined ? all : `${lead}${quote}${target}${quote}`;
  });
  // An unchanged module is imported once.
  const make = () => URL.createObjectURL(new Blob([source], { type }));
  return project.memo(["address of a module", type, file, source], make, { most: MOST_MODULES });
}

function resolveSpecifier(
  project: Project,
  specifier: string,
  from: string,
  files: Set<string>,
  importers: readonly string[],
): string | undefined {
  if (/^(?:\.\.?\/|file:)/.test(specifier)) {
    const isUrl = specifier.startsWith("file:");
    const path = isUrl ? fileURLToPath(specifier) : resolve(dirname(from), specifier);
    const real = resolveInside(project.cwd, path, `Import ${quotedName(specifier)}`);
    const file = findModule(project, real);
    return file && moduleUrl(project, file, files, importers);
  }
  if (specifier.startsWith("node:")) return undefined;
  if (isBuiltin(specifier)) return `node:${specifier}`;
  const match = /^((?:@[\w.~-]+\/)?[\w.~-]+)(\/.+)?$/.exec(specifier);
  if (match === null) return undefined;
  // If the project has no such package, it may be text that only looks like an import.
  const version = orElse(() => packageVersion(project, match[1]!).version, undefined);
  return version === undefined ? undefined : `npm:${match[1]}@${version}${match[2] ?? ""}`;
}

function findModule(project: Project, path: string): string | undefined {
  const stem = path.slice(0, path.length - extname(path).length);
  const sources = (SOURCES[extname(path)] ?? []).map((ending) => stem + ending);
  const candidates = [...ENDINGS.map((ending) => path + ending), ...sources];
  const isFile = (candidate: string) => orElse(() => statIfExists(candidate)?.isFile, false);
  const file = candidates.find(isFile);
  return file && resolveInside(project.cwd, file, "Import");
}
