/** A remote with a plan, and servers of its clones. */

import { join } from "node:path";
import { inProcess } from "../../../support/in_process.ts";
import { commitAll, git, makeProject, planFile } from "../../../support/project.ts";
import type { Asked } from "../../../support/server.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

/** A bare repository with a plan of ready items, and clones of it. */
export function origin(items = 4): { bare: string; clone: () => string } {
  const attributes = { status: "ready", priority: "high" };
  const files = Array.from(
    { length: items },
    (_, index) => planFile(`WORK-00${index + 1}`, attributes),
  );
  const cwd = makeProject(Object.assign({}, ...files));
  commitAll(cwd, "Plan");
  const bare = join(temporaryFolder(), "origin.git");
  git(cwd, "clone", "-q", "--bare", cwd, bare);
  return {
    bare,
    clone: () => {
      const path = join(temporaryFolder(), "clone");
      git(cwd, "clone", "-q", bare, path);
      return path;
    },
  };
}

/** Lets a bare repository run a script of the shell as a hook. */
export function addHook(bare: string, name: string, script: string): void {
  Deno.mkdirSync(join(bare, "hooks"), { recursive: true });
  Deno.writeTextFileSync(join(bare, "hooks", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** Serves a clone in this process. */
export function withClone(
  cwd: string,
  remote: string | undefined,
  test: (session: Asked) => Promise<void>,
  prefix = "refs/refrakt/",
): Promise<void> {
  const flags: object = remote === undefined ? {} : { remote: { remote, prefix } };
  return inProcess(cwd, test, flags);
}

/** Gives the scratch repositories of a file's clones a home folder; Deno's cache stays where it is. */
export function inOwnHome(): void {
  const { HOME = "", DENO_DIR = `${HOME}/.cache/deno` } = Deno.env.toObject();
  Deno.test.beforeAll(() => {
    Deno.env.set("DENO_DIR", DENO_DIR);
    Deno.env.set("HOME", temporaryFolder());
  });
  Deno.test.afterAll(() => Deno.env.set("HOME", HOME));
}
