import { Client, StdioClientTransport } from "../support/npm/client_v1.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { buildBundle, BUNDLE, registryEntry } from "../../.ci/mcpb.ts";
import committed from "../../server.json" with { type: "json" };
import { VERSION } from "../../src/version.ts";
import { publishToRegistry } from "../support/jsr.ts";
import { commitAll, makeProject, SMALL_PLAN, writeFiles } from "../support/project.ts";
import { runProcess } from "../support/process.ts";
import { childEnvironment } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";

/** Validates an entry like the MCP registry: by its published schema and its rules for bundles. */
function checkEntry(entry: typeof committed): void {
  const { name, title, description, version, packages: [bundle], repository, ...rest } = entry;
  assert.deepEqual(Object.keys(rest), ["$schema"]);
  const { hostname, pathname } = new URL(repository.url);
  assert.deepEqual([hostname, repository.source], ["github.com", "github"]);
  assert.match(name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]{1,150}$/);
  assert.ok(name.startsWith(`io.github.${pathname.split("/")[1]}/`), "it is of the repository");
  for (const text of [title, description]) assert.ok(text.length >= 1 && text.length <= 100, text);
  assert.match(version, /^\d+\.\d+\.\d+$/);
  const { version: same, transport, identifier, fileSha256 = "0".repeat(64) } = bundle as
    & NonNullable<typeof bundle>
    & { fileSha256?: string };
  assert.deepEqual([same, transport.type], [version, "stdio"]);
  assert.ok(identifier.startsWith(`${repository.url}/releases/download/v${version}/`));
  assert.match(identifier, /\/[^/]*mcp[^/]*$/);
  assert.match(fileSha256, /^[a-f0-9]{64}$/);
}

Deno.test("server.json is valid for the MCP registry, at this version", () => {
  checkEntry(committed);
  assert.equal(committed.version, VERSION);
  assert.match(committed.$schema, /^https:\/\/static\.modelcontextprotocol\.io\/schemas\//);
});

Deno.test("the packed bundle is valid and starts the published server in the chosen folder", async (t) => {
  const out = temporaryFolder();
  await buildBundle(out);

  await t.step("the registry's entry has the checksum of the bundle", async () => {
    const entry = JSON.parse(Deno.readTextFileSync(join(out, "server.json")));
    checkEntry(entry);
    const digest = await crypto.subtle.digest("SHA-256", Deno.readFileSync(join(out, BUNDLE)));
    assert.deepEqual(entry, registryEntry(new Uint8Array(digest).toHex()));
  });

  const unpacked = join(out, "unpacked");
  // deno-lint-ignore no-import-prefix -- not in deno.json: only builds of the bundle need it
  const { unpackExtension } = await import("npm:@anthropic-ai/mcpb@2.1.2");
  const mcpbPath = join(out, BUNDLE);
  assert.ok(await unpackExtension({ mcpbPath, outputDir: unpacked, silent: true }));
  const manifest = JSON.parse(Deno.readTextFileSync(join(unpacked, "manifest.json")));
  const { command, args } = manifest.server.mcp_config as { command: string; args: string[] };
  /** The arguments with the client's values filled in. */
  const filled = (folder: string) =>
    args.map((arg) =>
      arg.replaceAll("${__dirname}", () => unpacked).replaceAll(
        "${user_config.folder}",
        () => folder,
      )
    );

  await t.step("a client starts it with its bundled runtime", async () => {
    await using registry = await publishToRegistry();
    const folder = `${makeProject()}/my site & draft`;
    writeFiles(folder, SMALL_PLAN);
    commitAll(folder, "Start");
    const transport = new StdioClientTransport({
      command,
      args: filled(folder),
      cwd: makeProject(),
      env: { ...childEnvironment(), JSR_URL: registry.url, DENO_DIR: join(out, "deno") },
      stderr: "ignore",
    });
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(transport);
    try {
      const { structuredContent } = await client.callTool({ name: "refrakt_detect" });
      const { cwd, permissions } = structuredContent as {
        cwd: string;
        permissions: Record<string, boolean>;
      };
      assert.equal(cwd, folder);
      assert.ok(permissions["writePlan"] && permissions["git"] && !permissions["writeProject"]);
    } finally {
      await client.close();
    }
  });

  await t.step("a missing or dangerous choice of a folder is a clear error", async () => {
    const cases = [
      ["/home/ada,/", /without a comma/],
      ["${user_config.folder}", /^Error: Choose the folder of the project/],
    ] as const;
    for (const [folder, said] of cases) {
      const { code, stderr } = await runProcess(command, filled(folder), out);
      assert.equal(code, 1);
      assert.match(stderr, said);
    }
  });
});
