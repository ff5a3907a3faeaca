import assert from "node:assert/strict";
import { inLab, putSpec, stateOf } from "./support.ts";

const PHASES = ["research", "requirements", "design", "tasks"];
const LINE = 'A line with "quotes" and <tags>.\n';

Deno.test("a text has at most 24,000 characters, however large the documents are", () =>
  inLab(async (lab) => {
    for (const size of [6_000, 200_000]) {
      const huge = LINE.repeat(size / LINE.length);
      const rows = Array.from(
        { length: size / 100 },
        (_, at) => `| FR-${at + 1} | ${LINE.trim()} |`,
      );
      for (const phase of PHASES) {
        putSpec(lab, "auth", { phase, quickMode: true });
        lab.write(
          "specs/auth/.progress.md",
          `# P\n\n## Original Goal\n\n${huge}\n\n## Learnings\n${huge}`,
        );
        for (const file of PHASES) {
          lab.write(`specs/auth/${file}.md`, `## Technical Decisions\n${huge}`);
        }
        lab.write("specs/auth/requirements.md", rows.join("\n"));
        const { text, ...data } = await lab.call(`ralph_${phase}`);
        assert.ok(text.length <= 24_000, `${phase} with ${size}: ${text.length}`);
        assert.ok(JSON.stringify(data).length < 2_000, "the data does not repeat the text");
        assert.match(text, /### When Complete/);
      }
      putSpec(
        lab,
        "auth",
        { phase: "execution" },
        `- [ ] 1.1 T\n  - ${huge.replaceAll("\n", "\n  ")}`,
      );
      const { text } = await lab.call("ralph_implement");
      assert.ok(text.length <= 24_000, `implement with ${size}: ${text.length}`);
      for (const tool of ["ralph_status", "ralph_check", "ralph_help"]) {
        assert.ok((await lab.text(tool)).length < 24_000, tool);
      }
    }
  }));

Deno.test("a document goes in whole, or as an outline with its path; never torn", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "tasks" });
    const body = Array.from({ length: 400 }, (_, at) => `Sentence ${at} of the body.`).join("\n");
    lab.write(
      "specs/auth/research.md",
      `# R\n\n${body}\n\n## Quality Commands\n| Lint | \`make lint\` |\n\n## Sources\n`,
    );
    lab.write(
      "specs/auth/requirements.md",
      `# Q\n- [ ] AC-1.1: holds\n\n${body}\n| FR-7 | seven |\n`,
    );
    lab.write(
      "specs/auth/design.md",
      `# D\n\n## Technical Decisions\n| db | sqlite |\n\n## Rest\n${body}`,
    );
    const text = await lab.text("ralph_tasks");
    for (const carried of ["`make lint`", "AC-1.1: holds", "| FR-7 | seven |", "| db | sqlite |"]) {
      assert.ok(text.includes(carried), carried);
    }
    const blocks = [
      ...text.matchAll(/DATA (\w+): specs\/auth\/(\w+)\.md(.*) -----\n([\s\S]*?)\n----- END \1/g),
    ];
    assert.deepEqual(blocks.map((block) => block[2]), ["research", "requirements", "design"]);
    for (const [, , name, note, shown] of blocks) {
      const sentences = shown!.match(/Sentence \d+ /g)?.length ?? 0;
      assert.ok(sentences === (note === "" ? 400 : 0), `${name}: ${sentences}`);
    }
    assert.equal(blocks[2]![3], "", "the document before is the one that is whole");
    assert.match(blocks[0]![3]!, /an outline; open the file for the rest/);
    assert.match(blocks[0]![4]!, /line \d+: ## Sources/);
  }));

Deno.test("nobody is told to ask and not to ask, and nothing asks for a CI that is not there", () =>
  inLab(async (lab) => {
    for (const quickMode of [true, false]) {
      for (const phase of PHASES) {
        putSpec(lab, "auth", { phase, quickMode }, "- [ ] 1.1 A\n");
        const text = await lab.text(`ralph_${phase}`);
        assert.equal(/nobody is asked/.test(text), quickMode, phase);
        if (quickMode) assert.doesNotMatch(text, /Ask the user|approv/, phase);
        for (const line of text.split("\n").filter((line) => /\bCI\b/.test(line))) {
          assert.match(line, /CI files|\| CI \||names a CI/, line);
        }
      }
      putSpec(lab, "auth", { phase: "execution", quickMode }, "- [ ] 1.1 A\n");
      assert.equal(/only the user can decide/.test(await lab.text("ralph_implement")), !quickMode);
    }
  }));

Deno.test("every heading that a role names stands in the template that it comes with", () =>
  inLab(async (lab) => {
    for (const phase of PHASES) {
      putSpec(lab, "auth", { phase });
      const text = await lab.text(`ralph_${phase}`);
      const template = /~~~~markdown\n([\s\S]*?)\n~~~~/.exec(text)![1]!;
      const role = text.slice(0, text.indexOf("### Template"));
      for (const [, heading] of role.matchAll(/\b[Uu]nder ((?:[A-Z][a-z]+ ?)+)/g)) {
        assert.ok(template.includes(`## ${heading!.trim()}`), `${phase}: ${heading}`);
      }
    }
    assert.match(await lab.text("ralph_tasks"), /Call `ralph_check` and mend what it reports/);
  }));

Deno.test("a document that is revised keeps its headings, and no template is sent along", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "research" });
    lab.write("specs/auth/research.md", "# Mine\n");
    const text = await lab.text("ralph_research");
    assert.match(text, /keep its headings/);
    assert.ok(!text.includes("### Template") && text.includes("# Mine"));
  }));

Deno.test("a long goal is shown at its beginning, with the place of the rest", () =>
  inLab(async (lab) => {
    const { name } = await lab.call("ralph_start", { goal: "word ".repeat(3_000), name: "long" });
    const text = await lab.text("ralph_research");
    assert.match(
      text,
      /word\n\(\d+ characters in all: read Original Goal in specs\/long\/\.progress\.md\)/,
    );
    assert.equal(stateOf(lab, name)["goal"].length, 14_999);
  }));

Deno.test("the instructions name no client's tools", () =>
  inLab(async (lab) => {
    for (const phase of PHASES) {
      putSpec(lab, "auth", { phase });
      const text = await lab.text(`ralph_${phase}`);
      assert.doesNotMatch(
        text,
        /\bTask tool\b|\bsubagent_type\b|\bjq\b|WebSearch|TodoWrite|Claude|Cursor|pnpm/,
      );
      assert.doesNotMatch(text, /(?:^|\s)\/ralph|\{\{/m);
    }
  }));
