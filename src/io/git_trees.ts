/**
 * Counts what commits hold below a folder, such as the plan's, before git expands it: a few small
 * trees can name more files than memory holds. Each tree is read once, by its id, and the numbers of
 * a tree are the sums over its children. Every question about files of commits passes here.
 */

import { countAndLimit } from "../plain_text.ts";
import { Buffer } from "node:buffer";
import { RefraktError } from "../errors.ts";
import { askGit, gitOutput, type GitPlace } from "./git_ask.ts";
import {
  checkObjects,
  MOST_COMMIT,
  MOST_LARGE,
  type ObjectFacts,
  readLargeCommit,
  readObjects,
} from "./git_objects.ts";
import { inTurns, turnTaker } from "./turns.ts";

/** The most files, and levels of folders, below the folder in a commit. */
const [MOST_FILES, TREE_LEVELS] = [200_000, 16];
/** The most bytes of all their paths together: git keeps each path whole. */
const MOST_PATHS = 32 * 1024 * 1024;
/** The largest tree that is read, in bytes: one of that size has too many files, or paths. */
const MOST_TREE_BYTES = MOST_PATHS + 48 * MOST_FILES;
/** The most bytes of all trees that one question reads, and the most folders that they name. */
const [MOST_READ, MOST_FOLDERS] = [512 * 1024 * 1024, 500_000];
/** How many trees are remembered, and how many folders of theirs. */
const [MOST_KNOWN, MOST_NAMES] = [200_000, 1_000_000];

const TOO_LARGE = `It has more than ${MOST_FILES / 1000},000 files or ${TREE_LEVELS} levels of ` +
  "folders below the folder, or the folders of all commits are too many together";
const TOO_LONG = "The commit is too large to read";
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

const TOO_DEEP: Extent = { files: Infinity, folders: Infinity, levels: Infinity, paths: Infinity };
const TOO_WIDE: Tree = { files: Infinity, names: Infinity, folders: [] };

export interface PlanTrees {
  /** The plan's folder in the repository, with a trailing slash; empty for the root. */
  readonly prefix: string;
  /** By name, the folder's tree, which git may expand, or why it may not. */
  readonly trees: ReadonlyMap<string, { readonly tree: string } | { readonly failed: string }>;
  /** About how many files differ between two of the trees at most; git is not asked. */
  mostBetween(from: string, to: string): number;
}

/** The trees that were read, by directory, and how many folders they name. */
const treesByFolder = new Map<string, { readonly trees: Map<string, Tree>; names: number }>();

/** The id of the empty tree, which every repository has: the plan of a commit without one. */
export const emptyTree = ({ length }: string) =>
  length === 40
    ? "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    : "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";

/**
 * Finds the trees of the plan's folder, `place`, and counts them.
 *
 * @param names Full ids of commits, or of the trees of commits.
 */
export async function planTrees(
  place: GitPlace,
  names: Iterable<string>,
  levels: number = TREE_LEVELS,
): Promise<PlanTrees> {
  const all = [...new Set(names)];
  const prefix = (await askGit(["rev-parse", "--show-prefix"], place)).replace(/\n$/, "");
  const folderTrees = await rootTrees(place, all);
  for (const part of prefix.split("/").slice(0, -1)) await enterFolder(place, part, folderTrees);
  const sizes = new Map<string, number>();
  for (const tree of folderTrees.values()) if ("hash" in tree) sizes.set(tree.hash, tree.size);
  const { trees: read, extentOf } = await readLevels(place, sizes, levels);
  const trees = new Map<string, { tree: string } | { failed: string }>();
  for await (const name of inTurns(all, place.signal)) {
    const tree = folderTrees.get(name);
    if (tree === undefined) trees.set(name, { tree: emptyTree(name) });
    else if ("failed" in tree) trees.set(name, tree);
    else {
      const failed = whyTooLarge(extentOf(tree.hash), levels);
      trees.set(name, failed === undefined ? { tree: tree.hash } : { failed });
    }
  }
  const mostBetween = (from: string, to: string) => {
    const [before, after] = [read.get(from), read.get(to)];
    const counts = new Map<string, number>();
    for (const [hash] of before?.folders ?? []) counts.set(hash, (counts.get(hash) ?? 0) + 1);
    for (const [hash] of after?.folders ?? []) counts.set(hash, (counts.get(hash) ?? 0) - 1);
    let most = (before?.files ?? 0) + (after?.files ?? 0);
    for (const [hash, count] of counts) {
      if (count !== 0) most += Math.abs(count) * (extentOf(hash)?.files ?? 0);
    }
    return most;
  };
  return { prefix, trees, mostBetween };
}

/** The tree of a commit or of a folder in it, or why it is not read. */
type Found = Pick<ObjectFacts, "hash" | "size"> | { readonly failed: string };

/** The trees of commits, by the names of these. Sizes are asked before git reads anything. */
async function rootTrees(place: GitPlace, names: readonly string[]): Promise<Map<string, Found>> {
  const roots = new Map<string, Found>();
  const commits: string[] = [];
  const treeOf = new Map<string, string>();
  let rest = MOST_LARGE;
  for (const [name, facts] of await checkObjects(place, names)) {
    if (facts?.type === "tree") roots.set(name, facts);
    else if (facts?.type !== "commit") roots.set(name, { failed: MISSING });
    else if (facts.size <= MOST_COMMIT) commits.push(name);
    else if ((rest -= facts.size) < 0) roots.set(name, { failed: TOO_LONG });
    else treeOf.set(name, (await readLargeCommit(place, name)).tree);
  }
  if (commits.length > 0) {
    // Asked for NAME^{tree}, git reads the tree, of any size.
    const args = ["log", "--no-walk=unsorted", "--format=%T", "--stdin"];
    const output = await gitOutput(args, { ...place, input: `${commits.join("\n")}\n` });
    const trees = output.trim().split("\n");
    for (const [index, tree] of trees.entries()) treeOf.set(commits[index]!, tree);
  }
  const trees = await checkObjects(place, [...treeOf.values()]);
  for (const [name, tree] of treeOf) roots.set(name, trees.get(tree) ?? { failed: MISSING });
  return roots;
}

/** Replaces each tree by that of a folder in it, if there is one. */
async function enterFolder(place: GitPlace, folder: string, trees: Map<string, Found>) {
  const parents = new Map<string, number>();
  for (const tree of trees.values()) {
    if ("hash" in tree && tree.size <= MOST_TREE_BYTES) parents.set(tree.hash, tree.size);
  }
  const nameIn = (hash: string) => `${hash}:${folder}`;
  const below = await checkObjects(place, [...parents.keys()].map(nameIn));
  const children = new Map<string, Found>();
  const asked: string[] = [];
  let rest = MOST_READ;
  for (const [hash, size] of parents) {
    const facts = below.get(nameIn(hash));
    if (facts?.type === "tree") children.set(hash, facts);
    else if (facts === undefined && (rest -= size) >= 0) asked.push(hash);
  }
  // An entry whose object is missing is no folder either.
  const entry = Buffer.from(`${FOLDER.toString(8)} ${folder}\0`);
  await readObjects(place, asked, (hash, content) => {
    if (Buffer.from(content).includes(entry)) children.set(hash, { failed: MISSING });
  });
  for await (const [name, tree] of inTurns(trees, place.signal)) {
    if ("failed" in tree) continue;
    const child = tree.size > MOST_TREE_BYTES ? { failed: TOO_LARGE } : children.get(tree.hash);
    if (child === undefined) trees.delete(name);
    else trees.set(name, child);
  }
}

/** Throws for a commit whose folder git may not expand. */
export function treeIn(trees: PlanTrees["trees"], name: string): string {
  const planTree = trees.get(name);
  if (planTree !== undefined && "tree" in planTree) return planTree.tree;
  throw new RefraktError("TOOL_FAILED", planTree?.failed ?? MISSING, {
    hint: "Check the commit out and look below the plan's folder; run git fsck.",
  });
}

/** Why git may not expand a tree; `undefined` if it may. */
function whyTooLarge(extent: Extent | undefined, mostLevels: number): string | undefined {
  if (extent === undefined) return MISSING;
  const limits = [
    ["files", extent.files, MOST_FILES],
    ["folders", extent.folders, MOST_FILES],
    ["levels of folders", extent.levels, mostLevels],
    ["bytes of paths", extent.paths, MOST_PATHS],
  ] as const;
  for (const [things, count, most] of limits) {
    if (count <= most) continue;
    if (count === Infinity) return TOO_LARGE;
    return `It has ${countAndLimit(count, `${things} below the folder`, most)}`;
  }
  return undefined;
}

/**
 * Reads trees level by level, the smallest of each first and none below the deepest allowed, and
 * returns what adds them up.
 */
async function readLevels(place: GitPlace, sizes: ReadonlyMap<string, number>, most: number) {
  let cached = treesByFolder.get(place.cwd);
  if (cached === undefined || cached.trees.size > MOST_KNOWN || cached.names > MOST_NAMES) {
    cached = { trees: new Map(), names: 0 };
    treesByFolder.set(place.cwd, cached);
  }
  const { trees } = cached;
  const turn = turnTaker(place.signal);
  const rest = { bytes: MOST_READ, folders: MOST_FOLDERS };
  const beyond: string[] = [];
  let level = sizes;
  for (let depth = 0; depth <= most && level.size > 0; depth++) {
    const unread = [...level].filter(([hash]) => !trees.has(hash)).sort(([, a], [, b]) => a - b);
    const small: string[] = [];
    for (const [hash, size] of unread) {
      if (size > MOST_TREE_BYTES) trees.set(hash, TOO_WIDE);
      else if ((rest.bytes -= size) < 0) beyond.push(hash);
      else small.push(hash);
    }
    await readObjects(place, small, (hash, content) => {
      if (rest.folders <= 0) return void beyond.push(hash);
      const tree = treeOf(content, hash.length / 2);
      if (tree === undefined) return;
      rest.folders -= tree.folders.length;
      cached.names += tree.folders.length;
      trees.set(hash, tree);
    });
    const below = new Set<string>();
    for (const hash of level.keys()) {
      for (const [folder] of trees.get(hash)?.folders ?? []) below.add(folder);
      await turn();
    }
    const next = new Map<string, number>();
    const asked = [...below].filter((hash) => !trees.has(hash));
    for (const facts of (await checkObjects(place, asked)).values()) {
      if (facts?.type === "tree") next.set(facts.hash, facts.size);
    }
    // Known trees may have unknown ones below them.
    for (const hash of below) if (trees.has(hash)) next.set(hash, 0);
    level = next;
  }
  beyond.push(...level.keys().filter((hash) => !trees.has(hash)));
  return { trees, extentOf: extentsIn(trees, beyond) };
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
  for (const hash of beyond) extents.set(hash, TOO_DEEP);
  return (root: string): Extent | undefined => {
    // A stack in place of recursion: the trees of several commits together can be very deep.
    const stack = [root];
    for (let hash = stack.at(-1); hash !== undefined; hash = stack.at(-1)) {
      const tree = extents.has(hash) ? undefined : trees.get(hash);
      const open = (tree?.folders ?? []).filter(([folder]) => !extents.has(folder));
      if (open.length > 0) {
        for (const [folder] of open) stack.push(folder);
        continue;
      }
      stack.pop();
      if (!extents.has(hash)) extents.set(hash, tree && sumOf(tree, extents));
    }
    return extents.get(root);
  };
}

function sumOf(tree: Tree, extents: ReadonlyMap<string, Extent | undefined>): Extent | undefined {
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
