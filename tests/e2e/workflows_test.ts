/** What every workflow keeps to: those of this repository, the example, and those in the pages. */

import assert from "node:assert/strict";
import { join } from "node:path";
import manifest from "../../deno.json" with { type: "json" };
import { parse } from "../support/npm/yaml.ts";
import { readTree } from "../support/project.ts";
import { ROOT } from "../support/server.ts";

// deno-lint-ignore no-explicit-any -- looked into freely
type Data = any;

/** Workflow files and those in the pages by name; a list of steps is a job. */
function workflows(): Map<string, { text: string; workflow: Data }> {
  const texts = new Map<string, string>();
  for (const folder of [".github", "examples", "docs"]) {
    for (const [path, text] of Object.entries(readTree(join(ROOT, folder)))) {
      if (/\.ya?ml$/.test(path)) texts.set(`${folder}/${path}`, text);
      if (!path.endsWith(".md")) continue;
      for (const [, block] of text.matchAll(/^```ya?ml\n([^]*?)^```$/gm)) {
        texts.set(`${folder}/${path}:${texts.size}`, block!);
      }
    }
  }
  return new Map([...texts].map(([name, text]) => {
    const content = parse(text) as Data;
    if ("jobs" in content) return [name, { text, workflow: content }];
    const job = Array.isArray(content) ? { steps: content } : content;
    return [name, { text, workflow: { jobs: { steps: job } } }];
  }));
}

const ALL = workflows();
const RELEASE = ALL.get(".github/workflows/release.yml")!.workflow.jobs;
const UPSTREAM = ALL.get(".github/workflows/upstream.yml")!.workflow.jobs;

const jobsOf = ({ jobs }: Data): [string, Data][] => Object.entries(jobs);

const commandsOf = ({ steps = [] }: Data): string =>
  steps.map(({ run = "" }: Data) => run).join("\n");

Deno.test("workflows are found in the repository, the examples and the pages", () => {
  const names = [...ALL.keys()].map((name) => name.replace(/.*\/|:\d+$/g, ""));
  assert.deepEqual(names.sort(), [
    "ci.yml",
    "release.yml",
    "running.md",
    "teams.md",
    "upstream.yml",
    "validate.yml",
  ]);
});

for (const [name, { text, workflow }] of ALL) {
  Deno.test(`${name} pins its actions, keeps no token and runs nothing from the checkout's cache`, () => {
    for (const [line] of text.matchAll(/uses: (?!\.\/).*/g)) {
      assert.match(line, /@[0-9a-f]{40} # v\d/, "an action is pinned by its commit");
    }
    for (const [, { steps = [] }] of jobsOf(workflow)) {
      for (const step of steps) {
        const action = step.uses?.split("@")[0];
        const inputs = step.with ?? {};
        if (action === "actions/checkout") assert.equal(inputs["persist-credentials"], false);
        if (action === "actions/cache") {
          assert.match(String(inputs["path"]), /^\$\{\{ runner\.temp \}\}\//);
        }
        // A link of the checkout would lead the output elsewhere.
        assert.doesNotMatch(
          step.run ?? "",
          />+ *(?!>|"?\$(?:RUNNER_TEMP|GITHUB_\w+)\b)[\w./-]+\.sarif/,
        );
      }
    }
    for (const [, value] of text.matchAll(/DENO_DIR[=:] ?"?(\S+)/g)) {
      assert.match(value!, /^\$\{\{ runner\.temp \}\}|^\$RUNNER_TEMP\//);
    }
    assert.doesNotMatch(text, /github\.workspace|GITHUB_WORKSPACE|pull_request_target/);
    for (const access of Object.values(workflow.permissions ?? {})) assert.equal(access, "read");
  });
}

Deno.test("a job that may write, sign or publish takes what another one has built", () => {
  for (const [name, job] of [...jobsOf({ jobs: RELEASE }), ...jobsOf({ jobs: UPSTREAM })]) {
    const rights = Object.entries(job.permissions!).filter(([, access]) => access === "write");
    if (rights.length === 0) continue;
    for (const { uses = "" } of job.steps!) {
      assert.doesNotMatch(uses, /^actions\/(?:checkout|cache)@/, name);
    }
    assert.doesNotMatch(commandsOf(job), /deno (?!publish )|\bnp[mx]\b|npm:|jsr:|\.ci\//, name);
    assert.ok(job.needs, name);
  }
  const writers = jobsOf({ jobs: RELEASE }).filter(([, { permissions }]) =>
    permissions!["id-token"] === "write"
  );
  assert.deepEqual(writers.map(([name]) => name), ["publish", "upload", "registry"]);
  assert.deepEqual(RELEASE["build"]!.permissions, { contents: "read" });
  assert.deepEqual(UPSTREAM["read"]!.permissions, { contents: "read" });
  assert.deepEqual(UPSTREAM["open"]!.permissions, { contents: "write", "pull-requests": "write" });
});

Deno.test("a release waits for its checks and an approval, and signs every file", () => {
  assert.equal(RELEASE["check"]!.uses, "./.github/workflows/ci.yml");
  const { publish, upload, registry } = RELEASE;
  assert.deepEqual(publish!.needs, ["check", "build"]);
  assert.equal(publish!.environment, "jsr");
  assert.match(Deno.readTextFileSync(join(ROOT, "CONTRIBUTING.md")), /environment\s+`jsr`/);
  assert.deepEqual([upload!.needs, registry!.needs], ["publish", "upload"]);
  const commands = commandsOf(upload!);
  assert.match(commands, /^sha256sum -- \* > \.\.\/SHA256SUMS && mv \.\.\/SHA256SUMS \.$/m);
  assert.match(commands, /^gh release create .* dist\/release\/\* /m);
  const attest = upload!.steps!.find(({ uses = "" }: Data) =>
    uses.includes("/attest-build-provenance@")
  );
  assert.deepEqual(attest!.with, { "subject-path": "dist/release/*" });
});

Deno.test("the checks of a release include a client's first minutes on macOS and Windows", () => {
  const jobs: Data[] = Object.values(ALL.get(".github/workflows/ci.yml")!.workflow.jobs);
  const platforms = jobs.find((job) => commandsOf(job).includes("deno task windows"))!;
  assert.deepEqual(platforms.strategy!.matrix.os, ["macos-latest", "windows-latest"]);
});

Deno.test("tasks of workflows exist, and what a release builds with is locked", () => {
  const tasks: Readonly<Record<string, unknown>> = manifest.tasks;
  for (const { text } of ALL.values()) {
    for (const [, task] of text.matchAll(/deno task (\S+)/g)) assert.ok(tasks[task!], task);
  }
  for (const [, task] of commandsOf(RELEASE["build"]!).matchAll(/deno task (\S+)/g)) {
    const { command } = tasks[task!] as { command: string };
    const flags = /^deno run -A --no-check --lock=deno\.lock --frozen (\.ci\/\w+\.ts)/;
    const program = flags.exec(command)?.[1];
    assert.ok(program, command);
    const text = Deno.readTextFileSync(join(ROOT, program));
    if (/"(?:bundle|compile)",/.test(text)) assert.match(text, /"--frozen"/, program);
    assert.doesNotMatch(text, /--frozen=false|npm:[@\w/-]+(?:@[\^~*]|["'])/, program);
  }
  const commands = commandsOf(RELEASE["registry"]!);
  assert.match(commands, /\$PUBLISHER_SHA256 .*sha256sum --check --strict\n.*tar --extract/s);
});
