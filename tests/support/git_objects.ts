/** Objects of git as no git command makes them, and what git's processes take. */

import { Buffer } from "node:buffer";

/** An entry of a tree: mode, name and object. */
export type Entry = readonly [mode: string, name: string, hash: string];

export const [FILE, FOLDER] = ["100644", "40000"];

/** Writes an object, also one that git would not accept. */
export function writeObject(cwd: string, type: string, content: string | Uint8Array): string {
  const fast = ["-c", "core.looseCompression=1"];
  const args = [...fast, "hash-object", "-w", "--literally", "-t", type, "--stdin"];
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

/** Writes a commit with any message. */
export function writeCommit(
  cwd: string,
  tree: string,
  parents: readonly string[],
  message: Uint8Array,
): string {
  const who = `Ada <ada@example.com> ${Math.floor(Date.now() / 1000)} +0000`;
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`)];
  const head = [...lines, `author ${who}`, `committer ${who}`, "", ""].join("\n");
  return writeObject(cwd, "commit", Buffer.concat([Buffer.from(head), message]));
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
  }, 200);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return peak;
}

/** Adds commits after HEAD, each with another text of a file, and branches that name them in turn. */
export function addHistory(cwd: string, path: string, commits: number, branches: number): void {
  const file = (index: number) => `M 644 inline ${path}\ndata ${`${index}`.length}\n${index}\n\n`;
  const who = (index: number) => `committer Ada <ada@example.com> ${1_700_000_000 + index} +0000`;
  const from = withInput(cwd, ["rev-parse", "HEAD"], "");
  const rows = Array.from(
    { length: commits },
    (_, index) =>
      `commit refs/heads/main\nmark :${index + 1}\n${who(index)}\ndata 1\nx\n${
        index === 0 ? `from ${from}\n` : ""
      }${file(index)}`,
  );
  const marks = Deno.makeTempFileSync();
  withInput(cwd, ["fast-import", "--quiet", `--export-marks=${marks}`], rows.join(""));
  const ids = Deno.readTextFileSync(marks).trim().split("\n").map((row) => row.split(" ")[1]!);
  Deno.removeSync(marks);
  const refs = Array.from(
    { length: branches },
    (_, index) => `${ids[index % commits]} refs/heads/b/${`${index}`.padStart(6, "0")}\n`,
  );
  const header = "# pack-refs with: peeled fully-peeled sorted \n";
  Deno.writeTextFileSync(`${cwd}/.git/packed-refs`, header + refs.join(""));
}
