/** The resources: the status of all specs, and the files of each. */

import { didYouMean, RefraktError } from "../../src/errors.ts";
import { word } from "../../src/plain_text.ts";
import type { Resource } from "../../src/tools/resource.ts";
import { readFile } from "./files.ts";
import { DOCUMENT_PHASES, documentOf, toolOf } from "./phases.ts";
import { PROGRESS_FILE } from "./progress.ts";
import { overview } from "./rows.ts";
import { findFolder, listFolders, specFile, specPath } from "./folders.ts";
import { STATE_FILE } from "./state.ts";

/** The files of a spec, and the call that leads to each. */
const FILES = new Map([
  ...DOCUMENT_PHASES.map((phase) =>
    [documentOf(phase), `${toolOf(phase)} with spec_name`] as const
  ),
  [PROGRESS_FILE, "ralph_start with name and resume: true"],
  [STATE_FILE, "ralph_start with name and resume: true"],
]);

export const resources: readonly Resource[] = [
  {
    uri: "ralph://specs",
    name: "ralph-specs",
    title: "Specs",
    description: "All Ralph specs with phase, ticked tasks, documents and the next tool.",
    mimeType: "application/json",
    read: (_params, context) => {
      const { current, count, specs, step, warnings } = overview(context.project.cwd);
      const { next, todo } = step;
      return { data: { current, total: count, specs, next, todo, warnings } };
    },
  },
  {
    uri: "ralph://spec/{name}/{file}",
    name: "ralph-spec-file",
    title: "Document of a spec",
    description:
      "research.md, requirements.md, design.md, tasks.md, .progress.md or .ralph-state.json of a spec.",
    mimeType: "text/markdown",
    complete: (parameter, value, context) => {
      const names = parameter === "name"
        ? listFolders(context.project.cwd).map((folder) => folder.name)
        : [...FILES.keys()];
      return names.filter((name) => name.startsWith(value)).slice(0, 100);
    },
    read: ({ name = "", file = "" }, context) => {
      const folder = findFolder(context.project.cwd, name);
      const call = FILES.get(file);
      if (call === undefined) {
        const names = [...FILES.keys()];
        throw new RefraktError("NOT_FOUND", `A spec has no file '${word(file)}'`, {
          hint: `${didYouMean(file, names)} The files are ${names.join(", ")}.`.trim(),
        });
      }
      const text = readFile(folder.cwd, specFile(folder, file));
      if (text === null) {
        throw new RefraktError("NOT_FOUND", `${specPath(folder, file)} does not exist yet`, {
          hint: `Call ${call}.`,
        });
      }
      return { text, mimeType: file === STATE_FILE ? "application/json" : "text/markdown" };
    },
  },
];
