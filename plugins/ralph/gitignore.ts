/** Keeps files that change with every call out of git. */

import { join } from "node:path";
import { messageOf } from "../../src/errors.ts";
import { exists, isLink } from "../../src/io/paths.ts";
import { writeFolder } from "../../src/io/write_folder.ts";
import { brief } from "./failures.ts";
import { readFile, replaceTexts } from "./files.ts";

const IGNORED = [
  "specs/.current-spec",
  "**/.ralph-state.json*",
  "**/.progress-task-*.md",
  "specs/**/.*.tmp",
];

/** Whether the project is the root of a git work tree. */
export function isWorkTree(cwd: string): boolean {
  return exists(join(cwd, ".git"));
}

/** Adds the missing lines to `.gitignore` in a git work tree. Returns whether it added any. */
export function ensureGitignore(cwd: string, warnings: string[]): boolean {
  if (!isWorkTree(cwd)) return false;
  try {
    const path = join(cwd, ".gitignore");
    if (isLink(path)) throw new Error("it is a link");
    const old = readFile(cwd, path);
    const text = old ?? "";
    const present = text.replace(/^\uFEFF/, "").split(/\r?\n/).map((line) => line.trim());
    const added = IGNORED.filter((line) => !present.includes(line));
    if (added.length === 0) return false;
    const eol = text.includes("\r\n") ? "\r\n" : "\n";
    const gap = text === "" || text.endsWith("\n") ? "" : eol;
    replaceTexts(writeFolder(cwd), [{ path, old, text: text + gap + added.join(eol) + eol }]);
    return true;
  } catch (error) {
    const reason = brief(messageOf(error), 200);
    warnings.push(`.gitignore was not changed (${reason}). Add these lines: ${IGNORED.join(", ")}`);
    return false;
  }
}
