/**
 * What git may be asked here: a few sub-commands that look, with the options that
 * print differently or choose commits, and `mv`. Whatever is not in the list is
 * refused, because git's options start programs, write files and read others in ways
 * that no list of the bad ones keeps up with.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";

/** What a sub-command takes. */
interface Subcommand {
  /** Options by their whole name; git's abbreviations are refused. */
  readonly options: readonly string[];
  /** Options that have a value after `=`, and what it may be. */
  readonly values?: Readonly<Record<string, RegExp>>;
  /** Short options with their value: `-n5`, `-Sword`. */
  readonly short?: RegExp;
  /** The first argument that it must have. */
  readonly first?: string;
}

const ANY = /^[^\0]*$/;
const NUMBER = /^\d{1,9}$/;

const HISTORY: Subcommand = {
  options: [
    ...["--all", "--branches", "--tags", "--merges", "--no-merges", "--first-parent"],
    ...["--reverse", "--follow", "--date-order", "--topo-order", "--author-date-order"],
    ...["--ancestry-path", "--full-history", "--simplify-merges", "--parents", "--no-walk"],
    ...["--name-only", "--name-status", "--raw", "--stat", "--shortstat", "--numstat"],
    ...["--summary", "--patch", "-p", "-u", "--no-patch", "-s", "-z", "--full-diff", "--root"],
    ...["--no-color", "--no-abbrev", "--no-decorate", "--no-notes", "--no-mailmap", "--oneline"],
    ...["--find-renames", "-M", "--no-renames", "--no-ext-diff", "--no-textconv", "-m", "-c"],
    ...["--cc", "--pickaxe-regex", "--pickaxe-all", "-i", "-E", "-F", "-q", "--quiet"],
    ...["--regexp-ignore-case", "--extended-regexp", "--fixed-strings", "--no-show-signature"],
    // Their values are the argument that follows, which is no option of git's then.
    ...["-n", "-S", "-G", "--since", "--after", "--until", "--before", "--max-count", "--skip"],
    ...["--format", "--author", "--grep"],
  ],
  values: {
    "--format": /^(?!.*%G)[^\0]*$/s,
    "--pretty": /^(?!.*%G)[^\0]*$/s,
    "--date": /^[\w:%.+/ -]*$/,
    "--since": ANY,
    "--after": ANY,
    "--until": ANY,
    "--before": ANY,
    "--author": ANY,
    "--committer": ANY,
    "--grep": ANY,
    "--max-count": NUMBER,
    "--skip": NUMBER,
    "--abbrev": NUMBER,
    "--unified": NUMBER,
    "--diff-filter": /^[A-Za-z]*$/,
    "--find-renames": /^\d+%?$/,
    "--color": /^never$/,
    "--decorate": /^(no|short|full)$/,
    // A remerge writes objects and runs merge drivers.
    "--diff-merges": /^(off|none|on|m|first-parent|1|separate|c|combined|cc|dense-combined)$/,
  },
  short: /^-(\d+|n\d+|U\d+|M\d+%?|[SG][^\0]+|O\/dev\/null)$/s,
};

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  "log": HISTORY,
  "show": HISTORY,
  "cat-file": {
    options: ["--batch", "--batch-check", "--batch-all-objects", "-p", "-t", "-s", "-e"],
    values: { "--batch": ANY, "--batch-check": ANY },
  },
  "rev-parse": {
    options: [
      ...["--is-shallow-repository", "--is-inside-work-tree", "--is-bare-repository"],
      ...["--show-prefix", "--show-toplevel", "--show-cdup", "--abbrev-ref", "--verify"],
      ...["--quiet", "-q", "--short", "--git-dir", "--absolute-git-dir", "--git-common-dir"],
    ],
    values: { "--short": NUMBER, "--abbrev-ref": /^(strict|loose)$/ },
  },
  "ls-files": {
    options: [
      ...["-z", "-c", "--cached", "-d", "--deleted", "-m", "--modified", "-o", "--others"],
      ...["-s", "--stage", "-t", "--full-name", "--error-unmatch", "--exclude-standard"],
      ...["--directory", "-i", "--ignored", "-u", "--unmerged"],
    ],
  },
  "ls-tree": { options: ["-r", "-z"] },
  "merge-base": { options: ["--is-ancestor", "-a", "--all", "--octopus", "--independent"] },
  "mv": { options: ["-k", "-n", "--dry-run", "-v", "--verbose"] },
  "remote": { options: [], first: "get-url" },
  "version": { options: [] },
};

/**
 * Makes sure that git may be run with these arguments.
 *
 * @throws {RefraktError} `PERMISSION_DENIED`, with what may be asked.
 */
export function checkGitArguments(args: readonly string[]): void {
  const [name = "", ...rest] = args;
  const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  if (subcommand === undefined) {
    throw refused(`Git may not run "${name}" here`, [
      `The sandbox runs ${Object.keys(SUBCOMMANDS).join(", ")}.`,
    ]);
  }
  const { first, options } = subcommand;
  if (first !== undefined && rest[0] !== first) {
    throw refused(`Git may not run "${name}" here but with "${first}"`, [
      `Write ${name} ${first}.`,
    ]);
  }
  const end = rest.indexOf("--");
  for (const arg of end === -1 ? rest : rest.slice(0, end)) {
    if (!isAllowed(arg, subcommand)) {
      throw refused(`Git may not be given "${arg}" here`, [
        "Options that start programs, write files or reach others are off in the sandbox, and " +
        "options are written in full.",
        options.length === 0 ? "It takes none." : `${name} takes ${options.join(", ")}.`,
      ]);
    }
  }
  const nul = rest.find((arg) => arg.includes("\0"));
  if (nul !== undefined) throw refused("Git may not be given a NUL byte here", []);
}

function isAllowed(arg: string, { options, values = {}, short }: Subcommand): boolean {
  // A revision, a path, or the value of the option before it.
  if (!arg.startsWith("-") || arg === "-") return true;
  if (options.includes(arg) || short?.test(arg)) return true;
  const equals = arg.indexOf("=");
  const name = arg.slice(0, equals);
  return equals > 0 && Object.hasOwn(values, name) && values[name]!.test(arg.slice(equals + 1));
}

function refused(message: string, hints: string[]): RefraktError {
  return new RefraktError("PERMISSION_DENIED", message, {
    ...(hints.length === 0 ? {} : { hint: hints.join(" ") }),
  });
}
