import assert from "node:assert/strict";
import { join } from "node:path";
import { entity, makeProject, SMALL_PLAN } from "../support/project.ts";
import { inProcess } from "../support/in_process.ts";

const PAGE = "---\ntitle: Täglich\n---\n\n# Täglich\n";
const WIDE = [...new TextEncoder().encode(PAGE)].flatMap((byte) => [byte, 0]);

/** A project with texts in other encodings, as PowerShell 5.1 and old editors write them. */
function project(): string {
  const cwd = makeProject({
    ...SMALL_PLAN,
    "refrakt.config.json": JSON.stringify({ site: { contentDir: "./content" } }),
    "content/index.md": `\uFEFF${PAGE}`,
  });
  const work = entity("work", { id: "WORK-020", status: "ready" }, "Wide", "Text.\n");
  const write = (path: string, bytes: number[]) =>
    Deno.writeFileSync(join(cwd, path), new Uint8Array(bytes));
  write("plan/work/WORK-020-wide.md", [
    0xff,
    0xfe,
    ...Array.from(work).flatMap((c) => [c.charCodeAt(0), 0]),
  ]);
  write("plan/work/WORK-021-latin.md", [...new TextEncoder().encode(work), 0xe4]);
  write("content/wide.md", [0xff, 0xfe, ...WIDE]);
  write("content/unmarked.md", WIDE);
  write("content/latin.md", [0x23, 0x20, 0xe4]);
  return cwd;
}

Deno.test("a text that is not UTF-8 is reported by file, and a byte order mark is read as one", async () => {
  const cwd = project();
  await inProcess(cwd, async ({ ok, call }) => {
    const reports = [
      JSON.stringify(await ok("plan_list")),
      JSON.stringify(await ok("plan_validate", { detail: "full" })),
    ];
    for (const report of reports) {
      assert.match(report, /WORK-020-wide\.md[\\"]* cannot be read: UTF-16 or binary, not UTF-8/);
      assert.match(report, /WORK-021-latin\.md[\\"]* cannot be read: Not UTF-8/);
    }
    const { groups } = await ok("refrakt_check");
    const checked = JSON.stringify(groups);
    for (const name of ["wide", "unmarked"]) {
      assert.match(checked, new RegExp(`content/${name}\\.md:1:1 UTF-16 or binary, not UTF-8`));
    }
    assert.match(checked, /content\/latin\.md:1:1 Not UTF-8/);
    const { rows } = await ok("refrakt_query", { sql: "select title from pages" });
    assert.ok(rows.flat().includes("Täglich"), JSON.stringify(rows));
    assert.match(
      JSON.stringify(await ok("refrakt_render", { path: "content/index.md" })),
      /Täglich/,
    );
    const answer = await call("refrakt_render", { path: "content/wide.md" });
    assert.equal(answer.errorCode, "VALIDATION_ERROR");
    assert.match(answer.hint!, /PowerShell 5\.1/);
  });
});
