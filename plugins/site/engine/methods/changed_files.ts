/** Finds the files of a site that differ from a commit. */

import { join } from "node:path";
import { orElse } from "../../../../src/errors.ts";
import { blobHash } from "../../../../src/io/blob_hash.ts";
import { shownPath } from "../../../../src/io/paths.ts";
import { readInside } from "../../../../src/io/read.ts";
import type { Content } from "../pages/read/content_files.ts";
import type { SiteContext } from "../upstream/site.ts";

/** The files of a commit below the project. */
export interface CommitFiles {
  /** Git's object ids by path. */
  readonly ids: Readonly<Record<string, string>>;
  /** The texts of those of the files that the commit has. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** Finds the config, local runes and pages that differ, relative to the project. */
export function changedFiles(
  site: SiteContext,
  { dir, files }: Content,
  { ids }: CommitFiles,
): string[] {
  const { cwd, config } = site.project;
  const settings = [...site.localFiles, ...config === null ? [] : [config.path]];
  const present = new Set(files.map(({ shown }) => shown));
  const content = shownPath(cwd, dir);
  const removed = Object.keys(ids).filter((path) =>
    path.startsWith(`${content}/`) && path.endsWith(".md") && !present.has(path)
  );
  const all = [...settings.map((path) => shownPath(cwd, path)), ...present];
  return [...all.filter((path) => differs(cwd, path, ids)), ...removed];
}

function differs(cwd: string, path: string, ids: CommitFiles["ids"]): boolean {
  const id = Object.hasOwn(ids, path) ? ids[path]! : undefined;
  // The file may be missing, or not be read.
  const text = orElse(() => readInside(cwd, join(cwd, path), "text"), undefined);
  if (id === undefined || text === undefined) return (id === undefined) !== (text === undefined);
  // Git may check files out with other line ends than it stores.
  return [text, text.replaceAll("\r\n", "\n")].every((one) => blobHash(one, id.length) !== id);
}
