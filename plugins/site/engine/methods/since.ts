/** What differs from a commit: files of a site, and their findings. */

import { join } from "node:path";
import { orElse, RefraktError } from "../../../../src/errors.ts";
import { commitNamed, gitOutput } from "../../../../src/io/git_ask.ts";
import { blobHash, readBlobs } from "../../../../src/io/git_objects.ts";
import { planTrees } from "../../../../src/io/git_trees.ts";
import { shownPath } from "../../../../src/io/paths.ts";
import { readInside } from "../../../../src/io/read.ts";
import { quotedName } from "../../../../src/plain_text.ts";
import type { Content } from "../pages/read/content_files.ts";
import type { SiteContext } from "../upstream/site.ts";
import type { ParsedPage } from "../pages/check/parse_page.ts";
import type { Finding } from "../pages/read/diagnostics.ts";

/** The files of a commit below the project. */
export type CommitFiles = Awaited<ReturnType<typeof readCommit>>;

const MOST_FOLDER_LEVELS = 100;

/**
 * Reads the git object ids of all files below a directory in a commit.
 *
 * @param since A commit, a branch or a tag.
 * @throws {RefraktError} `PERMISSION_DENIED` without `--allow-run=git`, `TOOL_FAILED` without a commit,
 * `INVALID_ARGS` for an unknown one.
 */
export async function readCommit(cwd: string, since: string, signal: AbortSignal) {
  const place = { cwd, signal };
  const commit = await commitNamed(since, place);
  const { trees } = await planTrees(place, [commit], MOST_FOLDER_LEVELS);
  const tree = trees.get(commit);
  if (tree === undefined || "failed" in tree) {
    const why = tree?.failed ?? "it is missing";
    const message = `${quotedName(since)} cannot be compared with: ${why}`;
    throw new RefraktError("TOOL_FAILED", message, { hint: "Omit since, or run git fsck." });
  }
  const listed = await gitOutput(["ls-tree", "-r", "-z", commit], place);
  /** Git's object ids by path. */
  const ids: Record<string, string> = {};
  for (const line of listed.split("\0")) {
    const [, id, path] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    if (id !== undefined && path !== undefined) ids[path] = id;
  }
  return {
    ids,
    /** The texts of these files; `undefined` for those that the commit does not have. */
    read: async (paths: readonly string[]) => {
      const idOf = (path: string) => Object.hasOwn(ids, path) ? ids[path]! : "";
      const texts = new Map<string, string>();
      const wanted = paths.map(idOf).filter((id) => id !== "");
      await readBlobs(place, wanted, (id, text) => texts.set(id, text));
      return new Map(paths.map((path) => [path, texts.get(idOf(path))]));
    },
  };
}

/** Finds the config, local runes and pages that differ, relative to the project. */
export function changedFiles(
  site: SiteContext,
  { dir, files }: Content,
  { ids }: CommitFiles,
): string[] {
  const { cwd, config } = site.project;
  const settings = [...site.localFiles, ...config === null ? [] : [config.path]];
  const present = new Set(files.map(({ displayPath }) => displayPath));
  const content = shownPath(cwd, dir);
  const removed = Object.keys(ids).filter((path) =>
    path.startsWith(`${content}/`) && path.endsWith(".md") && !present.has(path)
  );
  const all = [...settings.map((path) => shownPath(cwd, path)), ...present];
  return [...all.filter((path) => differs(cwd, path, ids)), ...removed];
}

function differs(cwd: string, path: string, ids: CommitFiles["ids"]): boolean {
  const id = Object.hasOwn(ids, path) ? ids[path]! : undefined;
  // `undefined` for a missing or unreadable file.
  const text = orElse(() => readInside(cwd, join(cwd, path), "text"), undefined);
  if (id === undefined || text === undefined) return (id === undefined) !== (text === undefined);
  // Git may check files out with other line ends than it stores.
  return [text, text.replaceAll("\r\n", "\n")].every((variant) =>
    blobHash(variant, id.length) !== id
  );
}

interface Checked {
  readonly findings: readonly Finding[];
  readonly parsed: readonly ParsedPage[];
}

/** Returns the findings that are new, and those that are gone; lines move. */
export function newFindings(
  now: Checked,
  before: Checked,
): { readonly added: Finding[]; readonly gone: Finding[] | undefined } {
  const keyOf = ({ path, code, message }: Finding) => `${path}\0${code}\0${message}`;
  const names = newNames(before.parsed, now.parsed);
  const renamed = before.findings.map((each) => ({
    ...each,
    path: names.get(each.path) ?? each.path,
  }));
  const remaining = Map.groupBy(renamed, keyOf);
  const added = now.findings.filter((each) => remaining.get(keyOf(each))?.pop() === undefined);
  return { added, gone: [...remaining.values()].flat() };
}

/** A page with this share of a deleted page's lines counts as renamed. */
const SAME = 0.75;

/** The new names of renamed pages. */
function newNames(before: readonly ParsedPage[], now: readonly ParsedPage[]) {
  const without = (pages: readonly ParsedPage[], others: readonly ParsedPage[]) => {
    const paths = new Set(others.map(({ file }) => file.path));
    return pages.filter(({ file }) => !paths.has(file.path)).map(({ file, source }) => {
      return { name: file.displayPath, lines: new Set(source.split(/\r?\n/).filter(Boolean)) };
    });
  };
  const removed = without(before, now);
  const names = new Map<string, string>();
  for (const { name, lines } of without(now, before)) {
    const same = removed.find((each) => {
      const most = Math.max(lines.size, each.lines.size, 1);
      return !names.has(each.name) && lines.intersection(each.lines).size >= SAME * most;
    });
    if (same !== undefined) names.set(same.name, name);
  }
  return names;
}
