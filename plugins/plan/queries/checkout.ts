/** Which of several worktrees a plan lies in, as the first write of a session says. */

import { isInside, shownPath } from "../../../src/io/paths.ts";
import { quotedName } from "../../../src/plain_text.ts";
import type { PlanPlace } from "../store/place.ts";
import { readWorktrees, type Worktree } from "../git/refs.ts";

/** How many other worktrees are named. */
const MOST_NAMED = 3;

/** Names the checkout of a plan and the other ones, once a session; `undefined` without others. */
export async function checkoutOf(
  { cwd, dir, git, context }: PlanPlace,
): Promise<string | undefined> {
  const key = ["told checkouts", ...context.session === undefined ? [] : [context.session]];
  const told = git.memo(key, () => new Set<string>());
  if (told.has(dir)) return undefined;
  const worktrees = await readWorktrees(git).catch(() => []);
  const [here] = worktrees.filter(({ path }) => isInside(path, dir))
    .sort((a, b) => b.path.length - a.path.length);
  if (here === undefined || worktrees.length === 1) return undefined;
  told.add(dir);
  const others = worktrees.filter((worktree) => worktree !== here).map((worktree) =>
    named(shownPath(cwd, worktree.path), worktree)
  );
  const rest = others.length - MOST_NAMED;
  const list = others.slice(0, MOST_NAMED).concat(rest > 0 ? [`${rest} more`] : []).join(", ");
  return `Written in ${named(here.path, here)}; other worktrees: ${list}`;
}

function named(path: string, { branch }: Worktree): string {
  return `${quotedName(path)} (${branch === undefined ? "no branch" : quotedName(branch)})`;
}
