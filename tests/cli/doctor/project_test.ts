import assert from "node:assert/strict";
import type { Finding } from "../../../src/cli/doctor/finding.ts";
import { makeProject, SMALL_PLAN } from "../../support/project.ts";
import { refrakt } from "../../support/run.ts";

async function findings(cwd: string, grants?: readonly string[]) {
  const { code, stdout } = await refrakt(
    cwd,
    ["doctor", "--json"],
    grants === undefined ? {} : { grants },
  );
  const all = JSON.parse(stdout).findings as Finding[];
  return { code, problems: all.filter(({ status }) => status === "problem"), all };
}

Deno.test("a folder that may not be read is named, and doctor goes on", async () => {
  const cwd = makeProject(SMALL_PLAN);
  for (const denied of ["plan/work", "plan"]) {
    const { code, problems, all } = await findings(cwd, [
      "--no-prompt",
      "--allow-read=.",
      `--deny-read=${denied}`,
    ]);
    assert.equal(code, 1);
    assert.ok(
      problems.some(({ topic, message }) =>
        topic === "folder" && message.startsWith(`${denied}/ may not be read`)
      ),
      JSON.stringify(problems),
    );
    assert.ok(all.some(({ topic }) => topic === "grant"), "the other checks ran");
  }
});

Deno.test("a plan that is a file is named", async () => {
  const { code, problems } = await findings(makeProject({ plan: "not a folder" }));
  assert.equal(code, 1);
  assert.match(problems[0]!.message, /^plan is a file, and should be a folder/);
});

Deno.test("a site whose packages cannot be had is named with the reason, and the others are tried", async () => {
  const site = { contentDir: "./content", theme: "@refrakt-md/lumina", plugins: [] as string[] };
  const cwd = makeProject({
    "content/index.md": "# Hello\n",
    "refrakt.config.json": JSON.stringify({
      sites: { good: site, bad: { ...site, plugins: ["@refrakt-md/no-such-plugin"] } },
    }),
  });
  const { code, problems, all } = await findings(cwd);
  assert.equal(code, 1);
  assert.ok(
    problems.some(({ topic, message }) =>
      topic === "site" && /^Site bad: .*no-such-plugin/.test(message)
    ),
    JSON.stringify(problems),
  );
  assert.ok(
    all.some(({ topic, message }) =>
      topic === "site" && /^good has \d+ runes, and renders$/.test(message)
    ),
  );
});

Deno.test("a directory inside a plan is named with the project to start in", async () => {
  const project = makeProject(SMALL_PLAN);
  const { code, problems } = await findings(`${project}/plan/work`, [
    "--no-prompt",
    `--allow-read=${project}`,
  ]);
  assert.equal(code, 1);
  assert.match(problems[0]!.message, /lies inside the plan .*\/plan$/);
  assert.equal(problems[0]!.hint, `Start the server in the project of that plan: --cwd=${project}`);
});
