import assert from "node:assert/strict";
import { checkGitArguments } from "../../src/io/git_options.ts";

Deno.test("git may be asked what the plan's tools and plugins ask", () => {
  for (
    const command of [
      "version",
      "rev-parse --is-shallow-repository --show-prefix",
      "log -z --raw --no-abbrev --find-renames --no-color -O/dev/null --format=%H -1 --full-diff HEAD -- plan",
      "log --follow --name-status --diff-merges=first-parent --since=2026-01-01 a..b -- plan/a.md",
      "show HEAD:plan/a.md",
      "cat-file --batch",
      "ls-files -z --others --exclude-standard",
      "merge-base --is-ancestor a b",
      "mv -- a -b",
      "remote get-url origin",
    ]
  ) checkGitArguments(command.split(" "));
});

Deno.test("git may be asked nothing else, and no option is taken by a part of its name", () => {
  for (
    const command of [
      "",
      "config --list",
      "-c alias.x=!id x",
      "log --output=x",
      "log --outpu=x",
      "log --ext-diff",
      "log --format=%GK",
      "log --max-count=x",
      "remote add x y",
      "remote get-url --push origin",
      "mv -f a b",
      "rev-parse --parseopt",
      "cat-file --textconv HEAD:a",
    ]
  ) {
    assert.throws(() => checkGitArguments(command.split(" ")), {
      code: "PERMISSION_DENIED",
    }, command);
  }
  assert.throws(() => checkGitArguments(["log", "--", "a\0b"]), { code: "PERMISSION_DENIED" });
});
