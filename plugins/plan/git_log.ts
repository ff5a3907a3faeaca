/**
 * The changes of plan files, read from git with one `log` and one `cat-file`,
 * however many commits there are.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import { type GitResult, runGit } from "../../src/sandbox/git.ts";

/** One file changed by one commit. */
export interface FileChange {
  /** The commit's full hash. */
  readonly hash: string;
  /** The author's date, ISO 8601. */
  readonly date: string;
  /** The author's name. */
  readonly author: string;
  /** The first line of the message. */
  readonly message: string;
  /** `A` added, `M` changed, `R` renamed. */
  readonly kind: "A" | "M" | "R";
  /** The file's path in the repository after the commit. */
  readonly path: string;
  /** Its path before a rename. */
  readonly oldPath: string | undefined;
  /** The blob before, where there was one. */
  readonly before: string | undefined;
  /** The blob after. */
  readonly after: string;
}

const FORMAT = "%x01%H%x02%aI%x02%aN%x02%s";

/** How changes are asked for. */
export interface ChangesQuery {
  /** The directory that git runs in, absolute. */
  readonly cwd: string;
  /** A file or folder, relative to `cwd`. */
  readonly path: string;
  /** The newest commit to look at; the current one by default. */
  readonly from?: string;
  /** Ends git when it aborts. */
  readonly signal: AbortSignal;
}

/**
 * Reads the changes, newest first.
 *
 * @throws {RefraktError} `TOOL_FAILED` outside a git repository, `PERMISSION_DENIED` without the grant.
 */
export async function readChanges(query: ChangesQuery): Promise<FileChange[]> {
  return await log(query, []);
}

/**
 * How a commit brought a file that it seems to have added: by a rename from
 * outside the folder that was asked for, or `undefined`.
 *
 * @param path The file, as git writes it.
 */
export async function readOrigin(
  query: ChangesQuery,
  path: string,
): Promise<FileChange | undefined> {
  const changes = await log(query, ["-1", "--full-diff"]);
  return changes.find((change) => change.path === path && change.kind === "R");
}

/** A rename is found among what the commit itself removed and added, so that no look-alike counts. */
async function log(query: ChangesQuery, options: readonly string[]): Promise<FileChange[]> {
  const { cwd, path, from, signal } = query;
  const result = await runGit([
    "log",
    "-z",
    "--raw",
    "--no-abbrev",
    "--find-renames",
    "--no-color",
    "-O/dev/null",
    `--format=${FORMAT}`,
    ...options,
    ...(from === undefined ? [] : [from]),
    "--",
    path,
  ], { cwd, signal });
  if (result.code !== 0) throw gitError(result);
  return parseLog(new TextDecoder().decode(result.stdout));
}

/** Reads blobs by their hashes. */
export async function readBlobs(
  cwd: string,
  hashes: Iterable<string>,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const wanted = [...new Set(hashes)];
  const blobs = new Map<string, string>();
  if (wanted.length === 0) return blobs;
  const result = await runGit(["cat-file", "--batch"], {
    cwd,
    signal,
    input: `${wanted.join("\n")}\n`,
    limit: 256 * 1024 * 1024,
  });
  if (result.code !== 0) throw gitError(result);
  const bytes = result.stdout;
  const decoder = new TextDecoder();
  let offset = 0;
  while (offset < bytes.length) {
    const end = bytes.indexOf(10, offset);
    if (end === -1) break;
    const [hash, type, size] = decoder.decode(bytes.subarray(offset, end)).split(" ");
    offset = end + 1;
    if (type === "missing" || size === undefined) continue;
    blobs.set(hash!, decoder.decode(bytes.subarray(offset, offset + Number(size))));
    offset += Number(size) + 1;
  }
  return blobs;
}

/** What a directory is in its repository. */
export interface RepositoryFacts {
  /** The directory as git writes it: relative to the root, with a slash at the end; empty for the root. */
  readonly prefix: string;
  /** Whether the repository holds only a part of its history. */
  readonly shallow: boolean;
}

/** Asks git about a directory. */
export async function readRepository(cwd: string, signal: AbortSignal): Promise<RepositoryFacts> {
  const questions = ["--is-shallow-repository", "--show-prefix"];
  const result = await runGit(["rev-parse", ...questions], { cwd, signal });
  if (result.code !== 0) throw gitError(result);
  const text = new TextDecoder().decode(result.stdout);
  const end = text.indexOf("\n");
  return {
    shallow: text.slice(0, end) === "true",
    prefix: text.slice(end + 1).replace(/\n$/, ""),
  };
}

function parseLog(text: string): FileChange[] {
  const changes: FileChange[] = [];
  const tokens = text.split("\0");
  let commit: Pick<FileChange, "hash" | "date" | "author" | "message"> | undefined;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!.replace(/^\n+/, "");
    if (token.startsWith("\x01")) {
      const [hash, date, author, ...subject] = token.slice(1).split("\x02");
      commit = { hash: hash!, date: date!, author: author!, message: subject.join(" ") };
    } else if (token.startsWith(":") && commit !== undefined) {
      const [, , before, after, status] = token.split(" ");
      const kind = status![0]!;
      const renamed = kind === "R" || kind === "C";
      const first = tokens[++index]!;
      const path = renamed ? tokens[++index]! : first;
      if (kind !== "A" && kind !== "M" && !renamed) continue;
      changes.push({
        ...commit,
        kind: renamed ? "R" : kind,
        path,
        oldPath: renamed ? first : undefined,
        before: /^0+$/.test(before!) ? undefined : before!,
        after: after!,
      });
    }
  }
  return changes;
}

function gitError(result: GitResult): RefraktError {
  const said = result.stderr.trim();
  if (/not a git repository/i.test(said)) {
    return new RefraktError("TOOL_FAILED", "The project is not in a git repository", {
      hint: "History comes from git: run git init and commit the plan.",
    });
  }
  if (/does not have any commits yet|bad default revision|ambiguous argument 'HEAD'/.test(said)) {
    return new RefraktError("TOOL_FAILED", "The git repository has no commits yet", {
      hint: "Commit the plan; its history begins there.",
    });
  }
  return new RefraktError("TOOL_FAILED", `Git failed: ${said.split("\n")[0] ?? result.code}`, {
    hint: "Run git log in a terminal to see what is wrong with the repository.",
  });
}
