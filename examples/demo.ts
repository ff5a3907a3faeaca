/**
 * Shows what an agent sees: starts the server on a copy of an example under the
 * documented grants, talks to it as a client does, and prints the conversation.
 *
 * Run it with `deno task demo`; the checkout stays as it is.
 */

import { Client } from "test/client-v1";
import { StdioClientTransport } from "test/client-v1/stdio";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const GRANTS = ["--no-prompt", "--allow-read=.", "--allow-write=plan", "--allow-run=git"];

const project = copyOf(join(ROOT, "examples/site-and-plan"));
commit(project, "Start the plan");
try {
  await demo(project);
} finally {
  Deno.removeSync(project, { recursive: true });
}

async function demo(cwd: string): Promise<void> {
  say(`A client starts the server in a project:\n\n  deno run ${GRANTS.join(" ")} jsr:@refrakt/mcp\n`);
  const transport = new StdioClientTransport({
    command: Deno.execPath(),
    args: ["run", ...GRANTS, join(ROOT, "mod.ts")],
    cwd,
    env: Deno.env.toObject(),
    stderr: "ignore",
  });
  const client = new Client({ name: "demo", version: "1.0.0" });
  await client.connect(transport);

  const { tools } = await client.listTools();
  say(`It offers ${tools.length} tools: ${tools.map((tool: { name: string }) => tool.name).join(", ")}.\n`);

  const report = await call(client, "refrakt.detect");
  show({ plan: report["plan"], site: report["site"], permissions: report["permissions"] });

  const next = await call(client, "plan.next");
  const [item] = next["items"] as { id: string; title: string; file: string; criteria: { text: string }[] }[];
  show({ id: item!.id, title: item!.title, criteria: item!.criteria.map(({ text }) => text) });

  const update = await call(client, "plan.update", {
    id: item!.id,
    status: "in-progress",
    check: item!.criteria[0]!.text,
  });
  show(update["changes"]);
  const [first] = Deno.readTextFileSync(join(cwd, "plan", item!.file)).split("\n");
  say(`  On disk, ${item!.file} now begins with:\n  ${first}\n`);

  commit(cwd, `Start ${item!.id}`);
  const history = await call(client, "plan.history", { id: item!.id });
  show(
    (history["events"] as Record<string, unknown>[]).map(({ kind, message, attributeChanges }) => ({
      kind,
      message,
      ...(attributeChanges === undefined ? {} : { attributeChanges }),
    })),
  );

  const uri = "refrakt://plan/milestone/v1.0.0";
  say(`> resources/read ${uri}`);
  const { contents } = await client.readResource({ uri });
  say(indent((contents[0] as { text: string }).text.trim()) + "\n");

  const inspected = await call(client, "refrakt.inspect", { rune: "hint", attributes: { type: "warning" } });
  say(indent(String(inspected["html"])) + "\n");

  say("> plan.update " + JSON.stringify({ id: item!.id, status: "finished" }));
  const refused = await client.callTool({
    name: "plan.update",
    arguments: { id: item!.id, status: "finished" },
  }) as { errorCode?: string; content: { text: string }[] };
  say(indent(`${refused.errorCode}: ${refused.content[0]!.text}`) + "\n");

  await client.close();
  say("The client has gone, and so has the server.");
}

async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  say(`> ${name}${Object.keys(args).length === 0 ? "" : ` ${JSON.stringify(args)}`}`);
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) throw new Error(`${name} failed: ${JSON.stringify(result.content)}`);
  return result.structuredContent as Record<string, unknown>;
}

function copyOf(source: string): string {
  const target = Deno.makeTempDirSync({ prefix: "refrakt-demo-" });
  const copy = (from: string, to: string) => {
    Deno.mkdirSync(to, { recursive: true });
    for (const entry of Deno.readDirSync(from)) {
      const [source, goal] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isDirectory) copy(source, goal);
      else Deno.copyFileSync(source, goal);
    }
  };
  copy(source, target);
  return target;
}

function commit(cwd: string, message: string): void {
  const git = (...args: string[]) => {
    const identity = ["-c", "user.name=Demo", "-c", "user.email=demo@example.com"];
    const { code, stderr } = new Deno.Command("git", { args: [...identity, ...args], cwd })
      .outputSync();
    if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  };
  git("init", "-q");
  git("add", "-A");
  git("-c", "commit.gpgSign=false", "commit", "-q", "-m", message);
}

function show(value: unknown): void {
  say(indent(JSON.stringify(value, null, 2)) + "\n");
}

function indent(text: string): string {
  return text.split("\n").map((line) => `  ${line}`).join("\n");
}

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}
