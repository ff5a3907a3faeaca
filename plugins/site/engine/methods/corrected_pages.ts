/** Pages with the certain corrections of their findings, in memory. */

import { editsOf, type Finding } from "../pages/read/diagnostics.ts";
import { resolve } from "node:path";
import { mayWrite } from "../../../../src/io/permissions.ts";
import { applyEdits } from "../../../../src/markdoc/edits.ts";
import { folded } from "../pages/read/follows.ts";

/** A page that is corrected. */
export interface CorrectedPage {
  /** Relative to the project. */
  readonly path: string;
  /** As it was read. */
  readonly source: string;
  readonly text: string;
  /** The number of corrections. */
  readonly count: number;
}

/**
 * Applies the corrections of findings to the pages that they are about.
 *
 * @param corrected By path; gets the pages.
 * @param folder The project, if only pages are corrected that may be written.
 * @returns Whether there were any.
 */
export function correct(
  findings: readonly Finding[],
  sourceOf: (path: string) => string | undefined,
  corrected: Map<string, CorrectedPage>,
  folder: string | undefined,
): boolean {
  const certain = folded(findings).filter((each) => editsOf(each).length > 0);
  const edited = [...Map.groupBy(certain, ({ path }) => path)].filter(([path, onPage]) => {
    const source = sourceOf(path);
    if (source === undefined || folder !== undefined && !mayWrite(resolve(folder, path))) {
      return false;
    }
    const { text, count } = corrected.get(path) ?? { text: source, count: 0 };
    const next = applyEdits(text, onPage.map(editsOf));
    if (next === undefined) return false;
    corrected.set(path, { path, source, text: next.text, count: count + next.count });
    return true;
  });
  return edited.length > 0;
}
