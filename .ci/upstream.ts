/**
 * Compares the server with refrakt's newest source: clones and builds it (a minute and a half), and
 * runs the comparison tests on its own repository.
 *
 *     deno task upstream             # the newest commit
 *     deno task upstream v0.29.0     # a tag or a branch
 *     deno task upstream ../refrakt  # a checkout that is built already
 */

import { join, resolve } from "node:path";
import { statIfExists } from "../src/io/files.ts";
import { ROOT } from "./run_deno.ts";

const REPOSITORY = "https://github.com/refrakt-md/refrakt";

const [wanted = "main"] = Deno.args;
const isFolder = wanted.includes("/") && statIfExists(wanted)?.isDirectory === true;
const folder = isFolder ? resolve(wanted) : await build(wanted);
Deno.env.set("REFRAKT_UPSTREAM", folder);
await run(ROOT, Deno.execPath(), "test", "-A", "--no-check", "tests/e2e/upstream_test.ts");

/** Clones a tag or branch and builds it; returns the folder. */
async function build(name: string): Promise<string> {
  const clone = join(await Deno.makeTempDir({ prefix: "refrakt-upstream-" }), "refrakt");
  await run(ROOT, "git", "clone", "--quiet", "--depth", "1", "--branch", name, REPOSITORY, clone);
  await run(clone, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts");
  await run(clone, "npm", "run", "build");
  return clone;
}

async function run(cwd: string, command: string, ...args: string[]): Promise<void> {
  const { success } = await new Deno.Command(command, {
    args,
    cwd,
    stdout: "inherit",
    stderr: "inherit",
  }).spawn().status;
  if (!success) throw new Error(`${command} ${args.join(" ")} failed`);
}
