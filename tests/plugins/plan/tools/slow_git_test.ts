/** Programs in git's place on the path: slow ones, and those that fail in other ways. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { commitAll, makeProject, onBranch, planFile } from "../../../support/project.ts";
import { childEnvironment, withServer } from "../../../support/server.ts";
import { testUnless } from "../../../support/skip.ts";

const going = { status: "in-progress", assignee: "ada" };

/** What takes the place of git: it knows the real one as `$git`. */
const SCRIPTS: Readonly<Record<string, string>> = {
  "every call takes seven seconds": 'sleep 7; exec "$git" "$@"',
  "one question is not answered": 'case "$*" in *rev-parse*) sleep 60;; esac; exec "$git" "$@"',
  "it fails without a word": "exit 1",
  "it is killed": "kill -9 $$",
  "it says nothing, and that it has succeeded": "exit 0",
};

for (const [name, script] of Object.entries(SCRIPTS)) {
  testUnless(
    Deno.build.os === "windows" ? "the program is a shell script" : undefined,
    `plan_next and plan_claim say that branches could not be read: ${name}`,
    async () => {
      const cwd = makeProject({
        ...planFile("WORK-001", { status: "ready" }),
        ...planFile("WORK-002", { status: "ready" }),
      });
      commitAll(cwd, "Begin");
      onBranch(cwd, "feature/x", planFile("WORK-001", going));
      const bin = makeProject();
      const { PATH = "", ...others } = childEnvironment();
      const git = PATH.split(":").map((folder) => join(folder, "git")).find((path) => {
        try {
          return Deno.statSync(path).isFile;
        } catch {
          return false;
        }
      });
      const replace = (text: string) => {
        Deno.writeTextFileSync(join(bin, "git"), `#!/bin/sh\ngit=${git}\n${text}\n`);
        Deno.chmodSync(join(bin, "git"), 0o755);
      };
      replace('exec "$git" "$@"');
      const options = { env: { ...others, PATH: `${bin}:${PATH}` } };
      await withServer(cwd, async ({ ok, call }) => {
        const first = await ok("plan_next");
        assert.deepEqual([first.items[0].id, first.unchecked], ["WORK-002", undefined]);
        onBranch(cwd, "feature/y", planFile("WORK-002", going));
        replace(script);
        // Also while the failure is remembered.
        for (const _ of [1, 2]) {
          assert.match((await ok("plan_next")).unchecked, /^Branches and worktrees: /);
          const refused = await call("plan_claim", { assignee: "bob" });
          assert.equal(refused.errorCode, "UNKNOWN_ELSEWHERE");
          assert.doesNotMatch(refused.hint!, /Call again[,.]/);
        }
        const claim = { id: "WORK-002", assignee: "bob", anyway: true };
        assert.match((await ok("plan_claim", claim)).unchecked, /^Branches and worktrees: /);
        replace('exec "$git" "$@"');
        onBranch(cwd, "feature/z", planFile("WORK-003", going));
        assert.equal((await ok("plan_next")).unchecked, undefined);
      }, options);
    },
  );
}
