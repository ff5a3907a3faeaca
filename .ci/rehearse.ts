/**
 * Rehearses a release: runs the steps of `.github/workflows/release.yml` in a clone of the last
 * commit, all but those that upload; then installs the package from a registry on this machine into
 * an empty `DENO_DIR`, and does there what a client does in its first minutes.
 *
 *     deno task rehearse        without the step that runs every check
 *     deno task rehearse --all  with it
 */

import { join } from "node:path";
import manifest from "../deno.json" with { type: "json" };
import { writeStdout as print } from "../src/io/pipes.ts";
import { publishToRegistry } from "../tests/support/jsr.ts";
import { ROOT } from "./run_deno.ts";

interface Step {
  readonly name: string;
  readonly command: string;
  readonly folder: string;
}

/**
 * Where the runtime's stubs cannot be downloaded, `DENORT_BIN` is Deno itself: it can be built into
 * a binary for this platform.
 */
const STUB = Deno.env.get("DENORT_BIN");

/** What is not run here, by the command, and why. */
const LEFT_OUT: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^gh |^\.\/mcp-publisher/m, "uploads, or needs what was uploaded"],
  ...(STUB === undefined ? [] : [
    [
      /^binary=/m,
      "DENORT_BIN is Deno, which does not start what is inside; tests/binary imitates it",
    ] as const,
  ]),
  ...(Deno.args.includes("--all") ? [] : [[/^\.ci\/run/, "every check: --all runs it"] as const]),
];

if (import.meta.main) Deno.exit(await main());

async function main(): Promise<number> {
  const clone = join(await Deno.makeTempDir({ prefix: "refrakt-release-" }), "clone");
  let failed = 0;
  const run = async (step: Step, env: Record<string, string> = {}) => {
    const started = performance.now();
    const { success, stdout, stderr } = await new Deno.Command("bash", {
      args: ["-e", "-o", "pipefail", "-c", step.command],
      cwd: join(clone, step.folder),
      env: { GITHUB_REF_NAME: `v${manifest.version}`, NO_COLOR: "1", ...env },
    }).output();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    print(`${success ? "ok    " : "FAILED"} ${step.name} (${seconds} s)\n`);
    if (success) return;
    failed++;
    const said = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes).trim());
    print(`${said.join("\n").split("\n").slice(-12).map((line) => `       ${line}`).join("\n")}\n`);
  };
  try {
    const { success } = await new Deno.Command("git", { args: ["clone", "-q", ROOT, clone] })
      .output();
    if (!success) throw new Error("The checkout cannot be cloned: commit, then try again");
    for (
      const step of stepsOf(Deno.readTextFileSync(join(clone, ".github/workflows/release.yml")))
    ) {
      const [, reason] = LEFT_OUT.find(([command]) => command.test(step.command)) ?? [];
      if (reason !== undefined) print(`-      ${step.name}: ${reason}\n`);
      else await run(step);
    }
    await using registry = await publishToRegistry();
    const entry = `jsr:@refrakt/mcp@^${manifest.version}`;
    await run({
      name: `A client's first minutes with ${entry}, from an empty DENO_DIR`,
      command: `deno run -A --no-check --no-lock tests/e2e/smoke.ts --entry ${entry}`,
      folder: ".",
    }, { JSR_URL: registry.url, DENO_DIR: join(clone, "../deno") });
  } finally {
    await Deno.remove(join(clone, ".."), { recursive: true });
  }
  print(
    failed === 0 ? "The release works as far as it was rehearsed\n" : `${failed} steps failed\n`,
  );
  return failed === 0 ? 0 : 1;
}

/** The steps that run commands; one that publishes only tries to. */
function stepsOf(workflow: string): Step[] {
  return workflow.split(/^ {6}- /m).slice(1).flatMap((text) => {
    const [, line, block] = /^(?: {8})?run: (?!\|)(.+)$|^(?: {8})?run: \|\n((?: {10}.*\n?)+)/m
      .exec(text) ?? [];
    const given = line ?? block?.replace(/^ {10}/gm, "").trim();
    if (given === undefined) return [];
    const compile = `deno task compile${
      STUB === undefined ? ":all" : ` --target ${Deno.build.target}`
    }`;
    const command = given.replace(/^deno publish/m, "deno publish --dry-run")
      .replace("deno task compile:all", () => compile);
    const name = /^(?: {8})?name: (.+)$/m.exec(text)?.[1] ?? command.split("\n")[0]!;
    return [{ name, command, folder: /working-directory: (.+)/.exec(text)?.[1] ?? "." }];
  });
}
