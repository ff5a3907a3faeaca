/**
 * Claims over a git remote, with 50 ms a request: one claim, one list, and eight clones that claim
 * forty items. Prints its section of `bench/RESULTS.md`.
 *
 * Run: `deno run -A bench/remote.ts`
 */

import { join } from "node:path";
import { listClaims, pushClaim } from "../plugins/plan/remote/claims.ts";
import { openScratch, type Scratch } from "../plugins/plan/remote/scratch.ts";
import { serveGit } from "../tests/support/git_http.ts";
import { git } from "../tests/support/project.ts";
import { temporaryFolder } from "../tests/support/temporary.ts";
import { printSection, table } from "./results.ts";

const IDS = Array.from({ length: 40 }, (_, index) => `WORK-${index + 1}`);
const { signal } = new AbortController();
Deno.env.set("HOME", temporaryFolder());

const folder = temporaryFolder();
const { url, stop } = serveGit(folder, { delayMs: 50 });
const rows = [
  await measured("one claim, ms", 1, async ([one]) => void await claim(one!, "WORK-1")),
  await measured("one list, ms", 1, async ([one]) => void await listClaims(one!)),
  await measured("40 items by 8 clones, s", 1000, async (clones) => {
    await Promise.all(clones.map(claimAll));
  }, 8),
];
await stop();
const head = ["over HTTP with 50 ms a request", "time"];
printSection("Claims over a remote", table([head, ...rows]));

/** Runs work with clones of a new remote, and returns a row. */
async function measured(
  name: string,
  unit: number,
  work: (clones: Scratch[]) => Promise<void>,
  count = 1,
): Promise<string[]> {
  const remote = crypto.randomUUID();
  git(folder, "init", "--quiet", "--bare", remote);
  const address = { remote: `${url}/${remote}`, prefix: "refs/refrakt/" };
  const clones = await Promise.all(Array.from({ length: count }, async (_, index) => {
    const root = join(folder, `${remote}-${index}`);
    Deno.mkdirSync(root);
    return await openScratch(address, root, signal);
  }));
  const started = performance.now();
  await work(clones);
  return [name, ((performance.now() - started) / unit).toFixed(unit === 1 ? 0 : 1)];
}

async function claim(scratch: Scratch, id: string): Promise<boolean> {
  const seen = (await listClaims(scratch)).get(id);
  if (seen?.claim !== undefined) return false;
  const { undo } = await pushClaim(scratch, { id, owner: "bench", branch: "" }, seen);
  return undo !== undefined;
}

/** Claims free items: the first one, then any of the first eight, as `plan_claim` does. */
async function claimAll(scratch: Scratch): Promise<void> {
  for (let isFirst = true;; isFirst = false) {
    const claims = await listClaims(scratch);
    const free = IDS.filter((id) => claims.get(id)?.claim === undefined);
    if (free.length === 0) return;
    const place = isFirst ? 0 : Math.floor(Math.random() * Math.min(8, free.length));
    await claim(scratch, free[place]!);
  }
}
