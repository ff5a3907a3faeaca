/** The versions of a plan's files on two branches, as a merge of the branches would meet them. */

import { turnTaker } from "../../../src/io/turns.ts";
import { countAndLimit } from "../../../src/plain_text.ts";
import { RefraktError } from "../../../src/errors.ts";
import type { GitPlace } from "../../../src/io/git_ask.ts";
import { readBlobs } from "../../../src/io/git_objects.ts";
import { read } from "../entity/document.ts";
import { inPlan } from "./events.ts";
import { readDifferences, readRepository } from "./log.ts";
import { mergeBase } from "./refs.ts";
import type { UnmergedFile } from "./stages.ts";

/** The most files that a side may have changed. */
const MOST_FILES = 1_000;

/** A file that at least one side has changed, with the id of its entity. */
export interface BranchFile extends UnmergedFile {
  /** The path, where the file has no entity. */
  readonly id: string;
}

/** What a side has made of a file; no text where it has removed it, no base where it is new. */
interface Change {
  readonly path: string;
  readonly base: string | undefined;
  readonly text: string | undefined;
}

/**
 * Reads the files that two commits have changed since their merge base. Files are matched by the
 * ids of their entities, so that one may have moved.
 *
 * @throws {RefraktError} `NOT_FOUND` without a merge base, `VALIDATION_ERROR` for too many files.
 */
export async function readBranches(
  place: GitPlace,
  ours: string,
  theirs: string,
): Promise<BranchFile[]> {
  const [{ prefix }, base] = await Promise.all([
    readRepository(place),
    mergeBase(place, ours, theirs, undefined),
  ]);
  if (base === undefined) {
    throw new RefraktError("NOT_FOUND", "The two have no common ancestor", {
      hint: "In a shallow clone, git fetch --unshallow brings it.",
    });
  }
  const { differences, failed } = await readDifferences(place, [[ours, base], [theirs, base]]);
  const [why] = failed.values();
  if (why !== undefined) throw new RefraktError("VALIDATION_ERROR", `Git cannot compare: ${why}`);
  const lists = [ours, theirs].map((commit) =>
    (differences.find(({ hash }) => hash === commit)?.changes ?? [])
      .filter(({ path }) => path.endsWith(".md"))
  );
  const most = Math.max(...lists.map(({ length }) => length));
  if (most > MOST_FILES) {
    throw new RefraktError(
      "VALIDATION_ERROR",
      `Too much differs: ${countAndLimit(most, "files of the plan", MOST_FILES)}`,
    );
  }
  const texts = new Map<string, string>();
  const blobs = lists.flat().flatMap(({ before, after }) => before.concat(after ?? []));
  await readBlobs(place, blobs, (blob, text) => texts.set(blob, text));
  const turn = turnTaker(place.signal);
  const sides = lists.map(async (changes) => {
    const byId = new Map<string, Change>();
    for (const { path: inRepository, before, after } of changes) {
      const path = inPlan(prefix, inRepository);
      const [base, text] = [before[0], after].map((blob) => blob && texts.get(blob));
      const id = read(text ?? base ?? "").entity?.id ?? path;
      const known = byId.get(id);
      byId.set(id, {
        path: text === undefined ? known?.path ?? path : path,
        base: known?.base ?? base,
        text: known?.text ?? text,
      });
      await turn();
    }
    return byId;
  });
  const [a, b] = await Promise.all(sides);
  return [...new Set([...a!.keys(), ...b!.keys()])].sort().map((id) => {
    const [own, other] = [a!.get(id), b!.get(id)];
    const { path, base } = own ?? other!;
    return {
      id,
      path,
      base,
      ours: own === undefined ? base : own.text,
      theirs: other === undefined ? base : other.text,
    };
  });
}
