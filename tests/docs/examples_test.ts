import assert from "node:assert/strict";
import { join } from "node:path";
import manifest from "../../deno.json" with { type: "json" };
import { exists, makeProject, readTree, writeFiles } from "../support/project.ts";
import { registryShell } from "../support/registry_shell.ts";
import { copyExample } from "../support/run.ts";
import { ROOT } from "../support/server.ts";
import { NOT_UNIX, testUnless } from "../support/skip.ts";

function blocksOf(path: string): { language: string; text: string }[] {
  const page = Deno.readTextFileSync(join(ROOT, path));
  return [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)]
    .map(([, language, text]) => ({ language: language!, text: text! }));
}

function commandsOf(path: string): string[] {
  return blocksOf(path).flatMap(({ language, text }) => language === "sh" ? text : []);
}

/** The examples in what `deno doc` says of the entry points. */
async function documentedExamples(): Promise<string[]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", ...Object.values(manifest.exports)],
    cwd: ROOT,
  }).output();
  const found = new Set<string>();
  JSON.parse(new TextDecoder().decode(stdout), (key, value) => {
    if (key === "tags" && Array.isArray(value)) {
      for (const { kind, doc = "" } of value) {
        if (kind !== "example") continue;
        for (const [, text] of doc.matchAll(/```ts\n([^]*?)```/g)) found.add(text!);
      }
    }
    return value;
  });
  return [...found];
}

const PLUGINS_PAGE = Deno.readTextFileSync(join(ROOT, "docs/plugins.md"));

testUnless(NOT_UNIX, "the examples run from a registry as they say", async (t) => {
  await using shell = await registryShell();

  await t.step("those of the documentation of the API, in an empty folder", async () => {
    const examples = await documentedExamples();
    assert.ok(examples.length > 8, String(examples.length));
    const ofCommand = Map.groupBy(examples, (example) => {
      assert.match(example, /from "jsr:@refrakt\/mcp/);
      return /^\/\/ (deno run .*)/.exec(example)![1]!;
    });
    for (const [command, texts] of ofCommand) {
      const cwd = makeProject(Object.fromEntries(texts.map((text, at) => [`${at}.ts`, text])));
      const all = texts.map((_, at) => `await import("./${at}.ts");\n`).join("");
      writeFiles(cwd, { "example.ts": all });
      const { stderr } = await shell.run(cwd, `${command} 2> stderr; ! grep Assert stderr`);
      assert.equal(stderr, "");
    }
  });

  await t.step("docs/plugins.md makes a package from an empty folder, and serves it", async () => {
    const home = makeProject();
    const [own, project] = ["refrakt-words", "site"].map((name) => join(home, name));
    const [manifest, plugin, lint, pack, install, config, save] = blocksOf("docs/plugins.md")
      .map(({ text }) => text);
    const files = { "package.json": manifest!, "cli_plugin.js": plugin! };
    for (const [name, text] of Object.entries(files)) {
      assert.equal(text, Deno.readTextFileSync(join(ROOT, "examples/plugin", name)), name);
    }
    writeFiles(home, {
      "refrakt-words/README.md": "# Words\n",
      "site/content/index.md": "# Two words\n",
    });
    writeFiles(own!, files);
    writeFiles(own!, { "cli_plugin.js": plugin!.replace('name: "count"', 'name: "co unt"') });
    const broken = JSON.parse((await shell.run(own!, `${lint!.trim()} || true`)).stdout);
    assert.equal(broken.errors[0].path, "cli-plugin.commands[0].name");
    writeFiles(own!, files);
    assert.equal(JSON.parse((await shell.run(own!, lint!)).stdout).valid, true);
    await shell.run(own!, pack!);

    const report = (await shell.run(project!, install!)).stdout.replace(/\s+/g, " ");
    assert.ok(report.includes(`write ${config!.slice(2, -3)} into refrakt.config.json`), report);
    writeFiles(project!, { "refrakt.config.json": config! });
    const doctor = install!.trim().split("\n").at(-1)!;
    const { stdout } = await shell.run(project!, `${doctor} || true`);
    // `npx … task test` runs a Deno that is not on the PATH, and doctor prints a command with npx.
    const commandIn = (text: string) => /^(?:deno|npx .*) (run .* --trust)$/m.exec(text)?.[1];
    const command = commandIn(stdout);
    assert.ok(command !== undefined, stdout);
    const tools = await shell.run(project!, `deno ${command} list tools`);
    assert.match(tools.stdout, /words_count +Counts the words/);
    await shell.run(project!, save!);
    assert.deepEqual(JSON.parse(Deno.readTextFileSync(join(project!, "words.json"))), [
      { page: "index.md", words: 2 },
    ]);

    const [, link = ""] = /\(`(npm install .*)`\)/.exec(PLUGINS_PAGE)!;
    await shell.run(project!, link);
    writeFiles(own!, { "cli_plugin.js": plugin!.replace('name: "count"', 'name: "sum"') });
    const linked = (await shell.run(project!, `${doctor} || true`)).stdout;
    const call = `deno ${commandIn(linked)} call words_sum '{"folder": "content"}'`;
    assert.match((await shell.run(project!, call)).stdout, /"words": 2/);
  });

  for (const name of ["embed", "plugin", "compile", "ci"]) {
    await t.step(`examples/${name}`, async () => {
      const cwd = copyExample(name);
      // A project for the commands that need one.
      if (name === "ci") writeFiles(cwd, readTree(join(ROOT, "examples/plan")));
      for (const lines of commandsOf(`examples/${name}/README.md`)) {
        // What serves until it is stopped gets a moment.
        await shell.run(cwd, lines.replace(/^deno serve .*/m, (line) => serveOnce(line)));
      }
      if (name !== "compile") return;
      for (const binary of ["refrakt-plan", "refrakt-ralph"]) assert.ok(exists(join(cwd, binary)));
    });
  }
});

function serveOnce(command: string): string {
  const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  return `${command.replace("3000", "0")} > log 2>&1 & pid=$!
    until grep -o "http://127.0.0.1:[0-9]*" log > url; do kill -0 $pid; sleep 0.1; done
    curl --silent --fail --header "content-type: application/json" \\
      --header "accept: application/json, text/event-stream" --data '${body}' "$(cat url)/mcp"
    kill $pid`;
}
