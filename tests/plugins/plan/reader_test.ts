import assert from "node:assert/strict";
import fc from "../../support/npm/fast_check.ts";
import { join } from "node:path";
import { contentsOf, type KnownSections } from "../../../plugins/plan/entity/contents.ts";
import { blanked, type Document, read } from "../../../plugins/plan/entity/document.ts";
import { VOCABULARIES } from "../../../plugins/plan/upstream/vocabularies.ts";
import { type Parse, readSections } from "../../../plugins/plan/upstream/sections.ts";
import { createServer } from "../../../mod.ts";
import { importVersion, packageFolder } from "../../../src/packages/load.ts";
import { openProject } from "../../../src/host/open_project.ts";
import { packagePolicy } from "../../../src/packages/package.ts";
import { LAB_VERSION } from "../../support/lab.ts";
import { makeProject, readTree } from "../../support/project.ts";
import { fullPlan, PLAN_BUNDLE, realPlan } from "../../support/real_plan.ts";
import { installPacked, NOT_PACKED } from "../../support/upstream.ts";

/** The plugin's own parser, which the server does not use. */
interface Oracle {
  readonly parse: Parse;
  readonly known: KnownSections;
}

const oracleOf = (parse: Parse, source: string): Oracle => (
  { parse, known: readSections(parse, source) }
);

// The server imports its own files before packages are loaded, and judged.
await createServer({ cwd: makeProject({}) });
const ORACLES: Record<string, Oracle> = {};
const code = packagePolicy(openProject(makeProject()));
const found = { name: "@refrakt-md/plan", version: LAB_VERSION, from: "tests", code };
const { parseFileContent } = await importVersion<Record<string, Oracle["parse"]>>(found, "scanner");
const core = new URL("dist/scanner-core.js", await packageFolder(found)).href;
const { default: source } = await import(core, { with: { type: "text" } });
ORACLES[LAB_VERSION] = oracleOf(parseFileContent!, source);
if (NOT_PACKED === undefined) {
  const cwd = makeProject({});
  await installPacked(cwd);
  const folder = join(cwd, "node_modules/@refrakt-md");
  // Deno resolves bare names for the packages of this checkout only.
  const text = Deno.readTextFileSync(join(folder, "plan/dist/scanner-core.js"))
    .replace("'@refrakt-md/runes'", () => JSON.stringify(`${folder}/runes/dist/fence-escape.js`));
  const { parseFileContent } = await import(
    join(makeProject({ "scanner.js": text }), "scanner.js")
  );
  ORACLES["0.29.0"] = oracleOf(parseFileContent, text);
}

for (const [version, { known }] of Object.entries(ORACLES)) {
  Deno.test(`plan ${version}: the table has the sections that the parser knows`, () => {
    const row = VOCABULARIES.find(({ versions }) => versions.includes(version))!;
    assert.deepEqual(known, row.sections);
  });
}

/**
 * What differs rightly in every file: comments and code are no text for us, `{% /work %}` ends, and a
 * criterion may go on in further lines.
 */
function asWeRead({ text, hidden, comments, entity }: Document): string {
  const lineOf = (offset: number) => text.slice(0, offset).split("\n").length - 1;
  const isFurther = (line: number) =>
    entity?.criteria.some(({ words: { start, end } }) =>
      lineOf(start) < line && line <= lineOf(end)
    );
  return blanked(text, comments).split("\n").map((line, index) => {
    const shown = hidden.has(index)
      ? line.replace(/^(?=\s*(?:- +\[|## |Completed:|Branch:|PR:))/, "·")
      : line;
    return isFurther(index) ? `\r${shown.trim()}` : `\n${shown}`;
  }).join("").slice(1).replace(/[^\S\r]*\r/g, " ");
}

const words = (text: unknown) => String(text ?? "").replace(/\s+/g, " ").trim();

/** The names of what the two parsers read differently in a text. */
function differences(text: string, { parse, known }: Oracle): string[] {
  const document = read(text);
  const theirs: Record<string, unknown> | null = parse(asWeRead(document), "x.md");
  const { entity } = document;
  if (entity === undefined || theirs === null) {
    return entity === undefined && theirs === null ? [] : ["entity"];
  }
  const {
    unclosed: _u,
    texts: _t,
    id: _i,
    names: _n,
    note: _o,
    resolutions: _r,
    bodyStart: _b,
    uncounted: _x,
    bareNames: _y,
    blocks: _z,
    ...contents
  } = contentsOf(document, entity, known);
  const ours: Record<string, unknown> = contents;
  const plain = (name: string, value: unknown) => {
    if (name === "title") return words(value);
    if (name !== "resolution" || value === undefined) return JSON.stringify(value);
    const { body, ...fields } = value as { body: string };
    return JSON.stringify([fields, words(body.replace(/\{% \/\w+ %\}/g, ""))]);
  };
  return Object.keys(ours).filter((name) => plain(name, ours[name]) !== plain(name, theirs[name]));
}

/** Files of the real plan in which something is not closed, which ends the plugin's reading. */
const UNCLOSED: Readonly<Record<string, string>> = {
  ...{ "WORK-117": "work", "WORK-118": "work", "WORK-119": "work", "WORK-120": "work" },
  ...{ "WORK-121": "work", "WORK-122": "work", "WORK-132": "ref", "WORK-183": "preview" },
  ...{ "WORK-184": "nav", "WORK-208": "fence", "WORK-221": "palette", "WORK-223": "tint" },
  ...{ "WORK-224": "codegroup", "WORK-346": "work", "WORK-380": "work", "WORK-463": "sandbox" },
};

Deno.test("our reader reads what the plugin's parsers read, in files of real plans", () => {
  const plans = PLAN_BUNDLE === undefined ? [realPlan()] : [realPlan(), fullPlan()];
  for (const [version, oracle] of Object.entries(ORACLES)) {
    for (const cwd of plans) {
      const files = Object.entries(readTree(join(cwd, "plan")));
      for (const [index, [path, text]] of files.entries()) {
        const [, id = ""] = /(\w+-\d+)/.exec(path) ?? [];
        // Both parsers are slow: of the closed ones, every 48th will do.
        const isLeftOut = index % 48 !== 0 && !Object.hasOwn(UNCLOSED, id);
        if (isLeftOut || !path.endsWith(".md")) continue;
        const found = differences(text, oracle);
        assert.equal(found.length > 0, Object.hasOwn(UNCLOSED, id), `${version} ${path} ${found}`);
        if (found.length === 0) continue;
        assert.ok(found.every((name) => ["criteria", "resolution"].includes(name)), String(found));
        assert.ok(read(text).entity!.unclosed!.message.includes(UNCLOSED[id]!), path);
      }
    }
  }
});

Deno.test("our reader reads what the plugin's parsers read, in generated texts", () => {
  const piece = fc.constantFrom(
    '{% work id="WORK-001" status="ready" %}\n',
    '{% bug id="BUG-002"\n  status="fixed" %}\n',
    "{% /work %}\n",
    "{% /bug %}\n",
    "# Title\n",
    "# A `code` title {% #x %}\n",
    "## Dependencies\n",
    "## **Blocked** by\n",
    "  ## Resolution\n",
    "## deps {% #y %}\n",
    "## Resolution\nPR: #4\n",
    "# Second\n",
    "### AC\n",
    "Completed: 2026-01-01\n",
    "Branch: `x`\n",
    ...["<!-- ", "-->", "-->\n", "<!--\n", "```\n", "~~~md\n", "---\n", "---\ntitle: x\n---\n"],
    ...["- [ ] One\n", "> quoted\n", "  ", "    ", "text ", "\n", "\n\n", "`", "\\"],
    '{% ref "WORK-009" /%}',
    '- {% xref "WORK-008" label="x" /%}\n',
    '\n{% ref "WORK-007" /%}\n',
    '`{% ref "WORK-006" /%}`',
    '| {% ref "WORK-005" /%} | b |\n|--|--|\n| c | {% ref "WORK-004" %}x{% /ref %} |\n',
    ...["{% hint %}\n", "{% /hint %}\n", "{% comment %}\n", "{% /comment %}\n", "{% work id="],
  );
  const titles =
    "Title;A `code` word;*a* & ~~b~~ _c_;a | b;`` ` ``;[a](b);Ends #;# #;&amp\\;\t\u2028";
  const title = fc.array(fc.constantFrom(...titles.split(";")), { minLength: 1, maxLength: 3 });
  const tag = fc.constantFrom(
    '{% work id="WORK-001" status="ready" %}\n\n',
    '\n{% spec id="SPEC-1" tags="<!-- a, b" source="a | b" id="SPEC-2" %}\n',
    '{% milestone name="v1" toString="é ;" %}\n',
    '{% bug id="\t" %}\n\n',
  );
  const body = fc.array(piece, { minLength: 1, maxLength: 14 }).map((pieces) => pieces.join(""));
  const below = fc.constantFrom("", "--|--\n", "===\n");
  const headed = fc.tuple(tag, title, below, body).map(([tag, words, below, body]) =>
    `${tag}# ${words.join(" ")}\n${below}${body}\n\n{% /${/\w+/.exec(tag)![0]} %}\n`
  );
  for (const oracle of Object.values(ORACLES)) {
    for (const [texts, wanted] of [[body, 1], [headed, 40]] as const) {
      let same = 0;
      const check = (text: string) => {
        const found = differences(text, oracle);
        const { entity } = read(text);
        // For the plugin, a closing tag without an opening one is an entity.
        if (entity === undefined) return found.length === 0 || text.includes("{% /");
        if (entity.unclosed !== undefined || /\{% \//.test(text.slice(0, entity.tag.start))) {
          return true;
        }
        // It takes a closing fence for an opening one if that is indented.
        if (/^[ >]+(?:`{3}|~{3})/m.test(text)) return true;
        same++;
        // It knows one spelling of the heading, and ends the section only at a level-2 heading.
        return found.length === 0 ||
          found.join() === "resolution" && / {2}## Res|## Res[^]*\n\W*# /.test(text);
      };
      fc.assert(fc.property(texts, check), { numRuns: 200, seed: 7 });
      assert.ok(same >= wanted, `${same} closed`);
    }
  }
});
