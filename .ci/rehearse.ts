/**
 * Rehearses a release: runs the steps of `.github/workflows/release.yml` in a clone of the last
 * commit, all but those that upload; installs the binaries with its install script, and the package
 * from a registry on this machine into an empty `DENO_DIR`, and does there what a client does in its
 * first minutes.
 *
 *     deno task rehearse
 */

import { join } from "node:path";
import manifest from "../deno.json" with { type: "json" };
import { writeStdout as print } from "../src/io/pipes.ts";
import { shellWord } from "../src/host/shell.ts";
import { publishToRegistry } from "../tests/support/jsr.ts";
import { parse } from "../tests/support/npm/yaml.ts";
import { serveFolder } from "../tests/support/release.ts";
import { ROOT } from "./run_deno.ts";

/** Deno itself, where the runtime's stubs cannot be downloaded: it makes binaries that do not start. */
const STUB = Deno.env.get("DENORT_BIN");

/** Commands that are not run here: what uploads, or needs what was uploaded. */
const LEFT_OUT = [
  /^gh |mcp-publisher/m,
  ...(STUB === undefined ? [] : [/^binary=/m]),
];

const home = await Deno.makeTempDir({ prefix: "refrakt-release-" });
const clone = join(home, "clone");
const failed: string[] = [];

async function run(command: string, cwd: string, env: Record<string, string> = {}): Promise<void> {
  print(`== ${command}\n`);
  const { success } = await new Deno.Command("bash", {
    args: ["-e", "-o", "pipefail", "-c", command],
    cwd,
    env: { GITHUB_REF_NAME: `v${manifest.version}`, NO_COLOR: "1", ...env },
  }).spawn().status;
  if (!success) failed.push(command);
}

interface Step {
  readonly run?: string;
  readonly "working-directory"?: string;
}

/** The commands of the workflow's steps; one that publishes only tries to. */
function commandsOf(workflow: string): { command: string; folder: string }[] {
  const compile = `deno task compile${STUB ? ` --target ${Deno.build.target}` : ":all"}`;
  const { jobs } = parse(workflow) as { jobs: Record<string, { steps?: Step[] }> };
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);
  return steps.flatMap(({ run = "", "working-directory": folder = "." }) => {
    const command = run.trim()
      .replace(/^deno publish/m, "deno publish --dry-run")
      .replace("deno task compile:all", () => compile);
    if (command === "" || LEFT_OUT.some((pattern) => pattern.test(command))) return [];
    return [{ command, folder }];
  });
}

await run(`git clone -q ${shellWord(ROOT, "posix")} clone`, home);
const workflow = Deno.readTextFileSync(join(clone, ".github/workflows/release.yml"));
for (const { command, folder } of commandsOf(workflow)) await run(command, join(clone, folder));
{
  await using release = serveFolder(join(clone, "dist/release"));
  for (const program of ["refrakt-mcp", "refrakt-ralph"]) {
    const args = `${program} --from ${release.url} --to ${join(home, "bin")}`;
    await run(`sh dist/release/install.sh ${args}`, clone);
  }
}
await using registry = await publishToRegistry();
const smoke = "deno run -A --no-check --no-lock tests/e2e/smoke.ts --entry";
const env = { JSR_URL: registry.url, DENO_DIR: join(home, "deno") };
await run(`${smoke} jsr:@refrakt/mcp@^${manifest.version}`, clone, env);
await Deno.remove(home, { recursive: true });
print(["", ...failed.map((one) => `Failed: ${one}`), "The rehearsal has ended", ""].join("\n"));
Deno.exitCode = failed.length === 0 ? 0 : 1;
