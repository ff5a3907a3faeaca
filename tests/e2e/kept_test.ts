import assert from "node:assert/strict";
import { join } from "node:path";
import { commitAll, entity, git, makeProject, SMALL_PLAN, writeFiles } from "../support/project.ts";
import { inProcess } from "../support/in_process.ts";
import { installReal } from "../support/installed.ts";
import { renumber, replaceFile } from "../support/link_tree.ts";
import { type Asked, childEnvironment, type Session, withServer } from "../support/server.ts";
import { refrakt } from "../support/run.ts";

const item = (id: string, status = "ready", title = id) =>
  entity("work", { id, status }, title, `Text of ${title}.`);

/** A plan with a history of additions, changes, renames, removals and returns. */
function project(): string {
  const cwd = makeProject({ ...SMALL_PLAN, ".gitignore": "node_modules\n" });
  commitAll(cwd, "Begin");
  writeFiles(cwd, { "plan/work/WORK-010-a.md": item("WORK-010") });
  commitAll(cwd, "Add");
  git(cwd, "mv", "plan/work/WORK-010-a.md", "plan/work/WORK-010-b.md");
  commitAll(cwd, "Rename");
  git(cwd, "rm", "-q", "plan/work/WORK-010-b.md");
  commitAll(cwd, "Remove");
  return cwd;
}

async function answers({ call }: Asked): Promise<unknown> {
  const { structuredContent: all } = await call("plan_history", { limit: 100 });
  const { structuredContent: one } = await call("plan_history", { id: "WORK-010" });
  return { all, one };
}

async function start(cwd: string, ...args: string[]): Promise<unknown> {
  let found: unknown;
  await withServer(cwd, async (session) => {
    found = await answers(session);
  }, { args });
  return found;
}

/** Git cannot read the text of an older version any more. */
function damage(cwd: string): void {
  const blob = git(cwd, "rev-parse", "HEAD~1:plan/work/WORK-010-b.md");
  Deno.removeSync(join(cwd, ".git/objects", blob.slice(0, 2), blob.slice(2)));
}

Deno.test("a second start answers from what the first one kept, unless told not to", async () => {
  const cwd = project();
  const first = await start(cwd);
  damage(cwd);
  assert.deepEqual(await start(cwd), first);
  // The library keeps nothing.
  await inProcess(cwd, async (asked) => assert.notDeepEqual(await answers(asked), first));
  // With an input, a process of its own: a shared one would go on, and keep what it has read.
  const alone = (...args: string[]) => refrakt(cwd, args, { input: "" });
  assert.match((await alone("doctor")).stdout, /cache +\d+\.\d MB of at most 96 MB/);
  for (const flags of [["--read-only"], ["--trust"]]) {
    assert.match((await alone("doctor", ...flags)).stdout, /cache +nothing is kept/, flags[0]);
  }
  assert.match((await alone("cache", "clear")).stdout, /^Removed \d+\.\d MB/);
  assert.notDeepEqual(await start(cwd), first);
});

Deno.test("nothing of a shallow clone's history is kept", async () => {
  const cwd = project();
  const clone = makeProject();
  git(clone, "init", "-q", "-b", "main");
  git(clone, "fetch", "-q", "--depth=3", `file://${cwd}`, "main");
  git(clone, "reset", "-q", "--hard", "FETCH_HEAD");
  const first = await start(clone);
  damage(clone);
  assert.notDeepEqual(await start(clone), first);
});

/** With a local rune, which is not loaded without `--trust`: that is no reason to keep nothing. */
const siteConfig = (plugins: readonly string[], word = "") =>
  JSON.stringify({
    variables: { word },
    site: {
      contentDir: "./content",
      theme: "@refrakt-md/lumina",
      target: "html",
      plugins,
      runes: { local: { mine: "./mine.js" } },
    },
  });

const PAGE = '# P\n\n{% partial file="p.md" /%}\n\n{% $word %}\n\n![Picture](/a.png)\n';

const SITE = {
  "refrakt.config.json": siteConfig(["@refrakt-md/docs"]),
  "content/index.md": "# A\n\nText.\n",
  "content/page.md": PAGE,
  "content/_partials/p.md": "Text of the partial.\n",
  "content/a.png": "",
};

const tables = (...names: string[]) => names.map((name) => ({ sql: `SELECT * FROM ${name}` }));

/**
 * Calls of every listed tool that only reads, except `refrakt_more`, whose cursors a process has.
 * Those without a call say what packages have, of which nothing is kept.
 */
const READS: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  "plan_get": [{ ids: ["WORK-001", "SPEC-001"] }],
  "plan_history": [{ limit: 100 }, { id: "WORK-010" }, { id: "WORK-001" }],
  "plan_list": [{ branches: true }, { text: "text" }],
  "plan_next": [{ explain: "WORK-001" }],
  "plan_next_id": [{ type: "work" }],
  "plan_review": [{}],
  "plan_status": [{ detail: "full" }],
  "plan_validate": [{}],
  "ralph_check": [],
  "ralph_help": [],
  "ralph_status": [{}],
  "refrakt_check": [{}, { path: "content/page.md" }],
  "refrakt_contracts": [],
  "refrakt_contracts_check": [],
  "refrakt_detect": [{}],
  "refrakt_inspect": [{ rune: "hint" }],
  "refrakt_inspect_audit": [],
  "refrakt_inspect_list": [],
  "refrakt_plugins_list": [],
  "refrakt_query": tables("events", "commits", "entities", "pages", "headings"),
  "refrakt_reference": [],
  "refrakt_render": [{ path: "content/page.md" }],
  "refrakt_validate": [{}],
  "refrakt_version": [],
};

async function answersOf({ call, client }: Session, chosen: RegExp): Promise<unknown> {
  const { tools } = await client.listTools();
  const names = tools.flatMap((
    { name, annotations }: { name: string; annotations?: { readOnlyHint?: boolean } },
  ) => annotations?.readOnlyHint === true && name !== "refrakt_more" ? name : []);
  assert.deepEqual(names.sort(), Object.keys(READS).sort());
  const found = [];
  for (const [name, all] of Object.entries(READS).filter(([name]) => chosen.test(name))) {
    for (const args of all) {
      const { content, structuredContent, isError } = await call(name, args);
      found.push({ name, content, structuredContent, isError });
    }
  }
  return found;
}

const modules = (cwd: string, path: string) => join(cwd, "node_modules/@refrakt-md", path);

/** Writes a file with another text each time. */
const rewrite = (path: string, textOf: (word: string) => string) => (cwd: string, word: string) =>
  writeFiles(cwd, { [path]: textOf(word) });

type Change = (cwd: string, word: string) => void;

/** What happens to the pages between two starts; the word is another one each time. */
const PAGE_CHANGES: readonly Change[] = [
  rewrite("content/index.md", (word) => `# A\n\n[B](/${word})\n`),
  rewrite("content/new.md", () => '# I\n\n{% icon name="no" /%}\n'),
  rewrite("content/_partials/p.md", (word) => `{% ${word} /%}\n`),
  (cwd) => Deno.removeSync(join(cwd, "content/a.png")),
  rewrite("content/page.md", (word) => `${PAGE}\n## ${word}\n\n[B](/${word})\n`),
  rewrite(
    "content/_layout.md",
    (word) =>
      `{% layout %}\n{% region name="nav" %}\n[${word}](/${word})\n{% /region %}\n{% /layout %}\n`,
  ),
  rewrite("refrakt.config.json", (word) => siteConfig(["@refrakt-md/docs"], word)),
];

/** What happens to the packages' files, and how the history goes on. */
const OTHER_CHANGES: readonly Change[] = [
  (cwd, word) => replaceFile(modules(cwd, "lumina/index.css"), `.rf-hint { color: ${word} }\n`),
  (cwd) => renumber(modules(cwd, "docs/package.json"), "0.24.0"),
  rewrite("plan/work/WORK-010-c.md", (word) => item("WORK-010", "done", word)),
  commitAll,
];

const HISTORY_CHANGES: readonly Change[] = [
  rewrite(".mailmap", (word) => `${word} <ada@example.com>\n`),
  (cwd, word) => {
    git(cwd, "checkout", "-q", "-b", word, "HEAD~1");
    rewrite("plan/work/WORK-001-first.md", (text) => item("WORK-001", "draft", text))(cwd, word);
    commitAll(cwd, "On a branch");
    git(cwd, "merge", "-q", "--no-edit", "-X", "theirs", "main");
  },
  (cwd, word) => git(cwd, "commit", "-q", "--amend", "--allow-empty", "-m", word),
  (cwd) => {
    git(cwd, "mv", "plan/work", "plan/items");
    commitAll(cwd, "Move");
  },
];

Deno.test("what was kept changes no answer of any tool after any changes between two starts", async () => {
  const cwd = project();
  writeFiles(cwd, {
    ...SITE,
    "package.json": JSON.stringify({ dependencies: { "@refrakt-md/docs": "0.25.1" } }),
  });
  await installReal(cwd);
  commitAll(cwd, "Add a site");
  const asked = async (tools: RegExp, TZ: string, ...args: string[]) => {
    let found: unknown;
    await withServer(cwd, async (session) => {
      found = await answersOf(session, tools);
    }, { args: ["--tools", "all", ...args], env: { ...childEnvironment(), TZ } });
    return found;
  };
  // Of these two places, the second one has another date at any time.
  const [zone, other] = ["Etc/GMT+12", "Pacific/Kiritimati"] as const;
  await asked(/./, zone);
  const rounds = [[/./, [...PAGE_CHANGES, ...OTHER_CHANGES]], [/^plan/, HISTORY_CHANGES]] as const;
  for (const [tools, changes] of rounds) {
    changes.forEach((change, at) => change(cwd, `word${at}`));
    const kept = await asked(tools, other);
    assert.deepEqual(kept, await asked(tools, other, "--no-cache"), String(tools));
  }
});
