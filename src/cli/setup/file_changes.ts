/**
 * The files that `setup` writes: the client's configuration, a section of AGENTS.md, the skills.
 */

import { dirname } from "node:path";
import { messageOf, RefraktError } from "../../errors.ts";
import { ifFound, isNotFound, resolveInside } from "../../io/paths.ts";
import { readInside } from "../../io/read.ts";
import { changedMeanwhile, writeFrom, writeInFolders } from "../../io/write_together.ts";
import { type Skill, SKILL_SOURCE, skillFile } from "../../tools/skill.ts";
import {
  type ClientConfig,
  type ServerEntry,
  SHARED_SKILLS,
  snippetOf,
} from "../client_configs.ts";
import { hookPart, jsonPart } from "./json_part.ts";
import { bothParts, copyOf, type FileText, type Part, withoutPart, withPart } from "./part.ts";
import { GENERATED, sectionPart } from "./section_part.ts";
import { tomlPart } from "./toml_part.ts";

export interface FileChange {
  /** Relative to the project. */
  readonly path: string;
  /** `null` if the file does not exist. */
  readonly before: FileText;
  /** `null` if the file is deleted. */
  readonly after: FileText;
}

interface Setup {
  readonly client: ClientConfig;
  readonly entry: ServerEntry;
  readonly agents: string;
  readonly skills: readonly Skill[];
  /** The session hook; `undefined` if none is to be written. */
  readonly hook: unknown;
  readonly remove: boolean;
}

export interface Changes {
  /** Unchanged files are omitted. */
  readonly changes: readonly FileChange[];
  /** What was replaced, kept or given back, in sentences. */
  readonly notes: readonly string[];
  /** The files and folders that `--allow-write` must include. */
  readonly permissions: readonly string[];
}

/**
 * Computes the changes.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for a file that cannot be edited, `PERMISSION_DENIED` for
 * one outside the project.
 */
export function changesFor(
  cwd: string,
  { client, entry, agents, skills, hook, remove }: Setup,
): Changes {
  const changes: FileChange[] = [];
  const notes: string[] = [];
  const change = (path: string, before: FileText, after: FileText) => {
    if (after !== before) changes.push({ path, before, after });
  };
  const { skillsFolder = SHARED_SKILLS, projectFile } = client;
  const instructions = readText(cwd, "AGENTS.md");
  const section = sectionPart("AGENTS.md", agents);
  const skillFiles = skills.map((skill) => {
    const path = `${skillsFolder}/${skill.name}/SKILL.md`;
    const text = readText(cwd, path);
    return { skill, path, text, isOurs: text?.includes(`source: ${SKILL_SOURCE}`) === true };
  });
  const hasRun = skillFiles.some(({ isOurs }) => isOurs) ||
    instructions !== null && section.find(instructions) !== undefined;
  const edit = (part: Part, before: FileText) => {
    const copy = copyOf(part.file);
    const kept = readText(cwd, copy);
    const outcome = remove ? withoutPart(part, before, kept) : withPart(part, before, kept, hasRun);
    if (outcome.note !== undefined) notes.push(outcome.note);
    // The copy is written before the file that it keeps, and deleted after it.
    if (outcome.copy !== null) change(copy, kept, outcome.copy);
    change(part.file, before, outcome.after);
    if (outcome.copy === null) change(copy, kept, null);
  };
  const { file: hooks, event } = client.hooks ?? {};
  const hookText = hooks === undefined ? null : readText(cwd, hooks);
  const known = hookText === null ? undefined : hookPart(hooks!, hook, event).find(hookText);
  const isHooked = hooks !== undefined && (remove ? known : hook) !== undefined;
  const ourHook = isHooked ? hookPart(hooks, remove ? known!.value : hook, event) : undefined;
  if (projectFile !== undefined) {
    const server = client.format === "toml"
      ? tomlPart(projectFile, entry.path, snippetOf("toml", entry))
      : jsonPart(projectFile, entry.path, entry.value);
    const isShared = hooks === projectFile && ourHook !== undefined;
    edit(isShared ? bothParts(server, ourHook) : server, readText(cwd, projectFile));
    if (ourHook !== undefined && !isShared) edit(ourHook, hookText);
  }
  if (remove || instructions === null || !GENERATED.test(instructions)) edit(section, instructions);
  else {
    notes.push(
      "AGENTS.md got no section: refrakt reference dump writes it anew, and would drop it.",
    );
  }
  for (const { skill, path, text, isOurs } of projectFile === undefined ? [] : skillFiles) {
    // Keep a skill of the same name from another source.
    if (text === null || isOurs) change(path, text, remove ? null : skillFile(skill));
    else notes.push(`${path} stays as it is: somebody else's skill has that name.`);
  }
  if (projectFile === undefined && !remove && skills.length > 0) {
    notes.push(`No skills were written: ${client.title} has no configuration in the project.`);
  }
  return { changes, notes, permissions: permissionsFor(cwd, changes) };
}

/** For each file: itself, or the outermost folder that is created for it or becomes empty. */
function permissionsFor(cwd: string, changes: readonly FileChange[]): string[] {
  const deleted = new Set(changes.filter(({ after }) => after === null).map(({ path }) => path));
  const paths = changes.map(({ path, after }) => {
    let outermost = path;
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
      const entries = entriesOf(cwd, folder);
      const isAffected = after === null
        ? entries?.every((entry) => isDeleted(cwd, entry, deleted)) === true
        : entries === null;
      if (isAffected) outermost = folder;
    }
    return outermost;
  });
  return [...new Set(paths)];
}

/** The paths in a folder of the project; `null` if there is no such folder. */
function entriesOf(cwd: string, folder: string): string[] | null {
  return ifFound(() => [...Deno.readDirSync(resolveInside(cwd, folder, "path"))], null)
    ?.map(({ name }) => `${folder}/${name}`) ?? null;
}

/** Whether a path is deleted, or a folder with nothing else in it. */
function isDeleted(cwd: string, path: string, deleted: ReadonlySet<string>): boolean {
  if (deleted.has(path)) return true;
  if (![...deleted].some((file) => file.startsWith(`${path}/`))) return false;
  return entriesOf(cwd, path)?.every((entry) => isDeleted(cwd, entry, deleted)) === true;
}

/**
 * Writes all files, or none.
 *
 * @throws {RefraktError} If one is refused, or was changed since.
 */
export function applyChanges(cwd: string, changes: readonly FileChange[]): void {
  const pathOf = (path: string) => resolveInside(cwd, path, "path");
  const writes = changes.map(({ path, before: old, after: text }) => {
    const write = writeFrom(cwd, pathOf(path), { old, text }, { kind: "text" });
    if (write === undefined) throw changedMeanwhile(cwd, pathOf(path));
    return write;
  });
  writeInFolders(writes);
}

function readText(cwd: string, path: string): FileText {
  try {
    return readInside(cwd, path, "text");
  } catch (error) {
    if (isNotFound(error)) return null;
    if (error instanceof RefraktError) throw error;
    throw new RefraktError("VALIDATION_ERROR", `Cannot read ${path}: ${messageOf(error)}`, {});
  }
}
