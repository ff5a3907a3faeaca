import assert from "node:assert/strict";
import { join } from "node:path";
import { gitArguments, withDisplay, withoutFilters } from "../../src/io/git_settings.ts";
import { git, makeProject } from "../support/project.ts";

Deno.test("git trusts the folders up to the repository's own, and no others", () => {
  const cwd = makeProject({ "sub/inner/a.md": "a" });
  git(cwd, "init", "-q");
  const safe = gitArguments(["log"], join(cwd, "sub/inner"))
    .filter((arg) => arg.startsWith("safe.directory="));
  assert.deepEqual(
    safe,
    [join(cwd, "sub/inner"), join(cwd, "sub"), cwd].map((folder) => `safe.directory=${folder}`),
  );
});

Deno.test("what shows texts is told not to do so by programs", () => {
  assert.ok(withDisplay(["log", "-p"]).includes("--no-textconv"));
  assert.deepEqual(withDisplay(["ls-files", "-z"]), ["ls-files", "-z"]);
});

Deno.test("every filter that git lists is turned off, whatever its name", () => {
  const listed = "filter.a.clean\0filter.b=c.d.process\0filter.a.required\0";
  const { GIT_CONFIG_COUNT, ...rest } = withoutFilters(new TextEncoder().encode(listed));
  assert.equal(GIT_CONFIG_COUNT, "8");
  const keys = Object.entries(rest).filter(([name]) => name.startsWith("GIT_CONFIG_KEY_"));
  assert.deepEqual(keys.map(([, key]) => key), [
    ...["filter.a.clean", "filter.a.smudge", "filter.a.process", "filter.a.required"],
    ...["clean", "smudge", "process", "required"].map((name) => `filter.b=c.d.${name}`),
  ]);
});
