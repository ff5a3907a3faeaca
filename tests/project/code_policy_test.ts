import assert from "node:assert/strict";
import {
  type CodePolicy,
  DEFAULT_POLICY,
  leftOutWarnings,
  LOCAL_CODE,
  placeOf,
  requireTrust,
} from "../../src/project/code_policy.ts";
import { openProject } from "../../src/project/project.ts";
import { makeProject } from "../support/project.ts";

const isolated: CodePolicy = { ...DEFAULT_POLICY, isolate: true };
const trusting = (...trusted: string[]): CodePolicy => ({ ...DEFAULT_POLICY, trusted });

Deno.test("without a flag only refrakt's own packages run in the process", () => {
  assert.equal(placeOf(DEFAULT_POLICY, "@refrakt-md/plan"), "process");
  for (const name of ["@team/runes", LOCAL_CODE, "refrakt-md", "@refrakt-mdx/plan"]) {
    assert.equal(placeOf(DEFAULT_POLICY, name), "nowhere", name);
    assert.throws(() => requireTrust(DEFAULT_POLICY, name), { code: "CODE_NOT_TRUSTED" });
  }
});

Deno.test("--trust lets one package run, or all; --isolate puts everything apart", () => {
  assert.equal(placeOf(trusting("@team/runes"), "@team/runes"), "process");
  assert.equal(placeOf(trusting("@team/runes"), "@team/other"), "nowhere");
  assert.equal(placeOf(trusting("all"), LOCAL_CODE), "process");
  assert.equal(placeOf(isolated, "@refrakt-md/runes"), "worker");
  requireTrust(trusting("all"), "@team/runes");
});

Deno.test("what is left out of a config is a warning each, with both ways to have it", () => {
  const { config, site } = openProject(makeProject({
    "refrakt.config.json": JSON.stringify({
      site: {
        contentDir: "c",
        theme: "./theme.js",
        plugins: ["@team/runes", "@refrakt-md/docs", "ralph"],
      },
    }),
  }));
  const warnings = leftOutWarnings(config, site, DEFAULT_POLICY);
  assert.deepEqual(warnings.map(({ code }) => code), ["CODE_NOT_TRUSTED", "CODE_NOT_TRUSTED"]);
  for (const { hint } of warnings) assert.match(hint!, /--isolate.*--trust /);
  assert.deepEqual(leftOutWarnings(config, site, isolated), []);
  assert.deepEqual(leftOutWarnings(config, site, trusting("all")), []);
});
