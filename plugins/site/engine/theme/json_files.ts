/** Reads JSON files of the project with errors that say what to do. */

import { quotedName } from "../../../../src/plain_text.ts";
import { messageOf, RefraktError } from "../../../../src/errors.ts";
import type { Project } from "../../../../src/plugin/project.ts";
import { statIfExists } from "../../../../src/io/files.ts";
import { resolveInside, shownPath } from "../../../../src/io/paths.ts";
import { readIfExists } from "../../../../src/io/read.ts";

export function readProjectFile(
  project: Project,
  file: string,
  subject: string,
  hint: string,
): { displayPath: string; text: string } {
  const path = resolveInside(project.cwd, file, subject, file);
  const displayPath = shownPath(project.cwd, path);
  if (statIfExists(path)?.isDirectory) {
    throw new RefraktError("INVALID_ARGS", `${quotedName(file)} is a folder, not a file`, {
      hint: "Pass the path of a file.",
    });
  }
  const text = readIfExists(project.cwd, path, "manifest");
  if (text === null) {
    throw new RefraktError("NOT_FOUND", `No such file: ${JSON.stringify(file)}`, { hint });
  }
  return { displayPath, text };
}

export function parseJson(text: string, displayPath: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const message = `${quotedName(displayPath)} is not valid JSON: ${messageOf(error)}`;
    throw new RefraktError("VALIDATION_ERROR", message, {
      hint: "Fix the JSON, or pass another file.",
      cause: error,
    });
  }
}
