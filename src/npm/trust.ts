/**
 * Decides about a package that the project names, before it is imported: by its place and its real
 * name, as `gate.ts` judges every import, and by whether it is refrakt's own.
 *
 * Only the scope `@refrakt-md` as published on npm is trusted. Code from the repository is not: with
 * `--allow-run=git` it would get the user's full rights.
 */

import { join } from "node:path";
import { DEFAULT_POLICY } from "../project/code_policy.ts";
import {
  type Distrust,
  isOurs,
  misplaced,
  neededBy,
  refusal,
  renamed,
  trustedName,
  unlessTrusted,
} from "./gate.ts";
import { originOf, type PackageVersion } from "./package.ts";
import { placeOf } from "./place.ts";
import { askGit } from "./tracked.ts";

/**
 * Returns why a package may not run in this process, or `undefined` if it may.
 *
 * @param found What would be imported, after resolution.
 */
export async function distrust(found: PackageVersion): Promise<Distrust | undefined> {
  const { name, folder, root, code = DEFAULT_POLICY } = found;
  if (originOf(found) === "embedded") return undefined;
  if (root !== undefined && folder !== undefined) {
    await askGit(folder.path);
    const place = placeOf(join(folder.link, "package.json"));
    const wrong = unlessTrusted(misplaced(place), code.trusted) ??
      unlessTrusted(renamed(place, name), code.trusted);
    // Trusting the project's code is enough for its own packages, whoever wrote them.
    if (wrong !== undefined || place.kind === "project") return wrong;
  }
  // A package that is not installed is imported from npm or not at all.
  if (isOurs(name)) return undefined;
  const foreign = { trustedAs: [trustedName(name)], reason: `${name} is not refrakt's own` };
  return unlessTrusted(foreign, code.trusted);
}

/**
 * Rejects an untrusted package.
 *
 * @throws {RefraktError} `CODE_NOT_TRUSTED`, with the ways to allow it.
 */
export async function requireTrust(found: PackageVersion): Promise<void> {
  const why = await distrust(found);
  if (why !== undefined) throw neededBy(found.name, refusal(why));
}
