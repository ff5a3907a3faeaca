import assert from "node:assert/strict";
import { join } from "node:path";
import { CLIENTS } from "../../src/cli/client_configs.ts";
import { COMMANDS } from "../../src/cli/commands/mod.ts";
import { ralphTools } from "../../plugins/ralph/entries.ts";
import { SITE } from "../../plugins/site/plugin.ts";
import { launchFor } from "../../src/host/serve_command.ts";
import { shellLine, shellWord } from "../../src/host/shell.ts";
import { ERROR_CODES, WARNING_CODES } from "../../src/errors.ts";
import { openProject } from "../../src/host/open_project.ts";
import { runtimeProblem } from "../../src/runtime.ts";
import { commitAll, exists, makeProject } from "../support/project.ts";
import { registryShell } from "../support/registry_shell.ts";
import { copyExample, READ_ONLY, refrakt } from "../support/run.ts";
import { ROOT, withServer } from "../support/server.ts";

const README = Deno.readTextFileSync(join(ROOT, "README.md"));
const NAMES = "clients ralph packages running plans sites troubleshooting views design README";
const PAGES = NAMES.split(" ").map((name) => Deno.readTextFileSync(join(ROOT, `docs/${name}.md`)));

const [CLIENTS_PAGE = ""] = PAGES;

function blocks(language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm");
  return [README, ...PAGES].flatMap((page) => [...page.matchAll(fence)].map((match) => match[1]!));
}

Deno.test("the README has at most 120 lines, and the long command three times", () => {
  assert.ok(README.split("\n").length <= 121);
  assert.ok(README.split("--allow-run=git jsr:").length <= 4);
});

Deno.test("the commands of the README and the pages mean the same in PowerShell", () => {
  const lines = [...blocks("sh"), ...blocks("powershell")].join("").split("\n")
    .filter((line) => /^ *(?:deno|npx|claude|codex) .*jsr:/.test(line));
  assert.ok(lines.length > 8, String(lines.length));
  for (const line of lines) {
    const [given] = line.trim().split(/ +#/);
    // What is in quotes passes every shell.
    for (const word of given!.replace(/"[^"$`]*"|'[^']*'/g, "quoted").split(/ +/)) {
      assert.equal(shellWord(word, "PowerShell"), word, line);
    }
  }
});

const NOT_RUN: readonly [pattern: RegExp, reason: string][] = [
  [/task test/, "it would run this test again"],
  [/view board$/, "it serves until it is stopped; tests/cli/commands/view_test.ts does that"],
  [/--http /, "it serves until it is stopped; tests/mcp/http_test.ts does that"],
  [/task demo/, "tests/e2e/demo_test.ts runs it, and looks at what it prints"],
  [/refrakt-mcp/, "a test of a single file starts the checkout, too"],
  [/^deno compile /, "tests/docs/examples_test.ts compiles the same program"],
];

const OURS = /^deno run --no-config (.*?) ?jsr:@refrakt\/mcp(?:@[\d.]+)?(?: (.*))?$/;
const CLIENT = /^(?:claude|codex) mcp add .* -- /;

/** The words of a line as a shell splits it; each is in quotes as a whole, or not at all. */
const wordsOf = (line: string): string[] =>
  (line.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));

Deno.test("every command of the README runs, those of other programs from a registry", async (t) => {
  await using registry = await registryShell();
  const cwd = copyExample("site-and-plan");
  commitAll(cwd, "Start");
  const [, alias = ""] = /^alias refrakt-mcp='(.*)'$/m.exec(README)!;
  let added = "";

  for (const block of blocks("sh")) {
    const lines = block.replaceAll(/ +#.*$/gm, "").replaceAll(/^alias .*$/gm, "")
      .replaceAll(/^refrakt-mcp/gm, () => alias).split("\n")
      .filter((line) => line !== "" && !NOT_RUN.some(([pattern]) => pattern.test(line)));
    if (lines.length === 0) continue;
    await t.step(lines.at(-1)!.slice(0, 90), async () => {
      if (!lines.every((line) => OURS.test(line))) {
        const command = lines.join("\n").replace(CLIENT, "");
        if (command === added) return;
        if (CLIENT.test(lines[0]!)) added = command;
        return void await registry.run(cwd, lines.join("\n"));
      }
      for (const line of lines) {
        const [, flags, args] = OURS.exec(line.replaceAll("/path/to/project", () => cwd))!;
        const run = await refrakt(cwd, wordsOf(args ?? ""), { grants: wordsOf(flags!) });
        assert.equal(run.code, 0, `${line}\n${run.stdout}${run.stderr}`);
      }
    });
  }

  await t.step("the snippet for clients has the same command", () => {
    const [block] = blocks("json").filter((text) => text.includes("mcpServers"));
    const { command, args } = JSON.parse(block!).mcpServers.refrakt;
    assert.equal([command, ...args].join(" ").replace(/@[\d.]+$/, ""), added);
  });

  await t.step("the library example runs", async () => {
    const path = join(registry.home, "example.ts");
    Deno.writeTextFileSync(path, blocks("ts")[0]!);
    await registry.run(cwd, `deno run -A --no-config ${path}`);
  });
});

Deno.test("the install links contain the command that config prints", () => {
  const [vscode, cursor] = ["vscode.dev/redirect/mcp/install", "cursor.com/en/install-mcp"].map((
    place,
  ) =>
    new URL(
      /\((https:[^)]+)\)/.exec(CLIENTS_PAGE.slice(CLIENTS_PAGE.indexOf(`(https://${place}`)))![1]!,
    )
  );
  const inLink = JSON.parse(vscode!.searchParams.get("config")!);
  assert.deepEqual(JSON.parse(atob(cursor!.searchParams.get("config")!)), inLink);
  for (const link of [vscode!, cursor!]) assert.ok(README.includes(`(${link.href})`), link.href);
  const added = /code --add-mcp '([^']+)'/.exec(CLIENTS_PAGE)![1]!;
  assert.deepEqual(JSON.parse(added), { name: "refrakt", ...inLink });
  assert.ok(inLink.args.includes("--allow-read=${workspaceFolder}"));
});

Deno.test("the page's command that trusts the project's code is the one that the program prints", () => {
  const project = openProject(copyExample("site-and-plan"), { code: { trust: true } });
  assert.ok(PAGES.join("\n").includes(`\n${shellLine(launchFor(project))}\n`));
});

Deno.test("every file and heading that the README and the pages link to exists", () => {
  const linksIn = (page: string) =>
    [...page.replaceAll(/`[^`]*`/g, "").matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
      .map((match) => match[1]!);
  assert.ok(linksIn(README).length > 5);
  for (const link of linksIn(README)) assert.ok(exists(join(ROOT, link)), link);
  for (const link of PAGES.flatMap(linksIn)) assert.ok(exists(join(ROOT, "docs", link)), link);
  const headingsIn = (path: string) =>
    [...Deno.readTextFileSync(join(ROOT, path)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!.toLowerCase().replaceAll(/[^\w -]/g, "").replaceAll(" ", "-")
    );
  for (const [, path, anchor] of README.matchAll(/\]\(([^)#:]*)#([^)]+)\)/g)) {
    assert.ok(headingsIn(path === "" ? "README.md" : path!).includes(anchor!), anchor);
  }
});

Deno.test("the README names clients, commands and error codes that exist", () => {
  for (const { name } of CLIENTS) assert.ok(README.includes(`\`${name}\``), name);
  for (const [, name] of README.matchAll(/^refrakt-mcp (\w+)/gm)) {
    assert.ok(name === "help" || COMMANDS.some((command) => command.name === name), name);
  }
  for (const [, code] of README.matchAll(/`([A-Z]+_[A-Z_]+)`/g)) {
    const known = Object.hasOwn(ERROR_CODES, code!) || Object.hasOwn(WARNING_CODES, code!) ||
      ["NO_COLOR", "REFRAKT_PLAN_DIR"].includes(code!);
    assert.ok(known, code);
  }
});

Deno.test("sentences of the server that the pages quote are those that it says", async () => {
  const cwd = makeProject();
  const said: string[] = [];
  await withServer(cwd, async ({ call }) => {
    const say = async (name: string, input = {}) =>
      said.push(JSON.stringify(await call(name, input)));
    await say("plan_list");
    await say("ralph_start", { goal: "Greet" });
    await say("ralph_complete_phase", { phase: "research", summary: "Done" });
  }, {
    client: "claude-code",
    args: ["--plugin", "ralph"],
    grants: [...READ_ONLY, "--allow-write=specs,plan"],
  });
  // The other one needs Windows.
  const sources = ["src/io/files.ts", "src/io/write_folder.ts"];
  said.push(runtimeProblem("2.8.0")!);
  said.push(...sources.map((path) => Deno.readTextFileSync(join(ROOT, path))));
  const quoted = [...Deno.readDirSync(join(ROOT, "docs"))].map(({ name }) => name)
    .filter((name) => name.endsWith(".md") && name !== "tools.md")
    .flatMap((name) => {
      const page = Deno.readTextFileSync(join(ROOT, "docs", name));
      const prose = page.replace(/^ *```[^]*?^ *```$/gm, "").replace(/`[^`]*`|<[^>]*>/g, "");
      const example = name === "errors.md"
        ? /"(?:text|hint)": "((?:[^"\\]|\\.)*)"/g
        : /"(\w[^"]* [^"]*\w)"/g;
      return [...(name === "errors.md" ? page : prose).matchAll(example)].map(([, text]) => text!);
    });
  assert.ok(quoted.length >= 6, quoted.join("\n"));
  const all = said.join("\n");
  for (const quote of quoted) {
    for (const part of quote.replace(/\s+/g, " ").split("…")) assert.ok(all.includes(part), quote);
  }
});

Deno.test("docs/differences.md names every command that only the CLI has", () => {
  const page = Deno.readTextFileSync(join(ROOT, "docs/differences.md"));
  const later = makeProject({
    "refrakt.config.json": '{"site":{"contentDir":"content"}}',
    "node_modules/@refrakt-md/cli/package.json": '{"name":"@refrakt-md/cli","version":"0.29.0"}',
  });
  const commands = SITE.inShell!(openProject(later));
  assert.ok(commands.length > 10);
  for (const [name, words] of commands) {
    assert.ok(page.includes(`\`${name}\``), name);
    assert.ok(page.includes(`\`refrakt ${words}\``), words);
  }
});

Deno.test("docs/ralph.md names every tool and status, and no other", () => {
  const page = Deno.readTextFileSync(join(ROOT, "docs/ralph.md"));
  const named = new Set([...page.matchAll(/\bralph_\w+/g)].map(([name]) => name));
  const tools = ralphTools.map(({ name }) => name);
  assert.deepEqual([...named].filter((name) => !tools.includes(name)), []);
  assert.deepEqual(tools.filter((name) => !named.has(name)), []);
});
