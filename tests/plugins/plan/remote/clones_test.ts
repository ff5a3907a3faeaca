import assert from "node:assert/strict";
import { join } from "node:path";
import { exists } from "../../../../src/io/paths.ts";
import { inProcess } from "../../../support/in_process.ts";
import { serveGit } from "../../../support/git_http.ts";
import { commitAll, git } from "../../../support/project.ts";
import { refrakt } from "../../../support/run.ts";
import { NOT_UNIX, testUnless } from "../../../support/skip.ts";
import { temporaryFolder } from "../../../support/temporary.ts";
import { addHook, inOwnHome, origin, withClone } from "./origin.ts";
import { itemsOf } from "../../../support/rows.ts";

inOwnHome();

Deno.test("clones of one remote never take the same item, and learn who has it", async () => {
  const { bare, clone } = origin();
  const [first, second] = [clone(), clone()];
  await withClone(first, bare, (ada) =>
    withClone(second, bare, async (bob) => {
      const [one, other] = await Promise.all([
        ada.ok("plan_claim", { assignee: "ada" }),
        bob.ok("plan_claim", { assignee: "bob" }),
      ]);
      assert.deepEqual([one.remote, other.remote], ["confirmed", "confirmed"]);
      const [a, b] = [one.items[0].id, other.items[0].id];
      assert.notEqual(a, b);
      // The claims of others are not offered, and said to be taken.
      const next = await bob.ok("plan_next", { count: 9, explain: true });
      assert.ok(!next.items.some(({ id }: { id: string }) => id === a));
      const hers = /claimed by "ada" in clone [0-9a-f]{12}, 0m ago/;
      assert.match(next.note, new RegExp(`1 taken elsewhere \\(${a} ${hers.source}\\)`));
      assert.match(next.withheldItems[0].reason, new RegExp(`^Taken elsewhere: ${hers.source}$`));
      assert.match((await bob.ok("plan_get", { id: a })).taken, hers);
      const claimed = await bob.ok("plan_list", { claimed: true });
      const row = itemsOf(claimed).find(({ id }: { id: string }) => id === a);
      assert.deepEqual([row.remoteClaim.owner, row.remoteClaim.age], ["ada", "0m"]);
      // The same owner in another clone is somebody else, too.
      for (const assignee of ["bob", "ada"]) {
        const taken = await bob.call("plan_claim", { id: a, assignee });
        assert.equal(taken.errorCode, "CONFLICT");
        assert.match(taken.content[0].text, /by "ada" in clone [0-9a-f]{12}, 0m ago/);
      }
      // Nothing changes on the remote if the file cannot be changed.
      const handover = { id: a, assignee: "bob", takeOver: "ada" };
      const wrong = await bob.call("plan_claim", { ...handover, note: "{% /work %}" });
      assert.equal(wrong.errorCode, "VALIDATION_ERROR");
      const moved = await bob.ok("plan_claim", { ...handover, note: "ada is on holiday" });
      assert.equal(moved.remote, "confirmed");
      const late = await ada.call("plan_update", { id: a, status: "done" });
      assert.equal(late.errorCode, "CONFLICT");
      assert.match(late.content[0].text, /bob/);
      assert.equal((await bob.ok("plan_update", { id: a, status: "done" })).remote, "confirmed");
      await bob.ok("plan_claim", { id: b, assignee: "bob", release: true });
      assert.equal((await ada.ok("plan_claim", { id: b, assignee: "ada" })).remote, "confirmed");
    }));
});

testUnless(
  NOT_UNIX,
  "a claim is given back if the item has changed while it was pushed",
  async () => {
    const { bare, clone } = origin(1);
    const cwd = clone();
    const path = join(cwd, "plan/work/WORK-001.md");
    addHook(bare, "update", `sed -i.bak s/ready/blocked/ '${path}'`);
    await withClone(cwd, bare, async ({ call, ok }) => {
      const claimed = await call("plan_claim", { id: "WORK-001", assignee: "ada" });
      assert.equal(claimed.errorCode, "CONFLICT");
      assert.deepEqual(itemsOf(await ok("plan_list", { claimed: true })), []);
    });
    assert.match(Deno.readTextFileSync(path), /status="blocked"/);
  },
);

Deno.test("after a crash the same owner gets its item back", async () => {
  const { bare, clone } = origin();
  const cwd = clone();
  let id = "";
  await withClone(cwd, bare, async ({ ok }) => {
    id = (await ok("plan_claim", { assignee: "ada" })).items[0].id;
  });
  // As if the server had ended between the push and the file.
  git(cwd, "checkout", "-q", "--", ".");
  const commits = () => git(bare, "rev-list", "--count", `refs/refrakt/claims/${id}`);
  assert.equal(commits(), "1");
  await withClone(cwd, bare, async ({ ok }) => {
    assert.equal((await ok("plan_claim", { assignee: "ada" })).items[0].id, id);
    assert.equal(commits(), "2", "the claim is renewed");
  });
});

Deno.test("claims and ids that the default branch has made unnecessary are removed", async () => {
  const { bare, clone } = origin();
  const cwd = clone();
  const refs = () => git(bare, "for-each-ref", "--format=%(refname)", "refs/refrakt/");
  await withClone(cwd, bare, async ({ ok }) => {
    const { id } = (await ok("plan_claim", { assignee: "ada" })).items[0];
    const made = await ok("plan_create", { type: "bug", title: "One" });
    await ok("plan_update", { id, status: "done" });
    assert.equal(refs(), `refs/refrakt/claims/${id}\nrefs/refrakt/ids/${made.id}`);
    await ok("plan_claim", { assignee: "ada" });
    assert.match(refs(), new RegExp(`claims/${id}`), "it is finished here only");
    commitAll(cwd, "Work");
    git(cwd, "push", "-q", "origin", "HEAD:main");
    const next = (await ok("plan_claim", { assignee: "bob" })).items[0].id;
    await ok("plan_create", { type: "bug", title: "Two" });
    assert.ok(!refs().includes(`claims/${id}`) && !refs().includes(made.id), refs());
    assert.ok(refs().includes(`claims/${next}`), refs());
  });
});

Deno.test("clones create different ids, also at once", async () => {
  const { bare, clone } = origin();
  const items = [{ key: "a", type: "work", title: "a" }];
  const ids: string[] = [];
  await Promise.all(
    [clone(), clone()].map((cwd) =>
      withClone(cwd, bare, async ({ ok, call }) => {
        const one = await ok("plan_create", { type: "work", title: "One" });
        assert.equal(one.unchecked, undefined);
        const several = await ok("plan_create", { items });
        ids.push(one.id, ...several.items.map(({ id }: { id: string }) => id));
        // What is refused reserves none.
        const wrong = [...items, { key: "b", type: "work", title: "b", criteria: ["x\ny"] }];
        assert.ok((await call("plan_create", { items: wrong })).isError);
      })
    ),
  );
  assert.equal(new Set(ids).size, 4, ids.join());
  assert.equal(git(bare, "for-each-ref", "refs/refrakt/ids/").split("\n").length, 4);
  // Every tool that finds a new id knows what is reserved.
  await withClone(clone(), bare, async ({ ok, call, client }) => {
    const numbers = ids.map((id) => Number(id.slice("WORK-".length)));
    const next = `WORK-${String(Math.max(...numbers) + 1).padStart(3, "0")}`;
    assert.equal((await ok("plan_next_id", { type: "work" })).nextId, next);
    const taken = await call("plan_rename", { kind: "id", from: "WORK-002", to: ids[0] });
    assert.match(taken.content[0].text, /already exists: another clone has reserved it/);
    assert.equal((await ok("plan_rename", { kind: "id", from: "WORK-001" })).to, next);
    assert.match(git(bare, "for-each-ref", "refs/refrakt/ids/"), new RegExp(`${next}$`, "m"));
    const { messages } = await client.getPrompt({ name: "plan_spec", arguments: { title: "T" } });
    assert.match(JSON.stringify(messages), /Its id will be SPEC-001/);
  });
});

Deno.test("claims on branches are not taken for branches with a plan", async () => {
  const { bare, clone } = origin();
  const [first, second] = [clone(), clone()];
  const assignee = "ada".repeat(50);
  await withClone(first, bare, async ({ ok }) => {
    const { items: [{ id }] } = await ok("plan_claim", { assignee });
    assert.equal((await ok("plan_claim", { id, assignee })).remote, "confirmed");
  }, "refs/heads/claude/refrakt/");
  git(second, "fetch", "-q");
  assert.match(git(second, "branch", "-a"), /claude\/refrakt\/claims\/WORK-001/);
  await inProcess(second, async ({ ok }) => {
    const { branches } = await ok("plan_list", { branches: true });
    assert.deepEqual(branches.leftOut ?? [], []);
    assert.equal(branches.branches, 0);
  });
});

Deno.test("claiming fails closed, and creating goes on, if the remote does not answer", async () => {
  const { clone } = origin();
  const cwd = clone();
  await withClone(cwd, "https://127.0.0.1:1/r.git", async ({ call, ok }) => {
    const refused = await call("plan_claim", { assignee: "ada" });
    assert.equal(refused.errorCode, "REMOTE_UNREACHABLE");
    assert.match(refused.hint!, /localOnly/);
    assert.equal(git(cwd, "status", "--porcelain"), "");
    const local = await ok("plan_claim", { assignee: "ada", localOnly: true });
    assert.equal(local.remote, "unconfirmed");
    const made = await ok("plan_create", { type: "bug", title: "One" });
    assert.match(made.unchecked, /not reserved/);
    const { id } = local.items[0];
    assert.equal((await ok("plan_update", { id, status: "done" })).remote, "unconfirmed");
  });
});

Deno.test("a remote that refuses pushes is REMOTE_DENIED, without its words", async () => {
  const { bare, clone } = origin();
  addHook(bare, "pre-receive", "printf 'no \\033[2Jclaims here' >&2; exit 1");
  const cwd = clone();
  await withClone(cwd, bare, async ({ call }) => {
    const answer = await call("plan_claim", { assignee: "ada" });
    assert.equal(answer.errorCode, "REMOTE_DENIED");
    assert.doesNotMatch(JSON.stringify(answer), /claims here/);
  });
  assert.equal(git(cwd, "status", "--porcelain"), "");
  // Git uses the user's global settings.
  git(cwd, "config", "--global", "http.extraHeader", "X-Mine: yes");
  const mine = new Set();
  const { url, stop } = serveGit(join(bare, ".."), {
    answer: (request) => {
      mine.add(request.headers.get("x-mine"));
      return request.url.includes("receive-pack") ? new Response("", { status: 403 }) : undefined;
    },
  });
  try {
    await withClone(cwd, `${url}/origin.git`, async ({ call }) => {
      assert.equal((await call("plan_claim", { assignee: "ada" })).errorCode, "REMOTE_DENIED");
    });
    assert.deepEqual([...mine], ["yes"]);
  } finally {
    git(cwd, "config", "--global", "--unset", "http.extraHeader");
    await stop();
  }
});

testUnless(
  NOT_UNIX,
  "a remote that takes its time to refuse is asked once, and no other call waits for it",
  async () => {
    const { bare, clone } = origin();
    const asked = join(bare, "asked");
    addHook(bare, "pre-receive", `echo once >> '${asked}'\nsleep 4\nexit 1`);
    const calls = [
      ["plan_claim", { assignee: "ada" }, "REMOTE_DENIED"],
      ["plan_create", { type: "bug", title: "One" }, undefined],
      ["plan_rename", { kind: "id", from: "WORK-003" }, undefined],
    ] as const;
    for (const [tool, input, code] of calls) {
      await withClone(clone(), bare, async ({ call, ok }) => {
        let isAnswered = false;
        const answer = call(tool, input).finally(() => isAnswered = true);
        while (!exists(asked)) await new Promise((resolve) => setTimeout(resolve, 20));
        await ok("plan_update", { id: "WORK-002", priority: "low" });
        assert.ok(!isAnswered, tool);
        assert.equal((await answer).errorCode, code, tool);
        assert.equal(Deno.readTextFileSync(asked), "once\n", tool);
        Deno.removeSync(asked);
      });
    }
  },
);

Deno.test("claims lists the claims of the remote, and frees those that are named or idle", async () => {
  const { bare, clone } = origin();
  const cwd = clone();
  const remote = ["--remote", bare];
  await withClone(cwd, bare, async ({ ok }) => {
    for (const assignee of ["ada", "bob"]) await ok("plan_claim", { assignee });
  });
  const { stdout } = await refrakt(cwd, ["claims", ...remote, "--json"]);
  const { claims } = JSON.parse(stdout);
  assert.deepEqual(claims.map(({ owner }: { owner: string }) => owner), ["ada", "bob"]);
  assert.match((await refrakt(cwd, ["claims", ...remote])).stdout, /ada, this clone on main, 0m/);
  const free = ["claims", ...remote, "--free", claims[0].id];
  assert.equal((await refrakt(cwd, free)).code, 2);
  assert.match((await refrakt(cwd, [...free, "--yes"])).stdout, /^Freed WORK-/);
  const idle = await refrakt(cwd, ["claims", ...remote, "--free-idle", "1", "--yes"]);
  assert.match(idle.stderr, /Nothing to free/);
});

Deno.test("nothing in the project's .git/config changes where and how claims are pushed", async () => {
  const { bare, clone } = origin();
  const cwd = clone();
  const mark = join(temporaryFolder(), "ran");
  const run = `sh -c 'touch ${mark}'`;
  const cases = [
    [`url.ext::${run} .insteadOf`, bare],
    [`url.ext::${run} .pushInsteadOf`, bare],
    ["remote.origin.pushurl", `ext::${run}`],
    ["core.sshCommand", run],
    ["core.hooksPath", "hooks"],
    ["core.fsmonitor", run],
    ["credential.helper", `!${run}`],
    [`credential.${bare}.helper`, `!${run}`],
    ["http.proxy", "http://127.0.0.1:9"],
    ["remote.origin.receivepack", run],
    ["remote.origin.uploadpack", run],
    ["protocol.ext.allow", "always"],
    ["push.gpgSign", "true"],
    ["gpg.program", run],
  ] as const;
  for (const [key, value] of cases) git(cwd, "config", key, value);
  Deno.mkdirSync(join(cwd, "hooks"));
  for (const name of ["pre-push", "reference-transaction", "post-index-change"]) {
    Deno.writeTextFileSync(join(cwd, "hooks", name), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
  }
  await withClone(cwd, bare, async ({ ok }) => {
    assert.equal((await ok("plan_claim", { assignee: "ada" })).remote, "confirmed");
  });
  assert.throws(() => Deno.lstatSync(mark), Deno.errors.NotFound);
  await withClone(cwd, "origin", async ({ call }) => {
    // By name, only https and ssh are used, whatever the file says.
    const { errorCode, content } = await call("plan_claim", { assignee: "ada" });
    assert.equal(errorCode, "INVALID_ARGS", content[0].text);
  });
  assert.throws(() => Deno.lstatSync(mark), Deno.errors.NotFound);
});

Deno.test("without --remote, claims and creations say how old the view of the remote is", async () => {
  const { clone } = origin();
  await withClone(clone(), undefined, async ({ ok }) => {
    const { note, remote } = await ok("plan_claim", { assignee: "ada" });
    assert.match(
      note,
      /^"origin" was last fetched \d+ minutes? ago; claims since then are unknown$/,
    );
    assert.equal(remote, undefined);
    const { unchecked } = await ok("plan_create", { type: "work", title: "One" });
    assert.match(unchecked, /^"origin" was last fetched \d+ minutes? ago: ids created since/);
  });
});
