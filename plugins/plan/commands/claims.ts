/** `claims`: lists and frees the claims of a remote. */

import { invalidArguments } from "../entity/values.ts";
import { DAY_MS, dayOf } from "../entity/durations.ts";
import { quoted, quotedName, word } from "../../../src/plain_text.ts";
import { RefraktError } from "../../../src/errors.ts";
import { textOf, textsOf } from "../../../src/io/json.ts";
import type { CallContext } from "../../../src/plugin/context.ts";
import type { PluginCommandInput, Terminal } from "../../../src/plugin/plugin.ts";
import { lastCommitNaming } from "../git/messages.ts";
import { freeClaim, remoteSide, shownRemoteClaim } from "../remote/claims.ts";

type Claimed = Awaited<ReturnType<typeof readClaimed>>;

/** Lists the claims, or frees those that the flags name; returns the exit code. */
export async function claims({ values, terminal, open }: PluginCommandInput): Promise<number> {
  const all = await readClaimed(await open());
  const wanted = wantedOf(all, values);
  if (wanted === undefined) {
    show(all, terminal, values["json"] === true);
    return 0;
  }
  if (wanted.length === 0) {
    terminal.note("Nothing to free.\n");
    return 0;
  }
  const names = wanted.map(({ claim: { id, owner } }) => `${word(id)} of ${quoted(owner)}`)
    .join(", ");
  const agreed = values["yes"] === true || terminal.ask(`Free ${names}?`);
  if (agreed === false) return 1;
  if (agreed === undefined) {
    throw invalidArguments(`Not freed: ${names}`, "Add --yes.");
  }
  const freed: string[] = [];
  for (const { scratch, item, claim: { id } } of wanted) {
    const { undo } = await freeClaim(scratch, id, item);
    if (undo !== undefined) freed.push(id);
    else terminal.note(`${word(id)} has changed meanwhile, and stays.\n`);
  }
  if (values["json"] === true) terminal.json({ freed });
  else if (freed.length > 0) terminal.print(`Freed ${freed.join(", ")}\n`);
  return freed.length === wanted.length ? 0 : 1;
}

/** The claims on the remote, the oldest first, with the newest commits that name their items. */
async function readClaimed(context: CallContext) {
  const side = await remoteSide({ context });
  if (side === undefined) {
    throw invalidArguments("claims needs --remote", "Name a remote, such as --remote origin.");
  }
  const { scratch, items } = side;
  const { signal, project: { cwd } } = context;
  const claimed = [...items.values()]
    .flatMap((item) => item.claim === undefined ? [] : { scratch, item, claim: item.claim })
    .sort((a, b) => a.claim.since.localeCompare(b.claim.since));
  const all = [];
  // One after the other: the timeout of git counts while a call waits for others.
  for (const each of claimed) {
    all.push({ ...each, lastCommit: await lastCommitNaming({ cwd, signal }, each.claim.id) });
  }
  return all;
}

/** The claims that the flags name; `undefined` if they name none. */
function wantedOf(all: Claimed, values: PluginCommandInput["values"]): Claimed | undefined {
  const ids = textsOf(values["free"]);
  const idle = textOf(values["free-idle"]);
  if (ids.length === 0 && idle === undefined) return undefined;
  const unknown = ids.find((id) => all.every(({ claim }) => claim.id !== id));
  if (unknown !== undefined) {
    throw new RefraktError("NOT_FOUND", `${quotedName(unknown)} is not claimed on the remote`, {
      hint: "claims --remote lists what is.",
    });
  }
  const days = Number(idle ?? Infinity);
  if (Number.isNaN(days) || days <= 0) {
    throw invalidArguments(
      `Invalid value for --free-idle: ${quoted(idle ?? "")}`,
      "It must be a number of days, such as 14.",
    );
  }
  return all.filter(({ claim: { id, since }, lastCommit }) => {
    const active = [since, lastCommit?.date ?? ""].map((date) => Date.parse(date) || 0);
    return ids.includes(id) || Date.now() - Math.max(...active) > days * DAY_MS;
  });
}

function show(all: Claimed, { print, json, columns }: Terminal, isJson: boolean): void {
  const rows = all.map(({ claim, lastCommit }) => (
    { id: claim.id, ...shownRemoteClaim(claim), here: claim.isHere, lastCommit }
  ));
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
