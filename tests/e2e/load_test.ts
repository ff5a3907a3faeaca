import assert from "node:assert/strict";
import { join } from "node:path";
import { entity, type Files, makeProject } from "../support/project.ts";
import { initialized, ok, type RawServer } from "../support/raw.ts";
import { childEnvironment, commandOf } from "../support/server.ts";
import { NOT_UNIX, testUnless } from "../support/skip.ts";

/** Pages that once took minutes, or were answered differently each time. */
const HOSTILE: Files = {
  "content/links.md": `# Links\n\n${
    Array.from({ length: 2000 }, (_, at) => `[r${at}](/x${at})`).join(" ")
  }\n`,
  "content/same.md": `# Same\n\n${"[r](/x) ".repeat(2000)}\n\n${"[a] ".repeat(2000)}\n\n[a]: /b\n`,
  "content/fences.md": "```\n".repeat(100_000),
  "content/tags.md": `# Tags\n\n${"{% hint %}\n".repeat(1500)}`,
  "content/open.md": `# Open\n\n${"{% hint %} ".repeat(300)}`,
  "content/brackets.md": `# Brackets\n\n${"[".repeat(9000)}${"![".repeat(400)}\n`,
  "content/table.md": `# Table\n\n|a|b|\n|-|-|\n${"|x|y|\n".repeat(4000)}`,
  "content/lines.md": `# Lines\n\n${
    Array.from({ length: 9000 }, (_, at) => `[r${at}](/y${at})`).join("\n")
  }\n`,
  "content/anchors.md": `# Anchors\n\n${
    Array.from({ length: 1900 }, (_, at) => `## Heading ${at}\n\n`).join("")
  }${Array.from({ length: 4000 }, (_, at) => `[a](#headin-${at})`).join(" ")}\n`,
  "content/spaces.md": `# Spaces\n\n${"x {% hint %}\n\u00a0\n".repeat(1500)}`,
  "content/bold.md": `# Bold\n\n${"**".repeat(1500)}a${"**".repeat(1500)}\n`,
  "content/within.md": `# Within\n\n${"x {% hint %}\n\n".repeat(1500)}`,
  "content/escapes.md": `# Escapes\n\n{% hint id="${'\\"'.repeat(100_000)}" /%}\n`,
  "content/diff.md": `# Diff\n\n{% diff %}\n${"```\n" + "a\n".repeat(4000) + "```\n\n"}${
    "```\n" + "b\n".repeat(4000) + "```\n"
  }{% /diff %}\n`,
  "content/quotes.md": `# Quotes\n\n${">".repeat(3000)} a\n`,
};

const site = (files: Files) =>
  makeProject({ "refrakt.config.json": '{"site":{"contentDir":"content"}}', ...files });

/** Does work while pings are sent, some of which are answered before it ends; returns its result. */
async function amidPings<Value>(server: RawServer, work: Promise<Value>): Promise<Value> {
  let pings = 0;
  let isDone = false;
  const done = work.finally(() => isDone = true);
  while (!isDone) {
    await server.request("ping", {});
    if (!isDone) pings++;
  }
  assert.ok(pings >= 3, `${pings} pings were answered`);
  return await done;
}

Deno.test("each check of hostile pages finds the same, and pings are answered meanwhile", async () => {
  const cwd = site(HOSTILE);
  const server = await initialized(cwd);
  const answers = new Set<string>();
  for (let run = 0; run < 3; run++) {
    const { groups: all } = await amidPings(server, ok(server, "refrakt_check", { limit: 1 }));
    const { groups } = await ok(server, "refrakt_check", { code: "render-failed", limit: 50 });
    const counts = all.map(({ code, count }: Record<string, unknown>) => [code, count]);
    answers.add(JSON.stringify([counts, groups[0].findings]));
    // The next run parses all again.
    for (const [path, text] of Object.entries(HOSTILE)) {
      Deno.writeTextFileSync(join(cwd, path), text + "\n".repeat(run + 1));
    }
  }
  const [answer, ...others] = answers;
  assert.deepEqual(others, []);
  for (
    const part of [
      /"link-broken",15000\]/,
      /fences\.md:1:1 .*: 100,000 fences, at most 2,000/,
      /open\.md:1:1 .*: 300 open tags in a paragraph, at most 95/,
      /spaces\.md:1:1 .*: 1,500 open tags in a paragraph, at most 95/,
      /within\.md:1:1 .*: 1,500 open tags in all paragraphs, at most 200/,
      /bold\.md:1:1 .*: 1,500 levels of emphasis in a paragraph, at most 500/,
      /diff\.md:1:1 .* 16,008,001 pairs of lines or more, at most 4,000,000/,
      /quotes\.md:1:1 .*: 3,000 levels of lists and quotations/,
    ]
  ) assert.match(answer!, part);
  assert.equal(await server.end(), 0);
});

Deno.test("pings are answered while hundreds of pages and thousands of entities are read", async () => {
  const page = `[Next](/page)\n\n{% hint %}\nText\n{% /hint %}\n\n${"- item\n".repeat(50)}`;
  const pages = Array.from(
    { length: 300 },
    (_, at) => [`content/p-${at}.md`, `# ${at}\n\n${page}`],
  );
  const text = '## Acceptance Criteria\n\n- [ ] One\n- [ ] Two\n\nSee {% ref "WORK-1000" /%}.\n';
  const entities = Array.from({ length: 2000 }, (_, at) => {
    const id = `WORK-${1000 + at}`;
    return [`plan/work/${id}.md`, entity("work", { id, status: "ready" }, `Title ${at}`, text)];
  });
  const bug = entity("bug", { id: "BUG-001", status: "confirmed" }, "The same", "");
  const same = Array.from({ length: 3000 }, (_, at) => [`plan/bugs/${at}.md`, bug]);
  const server = await initialized(site(Object.fromEntries([...pages, ...entities, ...same])));
  // What is tried is the work, not the import of the packages.
  await ok(server, "refrakt_check", { path: "content/p-0.md" });
  await amidPings(server, ok(server, "refrakt_check", {}));
  await ok(server, "refrakt_query", { sql: "select count(*) from lines" });
  for (const name of ["plan_validate", "plan_status"]) await ok(server, name, {});
  await ok(server, "plan_list", { text: "title" });
  await server.end();
});

testUnless(
  NOT_UNIX,
  "a signal ends a server and a command while hostile pages are checked",
  async () => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      const server = await initialized(site(HOSTILE));
      const params = { name: "refrakt_check", arguments: {} };
      server.send({ jsonrpc: "2.0", id: 99, method: "tools/call", params });
      await new Promise((resolve) => setTimeout(resolve, 1000));
      Deno.kill(server.pid, signal);
      assert.notEqual(await server.end(), 0);
      assert.ok(server.messages.every(({ id }) => id !== 99), "before the answer");
      const { command, args } = commandOf({ args: ["check"] });
      const options = { args, cwd: site(HOSTILE), env: childEnvironment(), clearEnv: true };
      const check = new Deno.Command(command, { ...options, stdout: "null", stderr: "null" })
        .spawn();
      await new Promise((resolve) => setTimeout(resolve, 1000));
      check.kill(signal);
      assert.equal((await check.status).signal, signal);
    }
  },
);
