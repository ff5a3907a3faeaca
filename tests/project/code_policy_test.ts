import assert from "node:assert/strict";
import { leftOutWarnings, LOCAL_CODE, trustHint } from "../../src/project/code_policy.ts";
import { type CodePolicy, DEFAULT_POLICY } from "../../src/project/code_policy.ts";
import { openProject } from "../../src/project/project.ts";
import { makeProject } from "../support/project.ts";

const isolated: CodePolicy = { ...DEFAULT_POLICY, isolate: true };
const trusting = (...trusted: string[]): CodePolicy => ({ ...DEFAULT_POLICY, trusted });

Deno.test("modules that a config names are left out, with both ways to have them", () => {
  const sites = [
    { contentDir: "c", theme: "./theme.js" },
    { contentDir: "c", runes: { local: { x: "./x.js" } } },
  ];
  for (const config of sites) {
    const { site } = openProject(makeProject({
      "refrakt.config.json": JSON.stringify({ site: config }),
    }));
    const [warning, ...more] = leftOutWarnings(site, DEFAULT_POLICY);
    assert.deepEqual([warning?.code, more.length], ["CODE_NOT_TRUSTED", 0]);
    assert.match(warning!.hint!, /--isolate.*--trust local/);
    for (const policy of [isolated, trusting("all"), trusting(LOCAL_CODE)]) {
      assert.deepEqual(leftOutWarnings(site, policy), []);
    }
  }
});

Deno.test("a name that looks like refrakt's is told which one may be meant", () => {
  assert.match(trustHint("@refract-md/plan"), /Did you mean "@refrakt-md\/plan"\?/);
  assert.match(trustHint(LOCAL_CODE), /^Start the server with --isolate/);
});
