import assert from "node:assert/strict";
import { SkillsClient } from "../support/npm/client_v2.ts";
import { ERAS, withClients } from "../support/in_process.ts";
import { makeProject } from "../support/project.ts";
import { copyExample } from "../support/run.ts";

Deno.test("clients of the Skills extension list, read and verify skills", async (t) => {
  const cwd = copyExample("site-and-plan");
  await withClients({ cwd, plugins: ["ralph"] }, async (connect) => {
    for (const era of ERAS) {
      await t.step(era, () =>
        connect(async (client) => {
          const skills = new SkillsClient(client);
          assert.equal(skills.supported, true);
          const { skills: listed } = await skills.list();
          assert.deepEqual(listed.map(({ uri }) => uri), [
            "skill://refrakt-run-ralph/SKILL.md",
            "skill://refrakt-triage-and-release/SKILL.md",
            "skill://refrakt-work-plan/SKILL.md",
            "skill://refrakt-write-page/SKILL.md",
          ]);
          for (const skill of listed) {
            const file = await skills.read(skill);
            assert.equal(file.verified, true);
            assert.match(file.body!, /^\s*# /);
            assert.deepEqual((await skills.get(skill.uri)).skill, skill);
          }
          await assert.rejects(skills.get("skill://nothing/SKILL.md"), /No such skill/);
        }, { era }));
    }
  });
});

Deno.test("projects without a plan or a site have no skills for them", () =>
  withClients({ cwd: makeProject() }, (connect) =>
    connect(async (client) => {
      const { skills } = await new SkillsClient(client).list();
      assert.deepEqual(skills, []);
    })));
