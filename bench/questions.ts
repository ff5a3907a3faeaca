/**
 * What twenty ordinary questions about a plan cost an agent: calls and characters, with these
 * tools, with the refrakt CLI and Unix tools, and with the shapes of the Node server (text and
 * structured content, both pretty-printed, and plain files if it has no tool).
 *
 * Run: `deno run -A bench/questions.ts`
 */

import { join } from "node:path";
import { lab } from "../tests/support/lab.ts";
import { fullPlan, PLAN_BUNDLE, withoutCli } from "../tests/support/real_plan.ts";
import { withServer } from "../tests/support/server.ts";
import { table, writeSection } from "./results.ts";

/** What the questions are about. */
interface Facts {
  item: string;
  other: string;
  withheld: string;
  milestone: string;
  spec: string;
  word: string;
  since: string;
}

interface Question {
  asks: string;
  ours: (facts: Facts) => [tool: string, input: Record<string, unknown>][];
  cli: (facts: Facts) => string[];
  /** The calls of the Node server, if it has a tool; else those of the CLI's side. */
  node?: (facts: Facts) => [tool: string, input: Record<string, unknown>][];
}

const file = (id: string) => `$(grep -rlE 'id="${id}"' plan | head -1)`;
const heads = "xargs grep -hE '^(\\{% (work|bug|spec|decision)|# )'";

const QUESTIONS: Question[] = [
  {
    asks: "What is next?",
    ours: () => [["plan.next", {}]],
    cli: () => ["refrakt plan next"],
    node: () => [["plan.next", {}]],
  },
  {
    asks: "How does the plan stand?",
    ours: () => [["plan.status", {}]],
    cli: () => ["refrakt plan status"],
    node: () => [["plan.status", {}]],
  },
  {
    asks: "How many open items has each milestone?",
    ours: () => [["plan.list", { open: true, type: "work", groupBy: "milestone" }]],
    cli: () => ["grep -rhE '^\\{% work ' plan | grep -v 'status=\"done\"'"],
  },
  {
    asks: "What is open in a milestone, by priority?",
    ours: ({ milestone }) => [
      ["plan.list", {
        milestone,
        open: true,
        type: "work",
        sort: "priority",
        fields: ["priority"],
      }],
    ],
    cli: ({ milestone }) => [
      `grep -rlE '^\\{% work .*milestone="${milestone}"' plan | xargs grep -LE 'status="done"' | ${heads}`,
    ],
  },
  {
    asks: "What does an item say?",
    ours: ({ item }) => [["plan.get", { id: item }]],
    cli: ({ item }) => [`cat ${file(item)}`],
  },
  {
    asks: "What does its spec say?",
    ours: ({ spec }) => [["plan.get", { id: spec }]],
    cli: ({ spec }) => [`cat ${file(spec)}`],
  },
  {
    asks: "Which items implement that spec?",
    ours: ({ spec }) => [["plan.list", { source: spec }]],
    cli: ({ spec }) => [`grep -rlE 'source="[^"]*${spec}' plan | ${heads}`],
  },
  {
    asks: "Where is something mentioned?",
    ours: ({ word }) => [["plan.list", { text: word, limit: 10 }]],
    cli: ({ word }) => [`grep -rinE '${word}' plan --include=*.md | cut -c1-220 | head -40`],
  },
  {
    asks: "Which criteria of an item are open?",
    ours: ({ item }) => [["plan.get", { id: item, fields: ["criteria"] }]],
    cli: ({ item }) => [`grep -nE '^ *- \\[ \\]' ${file(item)}`],
  },
  {
    asks: "Why is an item not offered?",
    ours: () => [["plan.next", { explain: true }]],
    cli: ({ withheld }) => [
      `cat ${file(withheld)}`,
      `for id in $(grep -oE 'ref "[^"]+"' ${file(withheld)} | cut -d'"' -f2 | sort -u); do ` +
      `grep -rhE "^\\{% [a-z]+ id=\\"$id\\"" plan; done`,
    ],
  },
  {
    asks: "Take an item up.",
    ours: ({ item }) => [["plan.update", { id: item, status: "in-progress", assignee: "Ada" }]],
    cli: ({ item }) => [`refrakt plan update ${item} --status in-progress --assignee Ada`],
    node: ({ item }) => [["plan.update", { id: item, status: "in-progress", assignee: "Ada" }]],
  },
  {
    asks: "Tick three criteria.",
    ours: ({ item }) => [["plan.update", { id: item, check: [1, 2, 3] }]],
    cli: ({ item }) =>
      Array.from(
        { length: 3 },
        () =>
          `refrakt plan update ${item} --check "$(grep -E '^ *- \\[ \\]' ${
            file(item)
          } | head -1 | ` +
          `sed -E 's/^ *- \\[ \\] //')"`,
      ),
  },
  {
    asks: "Write its approach.",
    ours: ({ item }) => [["plan.update", { id: item, sections: { Approach: "In two steps." } }]],
    cli: ({ item }) => [
      `cat ${file(item)}`,
      `python3 -c 'import sys' && grep -nE '^## ' ${file(item)}`,
    ],
  },
  {
    asks: "Finish an item with a resolution.",
    ours: ({ other }) => [
      ["plan.update", { id: other, check: "all", status: "done", resolve: "It is done." }],
    ],
    cli: ({ other }) => [
      `grep -nE '^ *- \\[' ${file(other)}`,
      `sed -i 's/- \\[ \\]/- [x]/' ${file(other)}`,
      `refrakt plan update ${other} --status done --resolve 'It is done.'`,
    ],
  },
  {
    asks: "File a bug with its steps.",
    ours: () => [["plan.create", {
      type: "bug",
      title: "It blinks",
      sections: { "Steps to Reproduce": "1. Look", Expected: "Light", Actual: "Dark" },
    }]],
    cli: () => [
      "refrakt plan create bug --title 'It blinks'",
      "cat $(grep -rlE '# It blinks' plan)",
      "sed -i 's/What should happen./Light/; s/What actually happens./Dark/' $(grep -rlE '# It blinks' plan)",
    ],
  },
  {
    asks: "Create a work item with criteria.",
    ours: ({ milestone, spec }) => [["plan.create", {
      type: "work",
      title: "Dim the light",
      attrs: { milestone, source: spec, priority: "high" },
      sections: { description: "It is too bright." },
      criteria: ["It is dim", "It can be set"],
    }]],
    cli: ({ milestone }) => [
      `refrakt plan create work --title 'Dim the light' --milestone ${milestone} --priority high`,
      "cat $(grep -rlE '# Dim the light' plan)",
      "sed -i 's/First criterion/It is dim/' $(grep -rlE '# Dim the light' plan)",
    ],
  },
  {
    asks: "What changed lately?",
    ours: ({ since }) => [["plan.history", { since, limit: 20 }]],
    cli: ({ since }) => [`refrakt plan history --since ${since} --limit 20`],
  },
  {
    asks: "How much was finished since then?",
    ours: ({ since }) => [["plan.history", { since, summary: true }]],
    cli: ({ since }) => [
      `git log --since=${since} -p --format='%h %ad' --date=short -U0 -- plan | ` +
      "grep -E '^[0-9a-f]{7} |^[-+]\\{% ' | cut -c1-160",
    ],
  },
  {
    asks: "Is the plan sound?",
    ours: () => [["plan.validate", {}]],
    cli: () => ["refrakt plan validate"],
    node: () => [["plan.validate", {}]],
  },
  {
    asks: "Which decisions and specs are still open?",
    ours: () => [["plan.list", { type: ["decision", "spec"], open: true }]],
    cli: () => [
      `grep -rlE '^\\{% (decision|spec) .*status="(proposed|draft|review|accepted)"' plan | ${heads}`,
    ],
  },
];

interface Cost {
  calls: number;
  characters: number;
}

if (PLAN_BUNDLE === undefined) throw new Error("../shared/data/refrakt-plan.bundle is missing");
const FACTS: Facts = {
  item: "WORK-094",
  other: "WORK-055",
  withheld: "WORK-052",
  milestone: "v1.0.0",
  spec: "SPEC-031",
  word: "tree-shak",
  since: "2026-07-10",
};
const cwd = fullPlan();
const ours = await withTools(cwd, (question) => question.ours(FACTS), 1);
const cli = await withCli(cwd, FACTS);
// The Node server returns the CLI's JSON, twice.
const node = await withTools(cwd, (question) => question.node?.(FACTS) ?? [], 2);
const rows = QUESTIONS.map(({ asks, node: tools }, index) => {
  const theirs = tools === undefined ? cli[index]! : node[index]!;
  return { asks, costs: [ours[index]!, cli[index]!, theirs] };
});
const sums = [0, 1, 2].map((side) =>
  rows.reduce<Cost>((sum, { costs }) => ({
    calls: sum.calls + costs[side]!.calls,
    characters: sum.characters + costs[side]!.characters,
  }), { calls: 0, characters: 0 })
);
const cells = (costs: Cost[]) =>
  costs.flatMap(({ calls, characters }) => [String(calls), String(characters)]);
Deno.removeSync(cwd, { recursive: true });
await writeSection(
  "Twenty questions about a plan",
  "The calls that an agent makes on the real plan, and the characters that it reads: with these " +
    "tools, with the refrakt CLI and Unix tools, and with the Node server (each answer as text " +
    "and as data; plain files if it has no tool). `deno run -A bench/questions.ts`\n\n" +
    table([
      ["question", "calls", "characters", "CLI: calls", "characters", "Node: calls", "characters"],
      ...rows.map(({ asks, costs }) => [asks, ...cells(costs)]),
      ["**all**", ...cells(sums)],
    ]),
);

/** What a client reads that shows the structured content to the model. */
async function withTools(
  cwd: string,
  callsOf: (question: Question) => [string, Record<string, unknown>][],
  times: 1 | 2,
): Promise<Cost[]> {
  const copy = copyOf(cwd);
  const costs: Cost[] = [];
  await withServer(copy, async ({ call }) => {
    for (const question of QUESTIONS) {
      const calls = callsOf(question);
      let characters = 0;
      for (const [name, input] of calls) {
        const reads = ["plan.next", "plan.status", "plan.validate"].includes(name);
        const full = times === 2 && reads ? { detail: "full" } : {};
        const answer = await call(name, { ...input, ...full });
        if (answer.isError) throw new Error(`${question.asks} ${answer.content[0].text}`);
        characters += times === 1
          ? JSON.stringify(answer.structuredContent).length
          : 2 * JSON.stringify(answer.structuredContent, null, 2).length;
      }
      costs.push({ calls: calls.length, characters });
    }
  });
  Deno.removeSync(copy, { recursive: true });
  return costs;
}

/** The output of a shell, errors included. */
async function withCli(cwd: string, facts: Facts): Promise<Cost[]> {
  const copy = copyOf(cwd);
  const modules = join(await lab(), "node_modules");
  Deno.writeTextFileSync(
    join(copy, "package.json"),
    '{ "devDependencies": { "@refrakt-md/plan": "*" } }',
  );
  Deno.symlinkSync(modules, join(copy, "node_modules"));
  const refrakt = `refrakt() { node "${modules}/@refrakt-md/cli/dist/bin.js" "$@"; }; `;
  const costs: Cost[] = [];
  for (const question of QUESTIONS) {
    const commands = question.cli(facts);
    let characters = 0;
    for (const command of commands) {
      const { stdout, stderr } = await new Deno.Command("bash", {
        args: ["-c", refrakt + command],
        cwd: copy,
      }).output();
      characters += new TextDecoder().decode(stdout).length +
        new TextDecoder().decode(stderr).length;
    }
    costs.push({ calls: commands.length, characters });
  }
  withoutCli(copy);
  Deno.removeSync(copy, { recursive: true });
  return costs;
}

function copyOf(cwd: string): string {
  const copy = Deno.makeTempDirSync({ prefix: "refrakt-bench-" });
  new Deno.Command("cp", { args: ["-a", `${cwd}/.`, copy] }).outputSync();
  return Deno.realPathSync(copy);
}
