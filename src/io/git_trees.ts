/**
 * Counts what commits hold below a folder, such as the plan's, before git expands it: a few small
 * trees can name more files than memory holds. Each tree is read once, by its id, and the numbers of
 * a tree are the sums over its children. Every question about files of commits passes here.
 */

import { Buffer } from "node:buffer";
import { RefraktError } from "../errors.ts";
import { askGit, type GitPlace } from "./git_ask.ts";
import { checkObjects, readObjects } from "./git_objects.ts";

/** The most files, and levels of folders, below the folder in a commit. */
const [MOST_FILES, MOST_LEVELS] = [200_000, 16];
/** The most bytes of all their paths together: git keeps each path whole. */
const MOST_PATHS = 32 * 1024 * 1024;
/** The largest tree that is read, in bytes: one of that size has too many files, or paths. */
const MOST_BYTES = MOST_PATHS + 48 * MOST_FILES;
/** How many trees are remembered. */
const MOST_KNOWN = 200_000;

const TOO_MUCH = `more than ${MOST_FILES / 1000},000 files or ${MOST_LEVELS} levels of folders ` +
  "below the plan's folder";
const TOO_LARGE = `It has ${TOO_MUCH}`;
const MISSING = "Objects are missing or damaged: run git fsck";

/** A tree without its subtrees, which are listed with the lengths of their names. */
interface Tree {
  readonly files: number;
  readonly names: number;
  readonly folders: readonly (readonly [hash: string, name: number])[];
}

/** A tree with everything below it. */
interface Extent {
  readonly files: number;
  readonly folders: number;
  readonly levels: number;
  readonly paths: number;
}

const SPACE = 0x20;
/** The kind of an entry in its mode. */
const [KIND, FOLDER] = [0o170000, 0o040000];

const BEYOND: Extent = { files: Infinity, folders: Infinity, levels: Infinity, paths: Infinity };
const TOO_WIDE: Tree = { files: Infinity, names: Infinity, folders: [] };

/** What the plan's folder is in a commit: a tree that git may expand, or why it may not. */
export type PlanTree = { readonly tree: string } | { readonly failed: string };

export interface PlanTrees {
  /** The plan's folder in the repository, with a trailing slash; empty for the root. */
  readonly prefix: string;
  /** By the given names. */
  readonly trees: ReadonlyMap<string, PlanTree>;
}

/** The trees that were read, by directory. */
const known = new Map<string, Map<string, Tree>>();

/** Git knows it without having it: the folder of a commit without a plan. */
export const emptyTree = ({ length }: string) =>
  length === 40
    ? "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    : "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";

/**
 * Finds the trees of the plan's folder, and counts them.
 *
 * @param place The plan's folder.
 * @param names Full ids of commits, or of the trees of commits.
 * @param levels The most levels of folders that are allowed.
 * @param folder Another folder of the repository, with a trailing slash; empty for its root.
 */
export async function planTrees(
  place: GitPlace,
  names: Iterable<string>,
  levels: number = MOST_LEVELS,
  folder?: string,
): Promise<PlanTrees> {
  const all = [...new Set(names)];
  const asked = all.flatMap((name) => [`${name}^{tree}`, `${name}:${folder ?? "./"}`]);
  const [printed, facts] = await Promise.all([
    askGit(["rev-parse", "--show-prefix"], place),
    checkObjects(place, asked),
  ]);
  const plans = all.map((_, index) => {
    const plan = facts[2 * index + 1];
    return plan?.type === "tree" ? plan : undefined;
  });
  const prefix = folder ?? printed.replace(/\n$/, "");
  const without = all.filter((_, index) =>
    facts[2 * index] !== undefined && plans[index] === undefined
  );
  const damaged = await withoutObject(place, without, prefix);
  const sizes = new Map(
    plans.flatMap((plan) => plan === undefined ? [] : [[plan.hash, plan.size]]),
  );
  const extentOf = await readLevels(place, sizes, levels);
  const trees = all.map((name, index): readonly [string, PlanTree] => {
    if (facts[2 * index] === undefined || damaged.has(name)) return [name, { failed: MISSING }];
    const plan = plans[index];
    if (plan === undefined) return [name, { tree: emptyTree(name) }];
    const extent = extentOf(plan.hash);
    if (extent === undefined) return [name, { failed: MISSING }];
    return [name, isTooLarge(extent, levels) ? { failed: TOO_LARGE } : { tree: plan.hash }];
  });
  return { prefix, trees: new Map(trees) };
}

/** Of commits where git finds no plan folder, returns those that name one whose object is missing. */
async function withoutObject(
  place: GitPlace,
  names: readonly string[],
  prefix: string,
): Promise<ReadonlySet<string>> {
  const parts = prefix.split("/").slice(0, -1);
  const above = parts.map((_, index) => parts.slice(0, index).join("/"));
  const facts = await checkObjects(
    place,
    names.flatMap((name) => above.map((path) => `${name}:${path}`)),
  );
  /** The lowest folder that exists, and what is looked for in it. */
  const lowest = names.map((_, index) => {
    const folders = facts.slice(index * above.length, (index + 1) * above.length);
    const at = folders.findLastIndex((one) => one?.type === "tree" && one.size <= MOST_BYTES);
    return at === -1 ? undefined : { hash: folders[at]!.hash, name: parts[at]! };
  });
  const wanted = new Set(lowest.flatMap((one) => one?.hash ?? []));
  const naming = new Set<string>();
  await readObjects(place, [...wanted], (hash, content) => {
    for (const name of parts) {
      const entry = Buffer.from(`${FOLDER.toString(8)} ${name}\0`);
      if (Buffer.from(content).includes(entry)) naming.add(`${hash} ${name}`);
    }
  });
  return new Set(names.filter((_, index) => {
    const one = lowest[index];
    return one !== undefined && naming.has(`${one.hash} ${one.name}`);
  }));
}

/** Throws for a commit whose folder git may not expand. */
export function treeIn(trees: PlanTrees["trees"], name: string): string {
  const found = trees.get(name);
  if (found !== undefined && "tree" in found) return found.tree;
  throw new RefraktError("TOOL_FAILED", found?.failed ?? MISSING, {
    hint: "Check the commit out and look below the plan's folder; run git fsck.",
  });
}

function isTooLarge({ files, folders, levels, paths }: Extent, most: number): boolean {
  return files > MOST_FILES || folders > MOST_FILES || levels > most || paths > MOST_PATHS;
}

/** Reads trees level by level, none below the deepest allowed, and returns what adds them up. */
async function readLevels(
  place: GitPlace,
  sizes: ReadonlyMap<string, number>,
  most: number,
): Promise<(hash: string) => Extent | undefined> {
  let found = known.get(place.cwd);
  if (found === undefined || found.size > MOST_KNOWN) {
    found = new Map();
    known.set(place.cwd, found);
  }
  const trees = found;
  let level = sizes;
  for (let depth = 0; depth <= most && level.size > 0; depth++) {
    const unread = [...level].filter(([hash]) => !trees.has(hash));
    for (const [hash, size] of unread) if (size > MOST_BYTES) trees.set(hash, TOO_WIDE);
    const small = unread.filter(([, size]) => size <= MOST_BYTES).map(([hash]) => hash);
    await readObjects(place, small, (hash, content) => {
      const tree = treeOf(content, hash.length / 2);
      if (tree !== undefined) trees.set(hash, tree);
    });
    const below = new Set<string>();
    for (const hash of level.keys()) {
      for (const [folder] of trees.get(hash)?.folders ?? []) below.add(folder);
    }
    const next = new Map<string, number>();
    const asked = [...below].filter((hash) => !trees.has(hash));
    for (const facts of await checkObjects(place, asked)) {
      if (facts?.type === "tree") next.set(facts.hash, facts.size);
    }
    // Known trees may have unknown ones below them.
    for (const hash of below) if (trees.has(hash)) next.set(hash, 0);
    level = next;
  }
  return extentsIn(trees, [...level.keys()].filter((hash) => !trees.has(hash)));
}

/** Parses a tree object: modes, names and hashes; `undefined` if git could not. */
function treeOf(content: Uint8Array, hashBytes: number): Tree | undefined {
  let [files, names] = [0, 0];
  const folders: (readonly [string, number])[] = [];
  for (let at = 0; at < content.length;) {
    // As git reads it: any number of digits, of which the last ones count.
    let mode = 0;
    for (; content[at] !== SPACE; at++) {
      const digit = (content[at] ?? 0) - 0x30;
      if (digit < 0 || digit > 7) return undefined;
      mode = (mode << 3) + digit & 0xffff;
    }
    const name = at + 1;
    const end = content.indexOf(0, name);
    at = end + 1 + hashBytes;
    if (end <= name || at > content.length) return undefined;
    if ((mode & KIND) === FOLDER) {
      folders.push([content.subarray(end + 1, at).toHex(), end - name]);
    } else {
      files++;
      names += end - name;
    }
  }
  return { files, names, folders };
}

/** Returns a function that adds up a tree; it returns `undefined` if an object is missing. */
function extentsIn(trees: ReadonlyMap<string, Tree>, beyond: Iterable<string>) {
  const extents = new Map<string, Extent | undefined>();
  for (const hash of beyond) extents.set(hash, BEYOND);
  return (root: string): Extent | undefined => {
    // Without recursion, because commits can have trees on top of each other's.
    const stack = [root];
    for (let hash = stack.at(-1); hash !== undefined; hash = stack.at(-1)) {
      const folders = trees.get(hash)?.folders ?? [];
      const open = extents.has(hash) ? [] : folders.filter(([folder]) => !extents.has(folder));
      if (open.length > 0) {
        for (const [folder] of open) stack.push(folder);
        continue;
      }
      stack.pop();
      if (!extents.has(hash)) extents.set(hash, sumOf(trees.get(hash), extents));
    }
    return extents.get(root);
  };
}

function sumOf(
  tree: Tree | undefined,
  extents: ReadonlyMap<string, Extent | undefined>,
): Extent | undefined {
  if (tree === undefined) return undefined;
  let [files, folders, levels, paths] = [tree.files, tree.folders.length, 0, tree.names];
  for (const [folder, name] of tree.folders) {
    const extent = extents.get(folder);
    if (extent === undefined) return undefined;
    files += extent.files;
    folders += extent.folders;
    levels = Math.max(levels, extent.levels + 1);
    paths += extent.paths + (name + 1) * (extent.files + extent.folders);
  }
  return { files, folders, levels, paths };
}
