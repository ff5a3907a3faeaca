import assert from "node:assert/strict";
import { join } from "node:path";
import { entity, makeProject, SMALL_PLAN } from "../../../support/project.ts";
import { README_PERMISSIONS, type StartOptions, withServer } from "../../../support/server.ts";
import { NOT_UNIX, testUnless } from "../../../support/skip.ts";

const HIDDEN = ["plan/work/closed", "plan/work/WORK-011-secret.md"];

function projectWithHidden(): string {
  return makeProject({
    ...SMALL_PLAN,
    "plan/work/closed/WORK-010-inside.md": entity("work", { id: "WORK-010" }, "Inside", ""),
    "plan/work/WORK-011-secret.md": entity("work", { id: "WORK-011" }, "Secret", ""),
  });
}

/** Every read tool answers for the rest and lists both; every write tool works. */
async function checkRest(cwd: string, options: StartOptions): Promise<void> {
  await withServer(cwd, async ({ ok, call, read, client }) => {
    const list = await ok("plan_list");
    assert.equal(list.total, 6);
    const cases = [
      ["plan_list", {}],
      ["plan_next", {}],
      ["plan_get", { id: "WORK-001" }],
      ["plan_board", { show: "cards" }],
      ["plan_next_id", { type: "work" }],
      ["plan_status", { milestone: "v1.0.0" }],
      ["plan_validate", { id: "WORK-001" }],
      ["plan_update", { id: "WORK-001", assignee: "Ada" }],
    ] as const;
    for (const [name, input] of cases) {
      const { unreadable } = await ok(name, input);
      for (const path of HIDDEN) {
        assert.ok(unreadable?.includes(path.slice("plan/".length)), `${name}: ${unreadable}`);
      }
      assert.ok(!unreadable.includes(cwd), unreadable);
    }
    for (const name of ["plan_status", "plan_validate"]) {
      const answer = JSON.stringify(await ok(name, { detail: "full" }));
      for (const path of HIDDEN) {
        assert.match(answer, new RegExp(`${path.slice(5)}\\\\" cannot be read`), name);
      }
    }
    const { notes } = await ok("refrakt_query", { sql: "select count(*) from entities" });
    for (const path of HIDDEN) assert.match(notes.join(), new RegExp(path.slice("plan/".length)));
    const index = JSON.parse(await read("refrakt://plan/index"));
    assert.equal(index.total, 6);
    for (const path of HIDDEN) assert.ok(index.unreadable.includes(path.slice("plan/".length)));
    for (const [name, given] of [["plan_triage", {}], ["plan_work", { id: "WORK-001" }]] as const) {
      const { messages } = await client.getPrompt({ name, arguments: given });
      assert.match(JSON.stringify(messages.at(-1)), /WORK-011-secret\.md\\+" cannot be read/, name);
    }
    const missing = await call("plan_update", { id: "WORK-011", status: "done" });
    assert.equal(missing.errorCode, "NOT_FOUND");
    assert.match(missing.hint!, /WORK-011-secret\.md" cannot be read/);
    // The file's name shows that the id is taken.
    assert.equal((await ok("plan_create", { type: "work", title: "Next" })).id, "WORK-012");
  }, options);
}

Deno.test("unreadable files and folders do not affect others, and every answer lists them", async () => {
  await checkRest(projectWithHidden(), {
    grants: [...README_PERMISSIONS, `--deny-read=${HIDDEN.join(",")}`],
  });
});

/** Without these capabilities, root has the same read permissions as other users. */
const AS_OTHERS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];

function isModeHeld(): boolean {
  if (Deno.uid() !== 0) return true;
  try {
    return new Deno.Command(AS_OTHERS[0]!, { args: [...AS_OTHERS.slice(1), "true"] })
      .outputSync().success;
  } catch {
    return false;
  }
}

testUnless(
  NOT_UNIX ?? (isModeHeld() ? undefined : "root reads whatever the mode is, without setpriv"),
  "the same of a file and a folder that the system does not let be read",
  async () => {
    const cwd = projectWithHidden();
    for (const path of HIDDEN) Deno.chmodSync(join(cwd, path), 0o000);
    try {
      await checkRest(cwd, Deno.uid() === 0 ? { prefix: AS_OTHERS } : {});
    } finally {
      for (const path of HIDDEN) Deno.chmodSync(join(cwd, path), 0o755);
    }
  },
);
