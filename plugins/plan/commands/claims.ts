/** `claims`: lists and frees the claims of a remote. */

import { DAY_MS, dayOf } from "../entity/durations.ts";
import { quoted, quotedName, word } from "../../../src/plain_text.ts";
import { RefraktError } from "../../../src/errors.ts";
import { textOf, textsOf } from "../../../src/io/json.ts";
import type { PluginCommandInput, Terminal } from "../../../src/plugin/plugin.ts";
import { lastCommitNaming, type NamingCommit } from "../git/messages.ts";
import { freeClaim, type RemoteItem, remoteSide, shownRemoteClaim } from "../remote/claims.ts";

/** Lists the claims, or frees those that the flags name; returns the exit code. */
export async function claims({ values, terminal, open }: PluginCommandInput): Promise<number> {
  const context = await open();
  const side = await remoteSide({ context });
  if (side === undefined) {
    throw new RefraktError("INVALID_ARGS", "claims needs --remote", {
      hint: "Name a remote, such as --remote origin.",
    });
  }
  const { scratch, items } = side;
  const claimed = [...items.values()].filter(({ claim }) => claim !== undefined)
    .sort((a, b) => a.claim!.since.localeCompare(b.claim!.since));
  const place = { cwd: context.project.cwd, signal: context.signal };
  const commits = new Map<RemoteItem, NamingCommit | undefined>();
  for (const item of claimed) commits.set(item, await lastCommitNaming(place, item.claim!.id));
  const wanted = wantedOf(items, commits, values);
  if (wanted === undefined) {
    show(commits, terminal, values["json"] === true);
    return 0;
  }
  const names = wanted.map(({ claim }) => `${word(claim!.id)} of ${quoted(claim!.owner)}`);
  if (wanted.length === 0) {
    terminal.note("Nothing to free.\n");
    return 0;
  }
  const agreed = values["yes"] === true || terminal.ask(`Free ${names.join(", ")}?`);
  if (agreed === false) return 1;
  if (agreed === undefined) {
    throw new RefraktError("INVALID_ARGS", `Not freed: ${names.join(", ")}`, {
      hint: "Add --yes.",
    });
  }
  const freed: string[] = [];
  for (const item of wanted) {
    const { undo } = await freeClaim(scratch, item.claim!.id, item);
    if (undo !== undefined) freed.push(item.claim!.id);
    else terminal.note(`${word(item.claim!.id)} has changed meanwhile, and stays.\n`);
  }
  if (values["json"] === true) terminal.json({ freed });
  else if (freed.length > 0) terminal.print(`Freed ${freed.join(", ")}\n`);
  return freed.length === wanted.length ? 0 : 1;
}

/** The claims that the flags name; `undefined` if they name none. */
function wantedOf(
  items: ReadonlyMap<string, RemoteItem>,
  commits: ReadonlyMap<RemoteItem, NamingCommit | undefined>,
  values: PluginCommandInput["values"],
): RemoteItem[] | undefined {
  const ids = textsOf(values["free"]);
  const idle = textOf(values["free-idle"]);
  if (ids.length === 0 && idle === undefined) return undefined;
  const unknown = ids.find((id) => items.get(id)?.claim === undefined);
  if (unknown !== undefined) {
    throw new RefraktError("NOT_FOUND", `${quotedName(unknown)} is not claimed on the remote`, {
      hint: "claims --remote lists what is.",
    });
  }
  const days = Number(idle ?? Infinity);
  if (Number.isNaN(days) || days <= 0) {
    throw new RefraktError("INVALID_ARGS", `Invalid value for --free-idle: ${quoted(idle ?? "")}`, {
      hint: "It must be a number of days, such as 14.",
    });
  }
  return [...commits].filter(([{ claim }, commit]) => {
    const active = Math.max(Date.parse(claim!.since) || 0, Date.parse(commit?.date ?? "") || 0);
    return ids.includes(claim!.id) || Date.now() - active > days * DAY_MS;
  }).map(([item]) => item);
}

function show(
  commits: ReadonlyMap<RemoteItem, NamingCommit | undefined>,
  { print, json, columns }: Terminal,
  isJson: boolean,
): void {
  const rows = [...commits].map(([{ claim }, commit]) => ({
    id: claim!.id,
    ...shownRemoteClaim(claim!),
    here: claim!.isHere,
    lastCommit: commit,
  }));
  if (isJson) return json({ claims: rows });
  if (rows.length === 0) return print("No claims.\n");
  print(columns(rows.map(({ id, owner, clone, age = "?", branch, here, lastCommit }) => {
    const where = `${here ? "this clone" : `clone ${clone}`}${branch ? ` on ${branch}` : ""}`;
    const last = lastCommit === undefined
      ? "no commit names it"
      : `last commit ${dayOf(lastCommit.date)} ${lastCommit.text}`;
    return [id, `${owner}, ${where}, ${age} ago, ${last}`];
  })));
}
