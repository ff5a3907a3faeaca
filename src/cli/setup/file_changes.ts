/**
 * The files that `setup` writes: the client's configuration, a section of AGENTS.md, the skills.
 */

import { dirname } from "node:path";
import { messageOf, RefraktError } from "../../errors.ts";
import { statIfExists, writeFileAtomic } from "../../io/files.ts";
import { isNotFound, resolveInside } from "../../io/paths.ts";
import { mayWrite } from "../../io/permissions.ts";
import { readInside } from "../../io/read.ts";
import { type Skill, SKILL_SOURCE, skillFile } from "../../tools/skill.ts";
import {
  type ClientConfig,
  type ServerEntry,
  SHARED_SKILLS,
  snippetOf,
} from "../client_configs.ts";
import { type FileText, setJson, setMarkedSection, setTomlTable } from "./sections.ts";

export interface FileChange {
  /** Relative to the project. */
  readonly path: string;
  /** `null` if the file does not exist. */
  readonly before: FileText;
  /** `null` if the file is deleted. */
  readonly after: FileText;
  /** The file or folder that `--allow-write` must include. */
  readonly permission: string;
}

interface Setup {
  readonly client: ClientConfig;
  readonly entry: ServerEntry;
  readonly agents: string;
  readonly skills: readonly Skill[];
  readonly remove: boolean;
}

/**
 * Computes the changes; unchanged files are omitted.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for a file that cannot be edited, `PERMISSION_DENIED` for
 * one outside the project.
 */
export function changesFor(
  cwd: string,
  { client, entry, agents, skills, remove }: Setup,
): FileChange[] {
  const changes: FileChange[] = [];
  const edit = (path: string, folder: boolean, change: (text: FileText) => FileText) => {
    const before = readText(cwd, path);
    const after = change(before);
    if (after === before) return;
    const isNew = statIfExists(resolveInside(cwd, dirname(path), "path")) === null;
    changes.push({ path, before, after, permission: folder || isNew ? dirname(path) : path });
  };
  const config = client.projectFile;
  const value = remove ? undefined : entry.value;
  if (config !== undefined) {
    edit(config, false, (text) => {
      if (client.format !== "toml") return setJson(text, entry.path, value, config);
      return setTomlTable(text, entry.path, remove ? undefined : snippetOf("toml", entry));
    });
  }
  const section = remove ? undefined : agents;
  edit("AGENTS.md", false, (text) => setMarkedSection(text, section, "AGENTS.md"));
  const { skillsFolder = SHARED_SKILLS } = client;
  for (const skill of config === undefined ? [] : skills) {
    edit(`${skillsFolder}/${skill.name}/SKILL.md`, true, (text) => {
      // Keep a skill of the same name from another source.
      if (text !== null && !text.includes(`source: ${SKILL_SOURCE}`)) return text;
      return remove ? null : skillFile(skill);
    });
  }
  return changes;
}

/** The paths that `--allow-write` lacks. */
export function missingPermissions(cwd: string, changes: readonly FileChange[]): string[] {
  const needed = new Set(changes.map(({ permission }) => permission));
  return [...needed].filter((path) => !mayWrite(resolveInside(cwd, path, "path")));
}

export function applyChanges(cwd: string, changes: readonly FileChange[]): void {
  for (const { path, after, permission } of changes) {
    const file = resolveInside(cwd, path, "path");
    if (after !== null) {
      if (permission !== path) Deno.mkdirSync(dirname(file), { recursive: true });
      writeFileAtomic(file, after, { root: cwd });
      continue;
    }
    Deno.removeSync(file);
    const isEmpty = permission !== path && [...Deno.readDirSync(dirname(file))].length === 0;
    if (isEmpty) Deno.removeSync(dirname(file));
  }
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
