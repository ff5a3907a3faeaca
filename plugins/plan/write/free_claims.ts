/** Frees claims on the remote when a write gives their items back. */

import { quotedName, word } from "../../../src/plain_text.ts";
import { orElse, orOtherwise } from "../../../src/errors.ts";
import { noteStep, type WrittenFile, writtenFiles } from "../../../src/io/journal.ts";
import { read } from "../entity/document.ts";
import { isReady, isTask, isUnready } from "../entity/lifecycle.ts";
import { freeClaim, isOwnClaim, type RemoteCall, remoteSide } from "../remote/claims.ts";
import { claimSentence } from "../remote/known_claims.ts";

/**
 * Runs a write, and then frees what this clone has claimed of the items that it gives back to others:
 * after the lock, because other calls would wait for the network.
 *
 * @returns The write's value, and a sentence for each claim that stays.
 */
export async function freeingClaims<Value>(
  call: RemoteCall,
  work: () => Value | Promise<Value>,
): Promise<{ value: Value; staying: string[] }> {
  const value = await work();
  const files = writtenFiles();
  if (call.context.project.remote === undefined) return { value, staying: [] };
  const owners = givenBack(files);
  if (owners.size === 0) return { value, staying: [] };
  const ids = [...owners.keys()].map(word).join(", ");
  const staying = await orOtherwise(
    call.context.signal,
    () => freeOwn(call, owners),
    ({ message }) => [
      `${ids} may still be claimed on the remote: ${message}. Once it answers, plan_claim and ` +
      "release, or the command claims --free, frees what is left",
    ],
  );
  return { value, staying };
}

/** The items that a write has given back, with their owners until then. */
function givenBack(files: readonly WrittenFile[]): Map<string, string> {
  const entities = (texts: readonly (string | null)[]) =>
    texts.flatMap((text) => {
      const entity = orElse(() => read(text ?? "").entity, undefined);
      if (entity?.id === undefined || !isTask(entity)) return [];
      const { id, type, attributes: { status = "", assignee = "" } } = entity;
      return [{ id, type, status, assignee }];
    });
  const now = new Map(entities(files.map(({ after }) => after)).map((one) => [one.id, one]));
  const isFree = (one: { type: string; status: string } | undefined) =>
    one === undefined || isReady(one.type, one.status) || isUnready(one.type, one.status);
  return new Map(
    entities(files.map(({ before }) => before))
      .filter((one) => !isFree(one) && isFree(now.get(one.id)))
      .map(({ id, assignee }) => [id, assignee]),
  );
}

/** Frees items that are claimed for their owners here; says which claims are others'. */
async function freeOwn(
  call: RemoteCall,
  owners: ReadonlyMap<string, string>,
): Promise<string[]> {
  const { scratch, items } = (await remoteSide(call))!;
  const staying: string[] = [];
  for (const [id, assignee] of owners) {
    const before = items.get(id);
    const claim = before?.claim;
    if (claim === undefined) continue;
    const isOwn = isOwnClaim(claim, assignee || claim.owner);
    const undo = isOwn ? await freeClaim(scratch, id, before!) : undefined;
    if (undo !== undefined) noteStep(undo);
    else {
      const owner = quotedName(claim.owner);
      staying.push(
        `${word(id)} stays ${
          claimSentence(claim)
        }, on the remote: plan_claim with takeOver: ${owner}, ` +
          "then with release: true, frees it",
      );
    }
  }
  return staying;
}
