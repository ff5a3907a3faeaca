/** The install scripts of a release, with files as its workflow makes them, from a local server. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import manifest from "../../deno.json" with { type: "json" };
import { type Run, runProcess } from "../support/process.ts";
import { releaseCommand, serveFolder } from "../support/release.ts";
import { ROOT } from "../support/server.ts";
import { NOT_UNIX, testUnless } from "../support/skip.ts";
import { temporaryFolder } from "../support/temporary.ts";

const TAG = `v${manifest.version}`;
const PROGRAMS = ["refrakt-mcp", "refrakt-ralph"];
const PLATFORMS = ["x86_64", "aarch64"]
  .flatMap((cpu) => [`${cpu}-unknown-linux-gnu`, `${cpu}-apple-darwin`]);

/** A release's files: small programs in place of binaries, and what the workflow adds to them. */
async function releaseFiles(): Promise<string> {
  const folder = temporaryFolder();
  const release = join(folder, "dist/release");
  Deno.mkdirSync(release, { recursive: true });
  for (const name of PROGRAMS) {
    for (const platform of PLATFORMS) {
      Deno.writeTextFileSync(join(release, `${name}-${platform}`), `#!/bin/sh\necho ${name}\n`);
    }
  }
  for (const script of ["install.sh", "install.ps1"]) {
    Deno.copyFileSync(join(ROOT, script), join(folder, script));
  }
  const run = async (step: string, cwd: string) => {
    const args = ["-e", "-c", releaseCommand(step)];
    const { code, stderr } = await runProcess("bash", args, cwd, undefined, {
      GITHUB_REF_NAME: TAG,
    });
    assert.equal(code, 0, stderr);
  };
  await run("Add the install scripts", folder);
  await run("Write the checksums", release);
  return release;
}

/** A PATH with a few programs alone, some of them replaced. */
function pathOf(names: readonly string[], scripts: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder();
  for (const name of names) {
    const found = ["/usr/bin", "/bin"].map((each) => join(each, name)).find((path) => {
      try {
        return Deno.statSync(path).isFile;
      } catch {
        return false;
      }
    });
    if (found !== undefined) Deno.symlinkSync(found, join(folder, name));
  }
  for (const [name, script] of Object.entries(scripts)) {
    Deno.writeTextFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return folder;
}

const TOOLS = "sh bash uname mktemp sed cat cut rm mkdir cp mv chmod ls sysctl".split(" ");
const SUMS = ["sha256sum", "shasum"];

testUnless(NOT_UNIX, "install.sh installs a release's binary, and prints its entry", async (t) => {
  const release = await releaseFiles();
  await using server = serveFolder(release);
  const script = join(release, "install.sh");
  const install = (args: readonly string[], env: Record<string, string> = {}): Promise<Run> =>
    runProcess("/bin/sh", [script, "--from", server.url, ...args], release, undefined, env);
  const refused = async (
    why: RegExp,
    to: string,
    args: readonly string[] = [],
    env: Record<string, string> = {},
  ) => {
    const before = [...contents(to)];
    const { code, stdout, stderr } = await install(["--to", to, ...args], env);
    assert.equal(code, 1, stdout);
    assert.match(stderr, why);
    assert.deepEqual([...contents(to)], before, "nothing was installed");
  };

  await t.step("both programs, twice", async () => {
    const to = join(temporaryFolder(), "a folder", "bin");
    for (
      const [name, server] of [["refrakt-mcp", "refrakt"], ["refrakt-ralph", "ralph"]] as const
    ) {
      const { code, stdout, stderr } = await install([name, "--to", to]);
      assert.equal(code, 0, stderr);
      const { mcpServers } = JSON.parse(stdout.slice(stdout.indexOf("{")));
      const { command } = mcpServers[server];
      assert.equal(command, join(to, name));
      assert.match(stdout, /add .* to the PATH/);
      assert.equal((await runProcess(command, [], to)).stdout, `${name}\n`);
      const again = await install([name, "--to", to], { PATH: `${Deno.env.get("PATH")}:${to}` });
      assert.match(again.stdout, /^\S.* is already installed\.\n\nPut this/);
    }
    assert.deepEqual([...contents(to).keys()].sort(), PROGRAMS);
  });

  await t.step("in place of another file only with --force", async () => {
    const to = temporaryFolder();
    Deno.writeTextFileSync(join(to, "refrakt-mcp"), "mine");
    await refused(/refrakt-mcp exists, and is another version or file\nTo replace it/, to);
    assert.equal((await install(["--to", to, "--force"])).code, 0);
    assert.equal((await runProcess(join(to, "refrakt-mcp"), [], to)).stdout, "refrakt-mcp\n");
    const folder = temporaryFolder();
    Deno.mkdirSync(join(folder, "refrakt-mcp"));
    await refused(/refrakt-mcp is a folder/, folder, ["--force"]);
  });

  await t.step("for the machine that it is", async () => {
    for (
      const [system, cpu, platform] of [
        ["Linux", "amd64", "x86_64-unknown-linux-gnu"],
        ["Linux", "aarch64", "aarch64-unknown-linux-gnu"],
        ["Darwin", "arm64", "aarch64-apple-darwin"],
        ["Darwin", "x86_64", "x86_64-apple-darwin"],
      ]
    ) {
      const uname = `[ "$1" = -m ] && echo ${cpu} || echo ${system}`;
      const env = { PATH: `${pathOf([], { uname, sysctl: "exit 1" })}:/usr/bin:/bin` };
      const { stdout } = await install(["--to", temporaryFolder()], env);
      assert.match(stdout, new RegExp(`Downloading \\S+/refrakt-mcp-${platform}\\n`));
    }
    for (const uname of ["echo FreeBSD", '[ "$1" = -m ] && echo riscv64 || echo Linux']) {
      const env = { PATH: `${pathOf([], { uname })}:/usr/bin:/bin` };
      await refused(/No binary for .* on .*\n.*npx/, temporaryFolder(), [], env);
    }
  });

  await t.step("not without a permission, a network, or tools", async () => {
    const to = temporaryFolder();
    Deno.writeTextFileSync(join(to, "file"), "");
    await refused(/No permission to write in .*file\/bin\nChoose .*--to/, join(to, "file/bin"));
    await refused(/Could not download http:\S+\/SHA256SUMS\nCheck the network/, to, [
      "--from",
      "http://127.0.0.1:1",
    ]);
    await refused(/Neither curl nor wget/, to, [], { PATH: pathOf([...TOOLS, ...SUMS]) });
    await refused(/Neither sha256sum nor shasum/, to, [], { PATH: pathOf([...TOOLS, "curl"]) });
    await refused(/Unknown argument: ralph\n.*refrakt-ralph/, to, ["ralph"]);
    await refused(/--from needs a value/, to, ["--from"]);
  });

  await t.step("with wget, and with the checksums of macOS", async () => {
    for (const programs of [["wget", ...SUMS], ["curl", "shasum", "perl"]]) {
      const path = pathOf([...TOOLS, ...programs]);
      if (programs.some((name) => name !== "sha256sum" && !contents(path).has(name))) continue;
      const { code, stderr } = await install(["--to", temporaryFolder()], { PATH: path });
      assert.equal(code, 0, stderr);
    }
  });

  await t.step("not with a wrong or missing checksum", async () => {
    const to = temporaryFolder();
    const sums = join(release, "SHA256SUMS");
    const right = Deno.readTextFileSync(sums);
    Deno.writeTextFileSync(sums, right.replaceAll(/^./gm, (digit) => digit === "0" ? "1" : "0"));
    await refused(/The checksum of refrakt-mcp-\S+ is wrong\nNothing was installed/, to);
    Deno.writeTextFileSync(sums, right.replaceAll("refrakt-mcp", "other"));
    await refused(/SHA256SUMS has no checksum of refrakt-mcp-/, to);
    Deno.removeSync(sums);
    await refused(/Could not download .*SHA256SUMS/, to);
  });

  await t.step("and nothing of a download that broke off", async () => {
    const text = Deno.readTextFileSync(script);
    for (const part of [0.2, 0.5, 0.9, 0.99]) {
      const to = join(temporaryFolder(), "bin");
      const args = ["-s", "--", "--from", server.url, "--to", to];
      await runProcess("/bin/sh", args, release, text.slice(0, text.length * part));
      assert.deepEqual([...contents(dirname(to)).keys()], []);
    }
  });
});

testUnless(NOT_UNIX, "install scripts of a release download its files", async () => {
  const release = await releaseFiles();
  const sh = Deno.readTextFileSync(join(release, "install.sh"));
  const powerShell = Deno.readTextFileSync(join(release, "install.ps1"));
  assert.match(sh, new RegExp(`^release=${TAG}$`, "m"));
  assert.match(powerShell, new RegExp(`^  \\$release = "${TAG}"$`, "m"));
  // Elsewhere, there is no such variable.
  assert.ok(powerShell.indexOf("No binary for this machine") < powerShell.indexOf("$env:LOCAL"));
  // Windows PowerShell reads a file without a byte order mark in the system's encoding.
  assert.match(powerShell, /^[\x20-\x7e\n]+$/);
  const sums = Deno.readTextFileSync(join(release, "SHA256SUMS"));
  assert.match(sums, /^[0-9a-f]{64} {2}install\.ps1$/m);
});

/** The files in a folder, each with its text. */
function contents(folder: string): Map<string, string> {
  try {
    return new Map(
      [...Deno.readDirSync(folder)].map(({ name, isDirectory }) => [
        name,
        isDirectory ? "" : Deno.readTextFileSync(join(folder, name)),
      ]),
    );
  } catch {
    return new Map();
  }
}
