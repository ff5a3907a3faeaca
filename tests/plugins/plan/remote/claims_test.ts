import assert from "node:assert/strict";
import { join } from "node:path";
import {
  listClaims,
  listTips,
  pushClaim,
  reserveIds,
} from "../../../../plugins/plan/remote/claims.ts";
import { openScratch, type Scratch } from "../../../../plugins/plan/remote/scratch.ts";
import { type HttpTrouble, serveGit } from "../../../support/git_http.ts";
import { temporaryFolder } from "../../../support/temporary.ts";
import { git } from "../../../support/project.ts";
import { inOwnHome } from "./origin.ts";

const { signal } = new AbortController();
inOwnHome();

/** Opens the scratch repository of one more clone. */
async function clone(remote: string): Promise<Scratch> {
  const root = temporaryFolder();
  return await openScratch({ remote, prefix: "refs/refrakt/" }, root, signal);
}

/** Serves a new bare repository over a path, or over HTTP. */
async function withRemote(
  trouble: HttpTrouble | undefined,
  work: (address: string) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder();
  git(folder, "init", "--quiet", "--bare", "r.git");
  if (trouble === undefined) return await work(`${folder}/r.git`);
  const { url, stop } = serveGit(folder, trouble);
  try {
    await work(`${url}/r.git`);
  } finally {
    await stop();
  }
}

const IDS = Array.from({ length: 3 }, (_, index) => `WORK-${index + 1}`);

/** Claims free items, in order at first and then at random, until none is left. */
async function claimAll(scratch: Scratch, owner: string): Promise<string[]> {
  const won: string[] = [];
  for (;;) {
    const claims = await listClaims(scratch);
    const free = IDS.filter((id) => claims.get(id)?.claim === undefined);
    if (free.length === 0) return won;
    for (let wanted = free[0]!; free.length > 0;) {
      const claim = { id: wanted, owner, branch: "" };
      const { undo } = await pushClaim(scratch, claim, claims.get(wanted));
      if (undo !== undefined) {
        won.push(wanted);
        break;
      }
      free.splice(free.indexOf(wanted), 1);
      wanted = free[Math.floor(Math.random() * free.length)]!;
    }
  }
}

Deno.test("clones claim items and reserve ids over HTTP that loses answers: none twice, none lost", () =>
  withRemote({ delayMs: 5, cut: 0.3 }, async (address) => {
    const owners = ["ada", "bob"];
    const done = await Promise.all(owners.map(async (owner) => {
      const scratch = await clone(address);
      const won = await claimAll(scratch, owner);
      const ids: string[] = [];
      for (let number = 1; ids.length < 2; number += 2) {
        const asked = [number, number + 1].map((one) => `BUG-${one}`).slice(0, 2 - ids.length);
        const lost = await reserveIds(scratch, asked);
        ids.push(...asked.filter((id) => !lost.includes(id)));
      }
      return { won, ids };
    }));
    assert.deepEqual(done.flatMap(({ won }) => won).sort(), IDS);
    assert.equal(new Set(done.flatMap(({ ids }) => ids)).size, 4);
    const scratch = await clone(address);
    const claims = await listClaims(scratch);
    for (const [index, owner] of owners.entries()) {
      for (const id of done[index]!.won) assert.equal(claims.get(id)?.claim?.owner, owner);
    }
    assert.equal((await listTips(scratch, "ids")).size, 4);
  }));

Deno.test("texts of a hostile remote are short, and are no claims unless they are", () =>
  withRemote(undefined, async (address) => {
    const push = (name: string, message: string) => {
      const tree = git(address, "mktree", "--missing").trim() ||
        "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
      const hash = git(address, "commit-tree", tree, "-m", message).trim();
      git(address, "update-ref", `refs/refrakt/claims/${name}`, hash);
    };
    const owner = `e\u001b[2Jvil\u202e${"x".repeat(500)}`;
    push("WORK-1", JSON.stringify({ state: "claimed", owner, clone: {}, since: "never" }));
    push("WORK-2", "no record");
    push("WORK-3", JSON.stringify(["claimed"]));
    push("WORK-4", JSON.stringify({ state: "claimed", owner: "x", pad: "y".repeat(9000) }));
    const claims = await listClaims(await clone(address));
    const { claim } = claims.get("WORK-1")!;
    assert.ok(claim!.owner.startsWith("e\u001b[2Jvil\u202exxx") && claim!.owner.length <= 200);
    assert.deepEqual([claim!.clone, claim!.since, claim!.isHere], ["", "", false]);
    for (const id of ["WORK-2", "WORK-3", "WORK-4"]) {
      assert.equal(claims.get(id)?.claim, undefined, id);
    }
  }));

Deno.test("files behind a claim of a hostile remote are not kept", () =>
  withRemote(undefined, async (address) => {
    const file = join(address, "noise");
    git(address, "config", "core.compression", "0");
    for (let part = 0; part < 530; part++) {
      const noise = crypto.getRandomValues(new Uint8Array(65_536));
      Deno.writeFileSync(file, noise, { append: true });
    }
    const blob = git(address, "hash-object", "-w", file).trim();
    git(address, "update-index", "--add", "--cacheinfo", `100644,${blob},x`);
    const record = JSON.stringify({ state: "claimed", owner: "eve", clone: "x" });
    const hash = git(address, "commit-tree", git(address, "write-tree").trim(), "-m", record);
    git(address, "update-ref", "refs/refrakt/claims/WORK-1", hash.trim());
    const scratch = await clone(address);
    assert.equal((await listClaims(scratch)).get("WORK-1")?.claim, undefined);
    assert.deepEqual([...scratch.tooLarge], [hash.trim()]);
    assert.match(git(scratch.path, "count-objects", "-v"), /^size: \d{1,2}$/m);
  }));

Deno.test("an answer that never ends is given up after 10 seconds", async () => {
  const { url, stop } = serveGit(temporaryFolder(), {
    answer: () =>
      new Response(
        new ReadableStream({
          pull: async (controller) => {
            await new Promise((resolve) => setTimeout(resolve, 500));
            controller.enqueue(new TextEncoder().encode("0"));
          },
        }),
        { headers: { "content-type": "application/x-git-upload-pack-advertisement" } },
      ),
  });
  const scratch = await clone(`${url}/r.git`);
  const start = performance.now();
  await assert.rejects(listClaims(scratch), { code: "REMOTE_UNREACHABLE" });
  assert.ok(performance.now() - start < 180_000);
  await stop();
});

Deno.test("an address that git would run or cannot reach is an error, without its password", async () => {
  const addresses = [
    ["ext::sh -c id", "INVALID_ARGS"],
    ["--upload-pack=id", "INVALID_ARGS"],
    ["git://host/r.git", "INVALID_ARGS"],
    ["https://host/a b", "INVALID_ARGS"],
    ["nowhere", "INVALID_ARGS"],
    ["https://user:a@secret@127.0.0.1:1/r.git", "REMOTE_UNREACHABLE"],
    ["/nonexistent/r.git", "REMOTE_UNREACHABLE"],
  ] as const;
  for (const [given, code] of addresses) {
    const error = await clone(given).then(listClaims).then(() => undefined, (error) => error);
    assert.equal(error?.code, code, `${given}: ${error}`);
    assert.ok(!JSON.stringify([error.message, error.hint, error.data]).includes("secret"));
  }
});
