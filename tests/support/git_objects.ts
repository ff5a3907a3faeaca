/** Objects of git as no git command makes them, and what git's processes take. */

import { Buffer } from "node:buffer";

/** An entry of a tree: mode, name and object. */
export type Entry = readonly [mode: string, name: string, hash: string];

export const [FILE, FOLDER] = ["100644", "40000"];

/** Writes an object, also one that git would not accept. */
export function writeObject(cwd: string, type: string, content: string | Uint8Array): string {
  const args = ["hash-object", "-w", "--literally", "-t", type, "--stdin"];
  return withInput(cwd, args, content);
}

/** Writes a tree of entries in the given order. */
export function writeTree(cwd: string, entries: readonly Entry[]): string {
  const parts = entries.flatMap(([mode, name, hash]) => [
    Buffer.from(`${mode} ${name}\0`),
    Buffer.from(hash, "hex"),
  ]);
  return writeObject(cwd, "tree", Buffer.concat(parts));
}

/** Writes folders in each other, each with a number of entries for the one below. */
export function nestedTrees(
  cwd: string,
  levels: number,
  width: number,
  leaf: Entry,
  nameOf: (index: number) => string = (index) => `d${index}`,
  mode: string = FOLDER!,
): string {
  let entry: readonly [string, string] = [leaf[0], leaf[2]];
  let tree = "";
  for (let level = 0; level < levels; level++) {
    const names = Array.from({ length: width }, (_, index) => nameOf(index)).sort();
    tree = writeTree(cwd, names.map((name) => [entry[0], name, entry[1]]));
    entry = [mode, tree];
  }
  return tree;
}

function withInput(cwd: string, args: readonly string[], input: string | Uint8Array): string {
  const file = Deno.makeTempFileSync();
  try {
    Deno.writeFileSync(file, typeof input === "string" ? Buffer.from(input) : input);
    const command = ["-c", 'exec git "$@" < "$0"', file, ...args];
    const { code, stdout, stderr } = new Deno.Command("sh", { args: command, cwd }).outputSync();
    if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout).trim();
  } finally {
    Deno.removeSync(file);
  }
}

/** The git processes that work below a folder, with the most memory that each had, in MB. */
export function gitProcesses(folder: string): { readonly pid: number; readonly peak: number }[] {
  return Array.from(Deno.readDirSync("/proc")).flatMap(({ name }) => {
    try {
      if (Deno.readTextFileSync(`/proc/${name}/comm`).trim() !== "git") return [];
      if (!Deno.readLinkSync(`/proc/${name}/cwd`).startsWith(folder)) return [];
      const status = Deno.readTextFileSync(`/proc/${name}/status`);
      const [, peak] = /^VmHWM:\s+(\d+) kB/m.exec(status) ?? [];
      // A process that has ended has no memory.
      return peak === undefined ? [] : [{ pid: Number(name), peak: Number(peak) / 1024 }];
    } catch {
      return [];
    }
  });
}

/** Runs something, and returns the most memory that a process of git had meanwhile, in MB. */
export async function gitPeak(folder: string, work: () => Promise<void>): Promise<number> {
  let peak = 0;
  const timer = setInterval(() => {
    for (const one of gitProcesses(folder)) peak = Math.max(peak, one.peak);
  }, 10);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return peak;
}
