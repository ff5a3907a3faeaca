import { Client } from "../support/npm/client_v1.ts";
import { StdioClientTransport } from "../support/npm/client_v1.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { buildBundle, BUNDLE, bundleManifest, registryEntry } from "../../.ci/mcpb.ts";
import committed from "../../server.json" with { type: "json" };
import { VERSION } from "../../src/version.ts";
import { publishToRegistry } from "../support/jsr.ts";
import { commitAll, makeProject, SMALL_PLAN } from "../support/project.ts";
import { runProcess } from "../support/process.ts";
import { childEnvironment } from "../support/server.ts";
import { temporaryFolder } from "../support/temporary.ts";

/** What the MCP registry asks of an entry, from its published schema and its rules for bundles. */
function problemsOf(entry: typeof committed): string[] {
  const { name, title, description, version, packages, repository } = entry;
  const [bundle] = packages as (typeof packages[number] & { fileSha256?: string })[];
  const checks: Record<string, boolean> = {
    "the name is a reverse DNS name and one slash":
      /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(name) &&
      name.length >= 3 && name.length <= 200,
    "the title has 1 to 100 characters": title.length >= 1 && title.length <= 100,
    "the description has 1 to 100 characters": description.length >= 1 && description.length <= 100,
    "the version is no range": /^\d+\.\d+\.\d+$/.test(version),
    "the name belongs to the repository": name.startsWith(
      `io.github.${new URL(repository.url).pathname.split("/")[1]}/`,
    ),
    "the repository's host is named": repository.source === "github",
    "the bundle is downloaded by https from a release": new RegExp(
      `^${repository.url}/releases/download/v${version.replaceAll(".", "\\.")}/[^/]*mcp[^/]*$`,
    ).test(bundle!.identifier),
    "the bundle is of this version": bundle!.version === version,
    "it speaks over stdio": bundle!.transport.type === "stdio",
    "a checksum has 64 hexadecimal digits": bundle!.fileSha256 === undefined ||
      /^[a-f0-9]{64}$/.test(bundle!.fileSha256),
    "no field is unknown": Object.keys(entry).every((key) =>
      ["$schema", "name", "title", "description", "version", "repository", "packages"].includes(key)
    ),
  };
  return Object.entries(checks).filter(([, holds]) => !holds).map(([what]) => what);
}

Deno.test("server.json is what the MCP registry takes, at this version", () => {
  assert.deepEqual(problemsOf(committed), []);
  assert.equal(committed.version, VERSION);
  assert.match(committed.$schema, /^https:\/\/static\.modelcontextprotocol\.io\/schemas\//);
});

Deno.test("the desktop bundle asks for a folder and grants nothing beside it", () => {
  const { server, user_config: config } = bundleManifest() as {
    server: { mcp_config: { args: string[] } };
    user_config: { folder: { type: string; required: boolean } };
  };
  assert.deepEqual([config.folder.type, config.folder.required], ["directory", true]);
  const grants = server.mcp_config.args.filter((arg) => /^--allow-(read|write)/.test(arg));
  assert.ok(server.mcp_config.args.includes("--isolate"));
  assert.ok(grants.length === 2);
  for (const grant of grants) assert.match(grant, /^--allow-\w+=\{folder\}(\/plan)?$/);
});

Deno.test("the bundle is packed, valid, and starts the published server in the chosen folder", async (t) => {
  const out = temporaryFolder();
  await buildBundle(out);

  await t.step("the registry's entry has the checksum of the bundle", async () => {
    const entry = JSON.parse(Deno.readTextFileSync(join(out, "server.json")));
    assert.deepEqual(problemsOf(entry), []);
    const digest = await crypto.subtle.digest("SHA-256", Deno.readFileSync(join(out, BUNDLE)));
    assert.deepEqual(entry, registryEntry(new Uint8Array(digest).toHex()));
  });

  const unpacked = join(out, "unpacked");
  const mcpb = ["run", "-A", "--no-config", "--quiet", "npm:@anthropic-ai/mcpb@2.1.2"];
  const { code } = await runProcess(
    Deno.execPath(),
    [...mcpb, "unpack", join(out, BUNDLE), unpacked],
    out,
  );
  assert.equal(code, 0);
  const manifest = JSON.parse(Deno.readTextFileSync(join(unpacked, "manifest.json")));
  const { command, args } = manifest.server.mcp_config as { command: string; args: string[] };
  /** The arguments with what the client fills in. */
  const filled = (folder: string) =>
    args.map((arg) =>
      arg.replaceAll("${__dirname}", unpacked).replaceAll("${user_config.folder}", folder)
    );

  await t.step("a client starts it with the runtime that it brings", async () => {
    await using registry = await publishToRegistry();
    const folder = `${makeProject()}/my site & draft`;
    for (const [path, text] of Object.entries(SMALL_PLAN)) {
      Deno.mkdirSync(join(folder, path, ".."), { recursive: true });
      Deno.writeTextFileSync(join(folder, path), text);
    }
    commitAll(folder, "Start");
    const transport = new StdioClientTransport({
      command,
      // The registry of the test stands in for the one that code may be imported from.
      args: filled(folder).map((arg) => arg.replace("jsr.io:443", new URL(registry.url).host)),
      cwd: makeProject(),
      env: { ...childEnvironment(), JSR_URL: registry.url, DENO_DIR: join(out, "deno") },
      stderr: "ignore",
    });
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(transport);
    try {
      const { structuredContent } = await client.callTool({ name: "refrakt.detect" });
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

  await t.step("a folder whose path would grant more than it is refused", async () => {
    const { code, stderr } = await runProcess(command, filled("/home/ada,/"), out);
    assert.equal(code, 1);
    assert.match(stderr, /without a comma/);
  });

  await t.step("a folder that was not chosen is named", async () => {
    const { code, stderr } = await runProcess(command, filled("${user_config.folder}"), out);
    assert.equal(code, 1);
    assert.match(stderr, /^Error: Choose the folder of the project/);
  });
});
