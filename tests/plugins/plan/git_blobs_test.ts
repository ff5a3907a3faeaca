import assert from "node:assert/strict";
import { blobReader, readBlobs } from "../../../plugins/plan/git_blobs.ts";
import { SIZE_LIMITS } from "../../../src/io/read.ts";
import { commitAll, git, makeProject } from "../../support/project.ts";

Deno.test("blobs are read whole however git's output is cut; what is larger than an entity is empty", async () => {
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
  const read: [string, string | undefined][] = [];
  const missing = "0123456789".repeat(4);
  await readBlobs(cwd, [...hashes, missing], (...blob) => read.push(blob));
  assert.deepEqual(read, [...expected, [missing, undefined]]);
  const printed = new Uint8Array(
    new Deno.Command("sh", {
      args: ["-c", 'printf "%s\\n" "$@" | git cat-file --batch', "sh", ...hashes],
      cwd,
    }).outputSync().stdout,
  );
  for (const size of [1, 41, 4096, 1_000_000, printed.length]) {
    const found: [string, string | undefined][] = [];
    const take = blobReader((...blob) => found.push(blob));
    // The large one is fed in larger pieces, for the time that it takes.
    for (let at = 0; at < printed.length;) {
      const end = at + (size < 4096 && at > 1000 ? 5003 : size);
      take(printed.subarray(at, end));
      at = end;
    }
    assert.deepEqual(found, expected, `${size}`);
  }
});
