/** The start of the desktop bundle where it uses npx: on Windows, or as if on Windows. */

import assert from "node:assert/strict";
import { delimiter, join } from "node:path";
import { ROOT } from "../support/server.ts";
import { runDeno } from "../../.ci/run_deno.ts";
import { runProcess } from "../support/process.ts";
import { makeProject, readTree, writeFiles } from "../support/project.ts";

const IS_WINDOWS = Deno.build.os === "windows";
const SYSTEM_FOLDER = "C:\\Windows\\System32";

/** Elsewhere, a program that prints its arguments stands for cmd. */
const AS_WINDOWS = IS_WINDOWS ? [] : [
  "--import",
  "data:text/javascript,Object.defineProperty(process,'platform',{value:'win32'})",
];

Deno.test("the bundle's start passes no path to cmd that cmd would interpret", async () => {
  const home = makeProject();
  const start = await runDeno(ROOT, ["bundle", "--quiet", "--platform=deno", ".ci/mcpb_start.ts"]);
  writeFiles(home, {
    "start.mjs": start,
    "bin/cmd": '#!/bin/sh\nprintf "%s\\n" "$@"\n',
    "bin/npx.cmd": "@echo %*\r\n",
  });
  if (!IS_WINDOWS) Deno.chmodSync(join(home, "bin/cmd"), 0o755);
  const node = (await runProcess("node", ["-p", "process.execPath"], home)).stdout.trim();
  // Without Deno.
  const path = [join(home, "bin"), ...(IS_WINDOWS ? [SYSTEM_FOLDER] : [])].join(delimiter);
  const env = { PATH: path, HOME: home, USERPROFILE: home };
  const root = IS_WINDOWS ? "C:\\" : "/";
  const run = (name: string) =>
    runProcess(
      node,
      [...AS_WINDOWS, "start.mjs", `${root}${name}`, "run", "--allow-read={folder}"],
      home,
      undefined,
      env,
    );
  const before = readTree(home);
  for (
    const name of ["R&echo>ran&D", "R|echo>ran", "a^b", "%PATH%", "a (%PATH%)", "(a)", "a!PATH!"]
  ) {
    const { code, stdout, stderr } = await run(name);
    assert.equal(code, 1, name);
    assert.equal(stdout, "", name);
    assert.ok(
      stderr.startsWith(`Error: cmd cannot pass this on: --allow-read=${root}${name}.\n`),
      stderr,
    );
    assert.match(stderr, /Install Deno/);
  }
  assert.deepEqual(readTree(home), before);
  for (const name of ["site", "R & D (draft)"]) {
    const { code, stdout } = await run(name);
    assert.equal(code, 0);
    assert.match(stdout.replaceAll(/\s+/g, " "), /-y deno@\d+\.\d+\.\d+ run "?--allow-read=/);
    assert.ok(stdout.includes(`--allow-read=${root}${name}`), stdout);
  }
});
