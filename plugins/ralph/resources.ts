/**
 * Specs as resources: the status of all, and the documents of each.
 *
 * @module
 */

import { didYouMean, RefraktError } from "../../src/errors.ts";
import type { Resource } from "../../src/tools/resource.ts";
import { readFile } from "./files.ts";
import { shownName } from "./names.ts";
import { DOCUMENT_PHASES, documentOf, toolOf } from "./phases.ts";
import { PROGRESS_FILE } from "./progress.ts";
import { findSpec, listSpecs, specFile, specPath } from "./specs.ts";
import { STATE_FILE } from "./state.ts";
import { overview } from "./rows.ts";

/** The files that can be read, and the tool that leads to each. */
const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(DOCUMENT_PHASES.map((phase) => [documentOf(phase), toolOf(phase)])),
  [PROGRESS_FILE]: "ralph_start",
  [STATE_FILE]: "ralph_start",
};

/** The resources. */
export const resources: readonly Resource[] = [
  {
    uri: "ralph://specs",
    name: "ralph-specs",
    title: "Specs",
    description: "All Ralph specs with phase, ticked tasks, documents and the next tool.",
    mimeType: "application/json",
    read: (_params, context) => {
      const { current, specs, step, warnings } = overview(context.project.cwd);
      return { data: { current, specs, next: step.next, todo: step.todo, warnings } };
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
      const all = parameter === "name"
        ? listSpecs(context.project.cwd).map((spec) => spec.name)
        : Object.keys(FILES);
      return all.filter((name) => name.startsWith(value)).slice(0, 100);
    },
    fileOf: (params, context) => {
      const spec = listSpecs(context.project.cwd).find((spec) => spec.name === params["name"]);
      const file = fileNamed(params["file"] ?? "");
      return spec === undefined || file === undefined ? null : specFile(spec, file);
    },
    read: (params, context) => {
      const spec = findSpec(listSpecs(context.project.cwd), params["name"] ?? "");
      const wanted = params["file"] ?? "";
      const file = fileNamed(wanted);
      if (file === undefined) {
        const names = Object.keys(FILES);
        throw new RefraktError("NOT_FOUND", `A spec has no file '${shownName(wanted)}'`, {
          hint: `${didYouMean(wanted, names)} The files are ${names.join(", ")}.`.trim(),
        });
      }
      const text = readFile(spec.cwd, specFile(spec, file))?.text;
      if (text === undefined) {
        throw new RefraktError("NOT_FOUND", `${specPath(spec, file)} is not written yet`, {
          hint: `Call ${FILES[file]} with ${
            FILES[file] === "ralph_start" ? "name and resume: true" : "spec_name"
          }.`,
        });
      }
      return { text, mimeType: file === STATE_FILE ? "application/json" : "text/markdown" };
    },
  },
];

/** The file of exactly this name; the dot and the ending may be left out. */
function fileNamed(wanted: string): string | undefined {
  return Object.keys(FILES).find((file) =>
    file === wanted || file === `${wanted}.md` || file === `.${wanted}` || file === `.${wanted}.md`
  );
}
