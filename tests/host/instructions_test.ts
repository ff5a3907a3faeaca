import assert from "node:assert/strict";
import { BUNDLED } from "../../src/bundled.ts";
import { openProject } from "../../src/host/open_project.ts";
import { instructionsFor } from "../../src/host/detect.ts";
import { makeProject } from "../support/project.ts";
import { copyExample } from "../support/run.ts";

const of = (cwd: string, plugins: string[] = []) =>
  instructionsFor(openProject(cwd, { plugins }), BUNDLED);

Deno.test("the instructions contain only what applies", () => {
  const plan = of(copyExample("plan"));
  assert.ok(
    plan.includes("plan_next") && !plan.includes("refrakt_inspect") && !plan.includes("ralph_"),
  );
  const site = of(copyExample("site"));
  assert.ok(site.includes("refrakt_reference") && !site.includes("plan_next"));
  assert.match(of(copyExample("two-sites")), /^This project: sites main, blog\./);
  assert.ok(of(makeProject()).includes("plan_init"));
  assert.ok(of(makeProject(), ["ralph"]).includes("ralph_start"));
});

Deno.test("the instructions stay under two thousand characters, for any project", () => {
  const sites = Object.fromEntries(
    Array.from({ length: 300 }, (_, i) => [`site-number-${i}`, { contentDir: "c" }]),
  );
  const cwd = makeProject({
    "refrakt.config.json": JSON.stringify({ sites }),
    "plan/work/.gitkeep": "",
  });
  assert.ok(of(cwd, ["ralph"]).length < 2000, String(of(cwd, ["ralph"]).length));
});
