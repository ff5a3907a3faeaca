import assert from "node:assert/strict";
import { commitAll, entity, makeProject, planFile, writeFiles } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { WIDE_PLAN } from "./plan.ts";

Deno.test("plan_validate groups problems by kind", async (test) => {
  const broken = (id: string, target: string, status = "ready") =>
    entity(
      "work",
      { id, status, milestone: "v1.0.0" },
      id,
      `## Acceptance Criteria\n- [ ] One\n\n## References\n- {% ref "${target}" /%}\n`,
    );
  const cwd = makeProject({
    ...WIDE_PLAN,
    "plan/work/WORK-010-a.md": broken("WORK-010", "WORK-900"),
    "plan/work/WORK-011-b.md": broken("WORK-011", "WORK-901"),
    "plan/work/WORK-012-c.md": broken("WORK-012", "WORK-001", "begun"),
    "plan/work/WORK-013-d.md": broken("WORK-013", "WORK-001", "going"),
  });
  const kinds = ({ groups }: { groups: { type: string; count: number }[] }) =>
    groups.map(({ type, count }) => `${type} ${count}`);
  await inProcess(cwd, async ({ ok, call }) => {
    await test.step("each kind is one group with its count, a sentence and the ids", async () => {
      const { groups, counts, exitCode, scanned } = await ok("plan_validate");
      assert.deepEqual([counts.errors, exitCode, scanned], [4, 1, 15]);
      assert.deepEqual(groups[0], {
        type: "broken-ref",
        severity: "error",
        count: 2,
        message: "{id} references {target} — entity not found",
        ids: ["WORK-010", "WORK-011"],
      });
      assert.equal(
        groups[1].message,
        '{id} has invalid status "begun" for type work (1); ' +
          '{id} has invalid status "going" for type work (1)',
      );
    });
    await test.step("filters narrow the groups and their counts", async () => {
      assert.deepEqual(kinds(await ok("plan_validate", { id: "WORK-010" })), ["broken-ref 1"]);
      const errors = await ok("plan_validate", { severity: "error", milestone: "v1.0.0" });
      assert.deepEqual(kinds(errors), ["broken-ref 2", "invalid-status 2"]);
      assert.deepEqual(errors.counts, { errors: 4, warnings: 0, info: 0 });
      const one = await ok("plan_validate", { type: ["invalid-status"] });
      assert.deepEqual(kinds(one), ["invalid-status 2"]);
      const none = await ok("plan_validate", { type: "brokn-ref" });
      assert.deepEqual([none.groups, none.exitCode], [[], 0]);
      assert.ok(none.kinds.includes("broken-ref"));
      assert.equal((await call("plan_validate", { id: "WORK-0010" })).errorCode, "NOT_FOUND");
      assert.equal((await call("plan_validate", { milestone: "v2" })).errorCode, "NOT_FOUND");
    });
    await test.step("with detail full it lists every problem, filtered too", async () => {
      const { issues, groups } = await ok("plan_validate", { detail: "full", type: "broken-ref" });
      assert.equal(groups, undefined);
      assert.deepEqual(issues.map(({ target }: { target: string }) => target), [
        "WORK-900",
        "WORK-901",
      ]);
    });
    await test.step("strict makes errors of the CLI's warnings, and of no others", async () => {
      const of = async (input: object) => {
        const { issues } = await ok("plan_validate", { detail: "full", ...input });
        return (issues as { type: string; severity: string }[])
          .filter(({ severity }) => severity === "warning").map(({ type }) => type);
      };
      const own =
        "further-entity hidden-characters mention-blocks none-offered open-dependency unclosed uncounted-box uncounted-dependency"
          .split(
            " ",
          );
      const usual = await of({});
      assert.ok(usual.some((type) => !own.includes(type)), usual.join());
      assert.deepEqual(await of({ strict: true }), usual.filter((type) => own.includes(type)));
    });
  });
});

Deno.test("plan_validate { since } reports only what is new since a commit, and how many problems are gone", async () => {
  const refers = (id: string) => `See {% ref "${id}" /%}.\n`;
  const cwd = makeProject({
    ...planFile("WORK-001", { status: "ready" }, refers("WORK-404")),
    ...planFile("WORK-002", { status: "ready" }, refers("WORK-405")),
  });
  commitAll(cwd, "Begin");
  await inProcess(cwd, async ({ ok, call }) => {
    const found = async (since: string) => {
      const { issues, gone, goneKinds } = await ok("plan_validate", { since, detail: "full" });
      if (gone > 0) assert.ok(goneKinds["broken-ref"] <= gone, JSON.stringify(goneKinds));
      const broken = issues.filter(({ type }: { type: string }) => type === "broken-ref");
      return [
        broken.map(({ source, target }: Record<string, string>) => `${source} ${target}`),
        gone,
      ];
    };
    assert.deepEqual(await found("HEAD"), [[], 0]);
    writeFiles(cwd, {
      ...planFile("WORK-002", { status: "ready" }, "Text.\n"),
      ...planFile("WORK-003", { status: "ready" }, refers("WORK-406")),
    });
    const [added, gone] = await found("HEAD");
    assert.deepEqual(added, ["WORK-003 WORK-406"]);
    assert.ok(gone >= 1, JSON.stringify(gone));
    commitAll(cwd, "Go on");
    assert.deepEqual(await found("main"), [[], 0]);
    assert.deepEqual((await found("HEAD~1"))[0], added);
    for (const since of ["nope", "-n1", "main..HEAD", "HEAD\n"]) {
      assert.equal((await call("plan_validate", { since })).errorCode, "INVALID_ARGS", since);
    }
  });
});

Deno.test("a plan whose cycles the plugin cannot list is validated, with their number and the limit", async (test) => {
  const files = (count: number, dependenciesOf: (at: number) => readonly number[]) => {
    const idOf = (at: number) => `WORK-${1000 + at}`;
    const texts = Array.from({ length: count }, (_, at) => {
      const refs = dependenciesOf(at).map((other) => `- {% ref "${idOf(other)}" /%}\n`).join("");
      return planFile(idOf(at), { status: "ready" }, `## Dependencies\n\n${refs}`);
    });
    return Object.assign({}, ...texts) as Record<string, string>;
  };
  const circular = { type: "circular-dependency", detail: "full" };
  const last = 3099;
  const chain = files(last + 1, (at) => at < last ? [at + 1] : []);
  await inProcess(makeProject(chain), async ({ ok, call }) => {
    await test.step("a chain has none, and no entity may close it", async () => {
      assert.deepEqual((await ok("plan_validate", circular)).issues, []);
      const { errorCode, content } = await call("plan_update", {
        id: `WORK-${1000 + last}`,
        dependsOn: ["WORK-1000"],
      });
      assert.equal(errorCode, "VALIDATION_ERROR");
      assert.match(content[0].text, /WORK-4099 → WORK-1000 → .* → 3080 more → WORK-4099/);
    });
    await test.step("what becomes available after what is found in one pass", async () => {
      const { ahead, longestChain, leftOut } = await ok("plan_next", { ahead: 2 });
      assert.deepEqual(ahead.map(({ id }: { id: string }) => id), ["WORK-4098", "WORK-4097"]);
      assert.equal(longestChain.length, 50);
      assert.deepEqual(leftOut, ["longestChain: 3050 more"]);
    });
  });
  const ring = files(last + 1, (at) => [(at + 1) % (last + 1)]);
  const dense = files(80, (at) => Array.from({ length: 80 }, (_, other) => (at + other) % 80));
  const cases = [
    [ring, "3,100 entities in one path, at most 3,000"],
    [dense, /^Circular dependencies are not listed: \d\d,\d{3} entities in all cycles, at most/],
  ] as const;
  for (const [plan, expected] of cases) {
    await inProcess(makeProject(plan), async ({ ok }) => {
      const { issues } = await ok("plan_validate", circular);
      assert.equal(issues.length, 1);
      assert.match(issues[0].message, new RegExp(expected));
    });
  }
});

Deno.test("plan_validate counts the headings Resolution without reading files again", async () => {
  const twice = "## Resolution\n\nDone.\n\n## Resolution\n\n```\n## Resolution\n```\n";
  const cwd = makeProject(planFile("WORK-001", { status: "done" }, twice));
  await inProcess(cwd, async ({ ok }) => {
    const asked = { type: "multiple-resolutions", detail: "full" };
    const { issues } = await ok("plan_validate", asked);
    assert.match(issues[0].message, /WORK-001 has 2 Resolution sections/);
    const strict = await ok("plan_validate", { ...asked, strict: true });
    assert.equal(strict.issues[0].severity, "error");
  });
});
