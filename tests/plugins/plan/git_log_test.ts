import assert from "node:assert/strict";
import { join } from "node:path";
import { createServer } from "../../../mod.ts";
import { objectReader, readBlobs } from "../../../src/io/git_objects.ts";
import { SIZE_LIMITS } from "../../../src/io/read.ts";
import { commitAll, git, makeProject, SMALL_PLAN, writeFiles } from "../../support/project.ts";
import { inProcess } from "../../support/in_process.ts";
import { childEnvironment, withServer } from "../../support/server.ts";

const FIRST = "work/WORK-001-first.md";
const PLAN = Object.fromEntries(
  Object.entries(SMALL_PLAN).map(([path, text]) => [path.replace("plan/", ""), text]),
);
const first = PLAN[FIRST]!;

/** Returns kinds and messages of an entity's events, newest first. */
async function eventsOf(cwd: string, server = createServer({ cwd })): Promise<string[]> {
  const { events } = await (await server).callTool("plan_history", { id: "WORK-001" }) as {
    events: { kind: string; message: string }[];
  };
  return events.map(({ kind, message }) => `${kind}:${message}`);
}

/** Creates a repository whose root is a plan, with two commits. */
function planRepository(): string {
  const cwd = makeProject(PLAN);
  commitAll(cwd, "begin");
  writeFiles(cwd, { [FIRST]: first.replace('"ready"', '"done"') });
  commitAll(cwd, "done");
  return cwd;
}

const STORY = ["attributes:done", "created:begin"];

Deno.test("a plan that is a submodule or a worktree has the history of that", async () => {
  const outer = () => {
    const cwd = makeProject({ "README.md": "Outer\n", ".gitignore": "plan\n" });
    commitAll(cwd, "outer");
    return cwd;
  };
  const [submodule, tree] = [outer(), outer()];
  const add = ["submodule", "add", "-f", "-q", planRepository(), "plan"];
  git(submodule, "-c", "protocol.file.allow=always", ...add);
  commitAll(submodule, "add the plan");
  git(planRepository(), "worktree", "add", "-q", join(tree, "plan"));
  for (const cwd of [submodule, tree]) assert.deepEqual(await eventsOf(cwd), STORY);
});

Deno.test("a history whose objects are missing says so, instead of being shorter", async () => {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "one");
  const file = Object.keys(SMALL_PLAN).find((path) => path.includes("WORK-001"))!;
  const blob = git(cwd, "rev-parse", `HEAD:${file}`);
  Deno.writeTextFileSync(join(cwd, file), SMALL_PLAN[file]!.replace("ready", "done"));
  commitAll(cwd, "two");
  const object = (hash: string) => join(cwd, ".git/objects", hash.slice(0, 2), hash.slice(2));
  Deno.removeSync(object(blob));
  await inProcess(cwd, async ({ ok }) => {
    const first = git(cwd, "rev-parse", "HEAD^").slice(0, 7);
    const { warnings } = await ok("plan_history");
    assert.match(warnings.join(), /1 versions? of files.*which the clone lacks/);
    assert.ok(warnings.join().includes(first));
  });
  // Another folder, of which nothing was read yet.
  const copy = join(makeProject(), "copy");
  new Deno.Command("cp", { args: ["-r", cwd, copy] }).outputSync();
  const parent = git(cwd, "rev-parse", "HEAD^");
  Deno.removeSync(join(copy, ".git/objects", parent.slice(0, 2), parent.slice(2)));
  await inProcess(copy, async ({ call }) => {
    const { errorCode, content } = await call("plan_history");
    assert.equal(errorCode, "TOOL_FAILED");
    assert.match(content[0].text, /could not read the repository: run git fsck/);
  });
});

Deno.test("the error for a partial clone says how to fetch the rest", async () => {
  const source = planRepository();
  git(source, "config", "uploadpack.allowFilter", "true");
  const parent = makeProject();
  git(parent, "clone", "-q", "--filter=blob:none", `file://${source}`, "plan");
  await assert.rejects(eventsOf(parent), { message: /partial/, hint: /--refetch --no-filter/ });
});

Deno.test("blobs are read whole however git's output is split; oversized ones are empty", async () => {
  const texts = ["", "a", "\n\n", "ä€😀\n".repeat(20_000), "x".repeat(2_000_000), "last"];
  const files = Object.fromEntries(texts.map((text, index) => [`${index}.md`, text]));
  const cwd = makeProject(files);
  commitAll(cwd, "begin");
  const bytesOf = (text: string) => new TextEncoder().encode(text).length;
  const hashes = texts.map((_, index) => git(cwd, "rev-parse", `HEAD:${index}.md`).trim());
  const expected = texts.map((
    text,
    index,
  ) => [hashes[index], bytesOf(text) > SIZE_LIMITS.plan ? "" : text]);
  const decoder = new TextDecoder();
  const read = new Map<string, string>();
  const missing = "0123456789".repeat(4);
  await readBlobs({ cwd }, [...hashes, missing], (...blob) => read.set(...blob));
  assert.deepEqual(Object.fromEntries(read), Object.fromEntries([...expected, [missing, ""]]));
  const printed = new Uint8Array(
    new Deno.Command("sh", {
      args: ["-c", 'printf "%s\\n" "$@" | git cat-file --batch', "sh", ...hashes],
      cwd,
    }).outputSync().stdout,
  );
  for (const size of [1, 41, 4096, 1_000_000, printed.length]) {
    const found: [string, string][] = [];
    const take = objectReader((hash, content) => found.push([hash, decoder.decode(content)]));
    // Larger pieces for the large blob, to save time.
    for (let at = 0; at < printed.length;) {
      const end = at + (size < 4096 && at > 1000 ? 5003 : size);
      take(printed.subarray(at, end));
      at = end;
    }
    assert.deepEqual(found, texts.map((text, index) => [hashes[index], text]), `${size}`);
  }
});

Deno.test("a missing git and a missing permission to run it have different errors", async () => {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "begin");
  const deno = Deno.execPath();
  const empty = makeProject();
  Deno.symlinkSync(deno, join(empty, "deno"));
  await withServer(cwd, async ({ call }) => {
    const answer = await call("plan_history");
    assert.match(answer.content[0].text, /Git is not installed, or not on the PATH/);
    assert.equal(answer.errorCode, "TOOL_FAILED");
  }, { env: { ...childEnvironment(), PATH: empty } });
});
