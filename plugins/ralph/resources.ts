/** The resources: the status of all specs, and the files of each. */

import { didYouMean, RefraktError } from "../../src/errors.ts";
import { word } from "../../src/plain_text.ts";
import type { Resource } from "../../src/plugin/resource.ts";
import { readFile } from "./files.ts";
import { DOCUMENT_PHASES, documentOf } from "./phases.ts";
import { PROGRESS_FILE } from "./progress.ts";
import { overview } from "./tools/status.ts";
import { findFolder, listFolders, specFile, specPath } from "./folders.ts";
import { STATE_FILE } from "./state.ts";

/** The files of a spec. */
const FILES = [...DOCUMENT_PHASES.map(documentOf), PROGRESS_FILE, STATE_FILE];

export const resources: readonly Resource[] = [
  {
    uri: "ralph://specs",
    name: "ralph-specs",
    title: "Specs",
    requires: ["ralph"],
    description: "All Ralph specs with phase, ticked tasks, documents and the next tool.",
    mimeType: "application/json",
    read: (_params, context) => {
      const { step: { next, todo }, ...rows } = overview(context.project.cwd);
      return { data: { ...rows, next, todo } };
    },
  },
  {
    uri: "ralph://spec/{name}/{file}",
    name: "ralph-spec-file",
    title: "Document of a spec",
    requires: ["ralph"],
    description:
      "research.md, requirements.md, design.md, tasks.md, .progress.md or .ralph-state.json of a spec.",
    mimeType: "text/markdown",
    complete: (parameter, value, context) => {
      const specs = listFolders(context.project.cwd).map((folder) => folder.name);
      const names = parameter === "name" ? specs : FILES;
      return names.filter((name) => name.startsWith(value)).slice(0, 100);
    },
    read: ({ name = "", file = "" }, context) => {
      const folder = findFolder(context.project.cwd, name);
      if (!FILES.some((name) => name === file)) {
        const hint = `${didYouMean(file, FILES)} The files are ${FILES.join(", ")}.`.trim();
        throw new RefraktError("NOT_FOUND", `A spec has no file '${word(file)}'`, { hint });
      }
      const text = readFile(folder.cwd, specFile(folder, file));
      if (text === null) {
        const hint = "Call ralph_status to see the next step of the spec.";
        throw new RefraktError("NOT_FOUND", `${specPath(folder, file)} does not exist yet`, {
          hint,
        });
      }
      return { text, mimeType: file === STATE_FILE ? "application/json" : "text/markdown" };
    },
  },
];
