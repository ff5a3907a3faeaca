/** A shell where `jsr:@refrakt/mcp` is this checkout, as a registry serves it, with an empty cache. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { publishToRegistry } from "./jsr.ts";
import { makeProject } from "./project.ts";
import { childEnvironment, ROOT } from "./server.ts";

/**
 * Stubs of client programs that are not installed here: each takes the launch command from its
 * arguments and starts the server once.
 */
const CLIENT_PROGRAMS: Readonly<Record<string, string>> = {
  claude: `while [ "$1" != -- ]; do shift; done; shift; exec "$@" call refrakt_detect`,
  codex: `while [ "$1" != -- ]; do shift; done; shift; exec "$@" call refrakt_detect`,
  code: `[ "$1" = --add-mcp ] || exit 9
    exec node -e '
      const fill = (text) => text.replaceAll("\${workspaceFolder}", () => process.cwd());
      const { name, command, args } = JSON.parse(process.argv[1]);
      if (name !== "refrakt") process.exit(8);
      const run = require("node:child_process").spawnSync(
        command, [...args.map(fill), "call", "refrakt_detect"], { stdio: "inherit" });
      process.exit(run.status);
    ' "$2"`,
};

export async function registryShell() {
  const registry = await publishToRegistry();
  const home = makeProject();
  const bin = join(home, "bin");
  Deno.mkdirSync(bin);
  Deno.symlinkSync(Deno.execPath(), join(bin, "deno"));
  for (const [name, script] of Object.entries(CLIENT_PROGRAMS)) {
    Deno.writeTextFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const env = {
    ...childEnvironment(),
    NO_COLOR: "1",
    JSR_URL: registry.url,
    DENO_DIR: Deno.env.get("REFRAKT_DENO_DIR") ?? join(home, "deno"),
    // Building a binary needs an executable of this platform; the runtime itself will do.
    DENORT_BIN: Deno.execPath(),
    PATH: `${bin}:${dirname(Deno.execPath())}:${Deno.env.get("PATH")}`,
    // The repository that the README clones is the checkout.
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `url.${ROOT}.insteadOf`,
    GIT_CONFIG_VALUE_0: "https://github.com/refrakt-md/mcp",
  };
  return {
    /** A folder for the files of a test, removed with it. */
    home,
    /** Runs shell lines in a folder, with empty stdin; fails unless they exit with 0. */
    run: async (cwd: string, lines: string) => {
      const script = lines.replaceAll("/path/to/project", () => cwd)
        // The test's registry replaces the one that code may be imported from.
        .replaceAll("jsr.io:443", () => new URL(registry.url).host);
      const { code, ...output } = await new Deno.Command("bash", {
        args: ["-e", "-O", "expand_aliases", "-c", script],
        cwd,
        env,
        stdin: "null",
      }).output();
      const [stdout, stderr] = [output.stdout, output.stderr].map((bytes) =>
        new TextDecoder().decode(bytes)
      ) as [string, string];
      assert.equal(code, 0, `${lines}\n${stderr.slice(-1500)}`);
      return { stdout, stderr };
    },
    [Symbol.asyncDispose]: async () => {
      await registry[Symbol.asyncDispose]();
      Deno.removeSync(home, { recursive: true });
    },
  };
}
