/** `claims`: lists and frees the claims of a remote. */

import { shown } from "../../plain_text.ts";
import { lastCommitNaming, type NamingCommit } from "../../../plugins/plan/git/last_commit.ts";
import { freeClaim, listClaims, type RemoteItem } from "../../../plugins/plan/remote/claims.ts";
import { openRemote, shownClaim } from "../../../plugins/plan/remote/mod.ts";
import { RefraktError } from "../../errors.ts";
import { textOf, textsOf } from "../../io/json.ts";
import { wrongValue } from "../flags.ts";
import { print, printJson, printNote } from "../print.ts";
import { columns } from "../terminal.ts";
import { terminalContext } from "./context.ts";
import type { Command } from "./command.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

export const claims: Command = {
  name: "claims",
  usage: "claims",
  help: "List the claims of a remote, or free those whose owner is gone",
  examples: [
    "claims --remote origin",
    "claims --remote origin --free WORK-12",
    "claims --remote origin --free-idle 14 --yes",
  ],
  mostArgs: 0,
  run: async ({ workspace, flags: { values } }) => {
    const context = terminalContext(workspace);
    const scratch = await openRemote(context);
    if (scratch === undefined) {
      throw new RefraktError("INVALID_ARGS", "claims needs --remote", {
        hint: "Name a remote, such as --remote origin.",
      });
    }
    const items = await listClaims(scratch);
    const claimed = [...items.values()].filter(({ claim }) => claim !== undefined)
      .sort((a, b) => a.claim!.since.localeCompare(b.claim!.since));
    const place = { cwd: context.project.cwd, signal: context.signal };
    const commits = new Map<RemoteItem, NamingCommit | undefined>();
    for (const item of claimed) commits.set(item, await lastCommitNaming(place, item.claim!.id));
    const wanted = wantedOf(items, commits, values);
    if (wanted === undefined) {
      show(commits, values["json"] === true);
      return 0;
    }
    const names = wanted.map(({ claim }) => `${claim!.id} of ${claim!.owner}`);
    if (wanted.length === 0) {
      printNote("Nothing to free.\n");
      return 0;
    }
    const asks = Deno.stdin.isTerminal() && Deno.stdout.isTerminal();
    if (values["yes"] !== true && !(asks && confirm(shown(`Free ${names.join(", ")}?`)))) {
      if (asks) return 1;
      throw new RefraktError("INVALID_ARGS", `Not freed: ${names.join(", ")}`, {
        hint: "Add --yes.",
      });
    }
    const freed: string[] = [];
    for (const item of wanted) {
      if (await freeClaim(scratch, item)) freed.push(item.claim!.id);
      else printNote(`${item.claim!.id} has changed meanwhile, and stays.\n`);
    }
    if (values["json"] === true) printJson({ freed });
    else if (freed.length > 0) print(`Freed ${freed.join(", ")}\n`);
    return freed.length === wanted.length ? 0 : 1;
  },
};

/** The claims that the flags name; `undefined` if they name none. */
function wantedOf(
  items: ReadonlyMap<string, RemoteItem>,
  commits: ReadonlyMap<RemoteItem, NamingCommit | undefined>,
  values: Readonly<Record<string, unknown>>,
): RemoteItem[] | undefined {
  const ids = textsOf(values["free"]);
  const idle = textOf(values["free-idle"]);
  if (ids.length === 0 && idle === undefined) return undefined;
  const unknown = ids.find((id) => items.get(id)?.claim === undefined);
  if (unknown !== undefined) {
    throw new RefraktError("NOT_FOUND", `${unknown} is not claimed on the remote`, {
      hint: "claims --remote lists what is.",
    });
  }
  const days = Number(idle ?? Infinity);
  if (Number.isNaN(days) || days <= 0) {
    throw wrongValue("free-idle", idle, "It must be a number of days, such as 14.");
  }
  return [...commits].filter(([{ claim }, commit]) => {
    const active = Math.max(Date.parse(claim!.since) || 0, Date.parse(commit?.date ?? "") || 0);
    return ids.includes(claim!.id) || Date.now() - active > days * DAY_MS;
  }).map(([item]) => item);
}

function show(
  commits: ReadonlyMap<RemoteItem, NamingCommit | undefined>,
  json: boolean,
): void {
  const rows = [...commits].map(([{ claim }, commit]) => ({
    id: claim!.id,
    ...shownClaim(claim!),
    here: claim!.isHere,
    ...(commit === undefined ? {} : { lastCommit: { date: commit.date, text: commit.text } }),
  }));
  if (json) return printJson({ claims: rows });
  if (rows.length === 0) return print("No claims.\n");
  print(columns(rows.map(({ id, owner, clone, age = "?", branch, here, lastCommit }) => {
    const where = `${here ? "this clone" : `clone ${clone}`}${branch ? ` on ${branch}` : ""}`;
    const last = lastCommit === undefined
      ? "no commit names it"
      : `last commit ${lastCommit.date.slice(0, 10)} ${lastCommit.text}`;
    return [id, `${owner}, ${where}, ${age} ago, ${last}`];
  })));
}
