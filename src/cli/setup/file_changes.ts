/**
 * The files that `setup` writes: the client's configuration, a section of AGENTS.md, the skills.
 */

import { dirname } from "node:path";
import { messageOf, RefraktError } from "../../errors.ts";
import { ifFound, isNotFound, resolveInside } from "../../io/paths.ts";
import { readInside } from "../../io/read.ts";
import { writeFolder } from "../../io/write_folder.ts";
import { changedMeanwhile, writeFrom, writeInFolders } from "../../io/write_together.ts";
import { type Skill, SKILL_SOURCE, skillFile } from "../../tools/skill.ts";
import { type ClientConfig, SHARED_SKILLS } from "../client_configs.ts";
import { hookPart, serverPart } from "./json_part.ts";
import type { FileText, Part, ServerEntry } from "./part.ts";
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
  readonly entries: readonly ServerEntry[];
  readonly agents: string;
  readonly skills: readonly Skill[];
  /** The session hook; `undefined` if none is to be written. */
  readonly hook: unknown;
  readonly remove: boolean;
}

/** An edit that is left to a person. */
export interface ManualStep {
  readonly file: string;
  /** Why `setup` does not make it. */
  readonly problem: string;
  /** The text to add; `undefined` where something is to be removed. */
  readonly snippet?: string;
  /** What to remove. */
  readonly label: string;
  /** Whether it is the server's entry, which the client may have a command for. */
  readonly isServer: boolean;
}

export interface Changes {
  /** Unchanged files are omitted. */
  readonly changes: readonly FileChange[];
  readonly steps: readonly ManualStep[];
  /** What was replaced or kept, in sentences. */
  readonly notes: readonly string[];
  /** The files and folders that `--allow-write` must include. */
  readonly permissions: readonly string[];
}

/**
 * Computes the changes.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for a file that cannot be read, `PERMISSION_DENIED` for
 * one outside the project.
 */
export function changesFor(
  cwd: string,
  { client, entries, agents, skills, hook, remove }: Setup,
): Changes {
  const { skillsFolder = SHARED_SKILLS, projectFile, hooks } = client;
  const changes: FileChange[] = [];
  const steps: ManualStep[] = [];
  const notes: string[] = [];
  const parts: Part[] = [];
  if (projectFile !== undefined) {
    const text = remove ? readText(cwd, projectFile) ?? "" : undefined;
    const affected = entries.filter(({ path }) => text?.includes(path.at(-1)!) ?? true);
    if (client.format !== "toml") {
      parts.push(...affected.map(({ path, value }) => serverPart(projectFile, path, value)));
    } else if (affected.length > 0) parts.push(tomlPart(projectFile, affected));
  }
  const servers = [...parts];
  if (hooks !== undefined && (remove || hook !== undefined)) {
    parts.push(hookPart(hooks.file, hook ?? null, hooks.event));
  }
  const instructions = readText(cwd, "AGENTS.md");
  if (remove || instructions === null || !GENERATED.test(instructions)) {
    parts.push(sectionPart("AGENTS.md", agents));
  } else {
    notes.push(
      "AGENTS.md got no section: refrakt reference dump writes it anew, and would drop it.",
    );
  }
  for (const [file, partsOfFile] of Map.groupBy(parts, (part) => part.file)) {
    const before = readText(cwd, file);
    const [mark, text] = before?.startsWith("\uFEFF") ? ["\uFEFF", before.slice(1)] : ["", before];
    let after: FileText = text;
    for (const part of partsOfFile) {
      if (remove && after === null) break;
      const edit = remove ? part.remove(after!) : part.add(after);
      if (edit.note !== undefined) notes.push(edit.note);
      if (edit.text !== undefined) after = edit.text;
      if (edit.problem === undefined) continue;
      const { label, snippet } = part;
      const step = { file, problem: edit.problem, label, isServer: servers.includes(part) };
      steps.push(remove ? step : { ...step, snippet });
    }
    if (after !== text) changes.push({ path: file, before, after: after && mark + after });
  }
  for (const skill of projectFile === undefined ? [] : skills) {
    const path = `${skillsFolder}/${skill.name}/SKILL.md`;
    const before = readText(cwd, path);
    if (before !== null && !before.includes(`source: ${SKILL_SOURCE}`)) {
      notes.push(`${path} stays as it is: somebody else's skill has that name.`);
      continue;
    }
    const after = remove ? null : skillFile(skill);
    if (after !== before) changes.push({ path, before, after });
  }
  if (projectFile === undefined && !remove && skills.length > 0) {
    notes.push(`No skills were written: ${client.title} has no configuration in the project.`);
  }
  return { changes, steps, notes, permissions: permissionsFor(cwd, changes) };
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
    const write = writeFrom(writeFolder(cwd), pathOf(path), { old, text }, { kind: "text" });
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
