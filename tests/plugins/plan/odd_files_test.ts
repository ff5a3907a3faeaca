import assert from "node:assert/strict";
import { inProcess } from "../../support/in_process.ts";
import { entity, makeProject, SMALL_PLAN } from "../../support/project.ts";
import { itemsOf } from "../../support/rows.ts";

const TAG = '{% work id="WORK-101" status="done" %}\n\n';
const BODY = "# Odd\n\n- [x] One\n- [ ] Two\n\n" +
  '## Dependencies\n\n- {% ref "WORK-001" /%}\n\n## Resolution\n\nCompleted: 2026-01-02\n\nSo.\n';
const END = "\n{% /work %}\n";
const HIDDEN = entity("work", { id: "WORK-008" }, "Hidden", "- [ ] Not me\n\n## Resolution\n");
const WHOLE = TAG + BODY + END;

/** What every tool says about a file: title, ticked and all criteria, date of resolution, depends. */
type Facts = readonly [
  title: string,
  ticked: number,
  all: number,
  resolved: string | undefined,
  depends: readonly string[],
];

const USUAL: Facts = ["Odd", 1, 2, "2026-01-02", ["WORK-001"]];

/** Odd files; those without facts of their own say the usual. */
const FILES: Readonly<Record<string, readonly [text: string, facts?: Facts]>> = {
  "the tag is not closed": [TAG + BODY],
  "a tag within is not closed": [WHOLE.replace("## Dep", "{% hint %}\nText\n\n## Dep")],
  "a fence is not closed": [
    `${TAG}${BODY}\n\`\`\`\n- [ ] Three\n\n## Dependencies\n- {% ref "WORK-002" /%}\n${END}`,
  ],
  "two tags in a file": [WHOLE + HIDDEN],
  "a tag in a code block before it": ["```\n" + HIDDEN + "```\n\n" + WHOLE],
  "a tag in a code block within it": [
    WHOLE.replace("## Dep", () => `\`\`\`md\n${HIDDEN}\`\`\`\n\n## Dep`),
  ],
  "a tag after the end of a comment": [`<!--\n${HIDDEN}--> {% work id="WORK-008" %}\n\n${WHOLE}`],
  "a heading and a reference in comments": [
    WHOLE.replace("# Odd", "<!--\n# Old\n-->\n\n# Odd").replace(
      "- {%",
      'Not <!-- {% ref "WORK-002" /%} --> that.\n- {%',
    ),
  ],
  "a comment in the title": [WHOLE.replace("# Odd", "# Odd<!-- ? -->")],
  "CRLF": [WHOLE.replaceAll("\n", "\r\n")],
  "a byte order mark": [`\uFEFF${WHOLE}`],
  "text before it": [`Some text.\n\n# Other\n\n${WHOLE}`],
  "sections of one name": [
    WHOLE.replace("## Res", '## Dependencies\n\n{% ref "WORK-002" /%}\n\n## Res') +
    "",
    ["Odd", 1, 2, "2026-01-02", ["WORK-001", "WORK-002"]],
  ],
  "a resolution in small letters": [WHOLE.replace("## Resolution", "##  resolution ##")],
  "a resolution of another level": [
    WHOLE.replace("## Resolution", "### Resolution"),
    ["Odd", 1, 2, undefined, ["WORK-001"]],
  ],
};

Deno.test("get, list, status, review, query and the board say the same about every odd file", async (test) => {
  const path = "plan/work/WORK-101-odd.md";
  const cwd = makeProject(SMALL_PLAN);
  await inProcess(cwd, async ({ ok, call }) => {
    const said: Record<string, () => Promise<Partial<Facts>>> = {
      get: async () => {
        const fields = ["title", "criteria", "resolution", "dependencies"];
        const got = await ok("plan_get", { id: "WORK-101", fields });
        const ticked = got.criteria?.filter((one: { checked?: boolean }) => one.checked).length;
        const resolved = /Completed: (\S+)/.exec(got.resolution ?? "")?.[1];
        const depends = (got.dependencies ?? []).map((one: { id: string }) => one.id ?? one);
        return [got.title, ticked, got.criteria?.length, resolved, depends];
      },
      list: async () => {
        const items = itemsOf(
          await ok("plan_list", {
            fields: ["criteria", "dependencies"],
            text: "odd",
          }),
        );
        const [ticked, all] = items[0].criteria.split("/").map(Number);
        return [items[0].title, ticked, all, , items[0].dependencies ?? []] as Partial<Facts>;
      },
      status: async () => {
        const { done } = await ok("plan_status", {});
        const one = done.find(({ id }: { id: string }) => id === "WORK-101");
        return [, , , one?.date] as unknown as Partial<Facts>;
      },
      review: async () => {
        const { findings } = await ok("plan_review", { id: "WORK-101" });
        const [, open, all] = /(\d+) of (\d+) criteria open/.exec(JSON.stringify(findings)) ?? [];
        if (open === undefined) return [];
        return [, Number(all) - Number(open), Number(all)] as unknown as Partial<Facts>;
      },
      query: async () => {
        const { rows } = await ok("refrakt_query", {
          sql:
            "select title, open, done, (select group_concat(to_id) from refs r where r.id=e.id and " +
            "kind='depends') from entities e where id='WORK-101'",
        });
        const [title, open, done, depends] = rows[0];
        return [title, done, open + done, , depends?.split(",") ?? []] as Partial<Facts>;
      },
      board: async () => {
        const { _meta } = await call("plan_board", { show: "cards" });
        const { cards } = Object(_meta?.["refrakt/board"]);
        const { title, criteria: [ticked, all] } = cards.find(({ id }: { id: string }) =>
          id === "WORK-101"
        );
        return [title, ticked, all];
      },
    };
    for (const [name, [text, facts = USUAL]] of Object.entries(FILES)) {
      await test.step(name, async () => {
        Deno.writeTextFileSync(`${cwd}/${path}`, text);
        for (const [tool, ask] of Object.entries(said)) {
          for (const [at, value] of Object.entries(await ask())) {
            assert.deepEqual(value, facts[Number(at)], `${tool}: ${name}: ${at}`);
          }
        }
        const { errorCode } = await call("plan_get", { id: "WORK-008" });
        assert.equal(errorCode, "NOT_FOUND");
      });
    }
  });
});

Deno.test("an entity whose opening tag is not valid is named, and its id is not given again", async () => {
  for (const tag of ['id="WORK-101 status="done"', 'id="WORK-101" "x"']) {
    const file = `Text.\n\n{% work ${tag} %}\n\n${BODY}${END}`;
    const cwd = makeProject({
      ...SMALL_PLAN,
      "plan/work/WORK-101-odd.md": file,
      // Not entities: an example, and what a comment hides.
      "plan/notes.md": `\`\`\`\n{% work ${tag} %}\n\`\`\`\n\n<!--\n{% work ${tag} %}\n-->\n`,
    });
    await inProcess(cwd, async ({ ok, call }) => {
      const named = '"work/WORK-101-odd.md" cannot be read: the tag in line 3 is not valid: ';
      for (const name of ["plan_list", "plan_next", "plan_next_id"]) {
        const { unreadable } = await ok(name, name === "plan_next_id" ? { type: "work" } : {});
        assert.ok(unreadable?.startsWith(named), `${name} ${tag}: ${unreadable}`);
        assert.ok(!unreadable.includes("notes.md"), unreadable);
      }
      const { groups } = await ok("plan_validate");
      assert.ok(JSON.stringify(groups).includes(JSON.stringify(named).slice(1, -1)));
      assert.equal((await ok("plan_next_id", { type: "work" })).nextId, "WORK-102");
      assert.ok((await call("plan_get", { id: "WORK-101" })).hint!.includes(named));
    });
  }
});
