/** A repository whose configuration starts a program wherever git can start one. */

import { join } from "node:path";
import { commitAll, exists, git, makeProject, SMALL_PLAN, writeFiles } from "./project.ts";

/** Creates the repository; `marks` returns the names of the programs that ran. */
export function hostileRepository(): { cwd: string; marks: () => string[] } {
  const wrong = SMALL_PLAN["plan/bugs/BUG-001-crash.md"]!;
  const { "plan/bugs/BUG-001-crash.md": _moved, ...rest } = SMALL_PLAN;
  const cwd = makeProject({ ...rest, "plan/bugs/crash.md": wrong });
  commitAll(cwd, "one");
  const first = "plan/work/WORK-001-first.md";
  writeFiles(cwd, { [first]: SMALL_PLAN[first]!.replace('status="ready"', 'status="done"') });
  git(cwd, "commit", "-q", "-a", "-m", "two");
  addSignedMerge(cwd, first);
  const folder = join(cwd, "marks");
  Deno.mkdirSync(folder);
  const program = join(cwd, "evil.sh");
  Deno.writeTextFileSync(program, `#!/bin/sh\ntouch "${folder}/$1"\n[ "$1" = remote ] || cat\n`, {
    mode: 0o755,
  });
  // Git runs it directly, without a shell.
  const gpg = join(cwd, "gpg.sh");
  Deno.writeTextFileSync(gpg, `#!/bin/sh\ntouch "${folder}/gpg"\n`, { mode: 0o755 });
  const hooks = join(cwd, "hooks");
  Deno.mkdirSync(hooks);
  const cases = ["post-index-change", "pre-commit", "post-checkout", "reference-transaction"];
  for (const hook of cases) {
    Deno.writeTextFileSync(join(hooks, hook), `#!/bin/sh\ntouch "${folder}/hook-${hook}"\n`, {
      mode: 0o755,
    });
  }
  const programs = `
    core.fsmonitor core.pager core.editor core.sshCommand core.askPass core.gitProxy
    core.alternateRefsCommand pager.log diff.external diff.evil.command diff.evil.textconv
    filter.evil.clean filter.evil.smudge filter.a=b.process merge.evil.driver
    gpg.ssh.defaultKeyCommand trailer.x.command`;
  for (const key of programs.trim().split(/\s+/)) {
    git(cwd, "config", "--add", key, `${program} ${key.split(".").at(-1)}`);
  }
  const settings = {
    "core.hooksPath": hooks,
    "alias.log": `!${program} alias`,
    "alias.cat-file": `!${program} alias`,
    "filter.evil.required": "true",
    "gpg.program": gpg,
    "gpg.ssh.program": gpg,
    "log.showSignature": "true",
    "log.diffMerges": "remerge",
    "diff.submodule": "diff",
    "core.excludesFile": "~/ignored",
    "log.showRoot": "false",
    "diff.renames": "false",
    "diff.orderFile": program,
    "credential.helper": `!${program} credential`,
    "protocol.allow": "always",
    "protocol.ext.allow": "always",
    "remote.origin.url": `ext::${program} remote`,
    "remote.origin.promisor": "true",
    "extensions.partialClone": "origin",
  };
  for (const [key, value] of Object.entries(settings)) git(cwd, "config", "--add", key, value);
  const attributes = "* filter=evil diff=evil merge=evil\nplan/bugs/* filter=a=b\n";
  writeFiles(cwd, {
    ".gitattributes": attributes,
    ".git/info/attributes": attributes,
    "extra.config": `[diff "evil"]\n\ttextconv = ${program} included\n`,
  });
  git(cwd, "config", "include.path", join(cwd, "extra.config"));
  // One outside is read, too.
  const more = join(makeProject(), "more.config");
  Deno.writeTextFileSync(more, `[core]\n\tfsmonitor = ${program} conditional\n`);
  git(cwd, "config", "includeIf.gitdir:/.path", more);
  // Git reads a file's content only if its times differ from the index.
  const later = new Date(Date.now() + 5000);
  for (const file of [first, "plan/bugs/crash.md"]) Deno.utimeSync(join(cwd, file), later, later);
  return {
    cwd,
    marks: () => exists(folder) ? [...Deno.readDirSync(folder)].map((mark) => mark.name) : [],
  };
}

/** Creates a branch `side` with a signed last commit and a merge conflict. */
function addSignedMerge(cwd: string, path: string): void {
  const start = git(cwd, "rev-parse", "HEAD");
  const variant = (text: string) => {
    writeFiles(cwd, { [path]: text });
    git(cwd, "commit", "-q", "-a", "-m", "variant");
    const commit = git(cwd, "rev-parse", "HEAD");
    git(cwd, "reset", "-q", "--hard", start);
    return commit;
  };
  const parents = [variant("one\n"), variant("two\n")];
  const who = "Ada <ada@example.com> 1700000000 +0000";
  writeFiles(cwd, {
    "commit": [
      `tree ${git(cwd, "rev-parse", `${start}^{tree}`)}`,
      ...parents.map((parent) => `parent ${parent}`),
      `author ${who}`,
      `committer ${who}`,
      "gpgsig -----BEGIN PGP SIGNATURE-----",
      " ",
      " c2lnbmVk",
      " -----END PGP SIGNATURE-----",
      "",
      "merge\n",
    ].join("\n"),
  });
  git(
    cwd,
    "update-ref",
    "refs/heads/side",
    git(cwd, "hash-object", "-t", "commit", "-w", "commit"),
  );
  Deno.removeSync(join(cwd, "commit"));
}
