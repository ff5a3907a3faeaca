/**
 * Keeps what changes with every call out of git.
 *
 * @module
 */

import { join } from "node:path";
import { messageOf } from "../../src/errors.ts";
import { brief } from "./failures.ts";
import { lstatIfExists, readFile, replaceText } from "./files.ts";

/** The lines that belong into `.gitignore`. */
export const IGNORED: readonly string[] = [
  "specs/.current-spec",
  "**/.ralph-state.json*",
  "**/.progress-task-*.md",
  "specs/**/.*.tmp",
];

/** What was done to `.gitignore`. */
export interface GitignoreResult {
  /** The lines that were added. */
  readonly added: string[];
  /** Why nothing could be added, where that is so. */
  readonly warning?: string;
}

/** Whether the project is the top of a git work tree. Git is not run for it. */
export function isWorkTree(cwd: string): boolean {
  return lstatIfExists(join(cwd, ".git")) !== null;
}

/** Adds the missing lines in a git work tree; nothing above the project is looked at. */
export function ensureGitignore(cwd: string): GitignoreResult {
  try {
    if (!isWorkTree(cwd)) return { added: [] };
    const path = join(cwd, ".gitignore");
    const info = lstatIfExists(path);
    if (info !== null && !info.isFile) {
      return { added: [], warning: manual("it is not a plain file") };
    }
    const file = info === null ? null : readFile(cwd, path);
    if (file?.cut === true) return { added: [], warning: manual("it is too large") };
    const text = file?.text ?? "";
    const present = new Set(text.replace(/^\uFEFF/, "").split(/\r?\n/).map((line) => line.trim()));
    const added = IGNORED.filter((line) => !present.has(line));
    if (added.length === 0) return { added };
    const eol = text.includes("\r\n") ? "\r\n" : "\n";
    const gap = text === "" || text.endsWith("\n") ? "" : eol;
    replaceText(cwd, path, file?.text ?? null, text + gap + added.join(eol) + eol);
    return { added };
  } catch (error) {
    return { added: [], warning: manual(brief(messageOf(error), 200)) };
  }
}

function manual(reason: string): string {
  return `.gitignore was not changed (${reason}). Add by hand: ${IGNORED.join(", ")}`;
}
