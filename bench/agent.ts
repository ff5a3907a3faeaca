/**
 * What the jobs of `agent_jobs.ts` cost an agent: calls, and characters read and typed, the tool
 * list included.
 *
 * Run: `deno run -A bench/agent.ts [-v]`; `-v` prints every call with the length of its answer.
 */

import { publish, TRUSTED } from "../tests/support/published.ts";
import type { Session } from "../tests/support/server.ts";
import { fullPlan, PLAN_BUNDLE } from "../tests/support/real_plan.ts";
import { planOfMany } from "../tests/support/plan_of_many.ts";
import { NOT_PACKED, packedProject } from "../tests/support/upstream.ts";
import { makeProject, writeFiles } from "../tests/support/project.ts";
import { runProcess } from "../tests/support/process.ts";
import {
  type Call,
  HARDER,
  type Job,
  MANY,
  ORDINARY,
  PAGE_QUESTIONS,
  PLAN_QUESTIONS,
  type Question,
  RALPH,
} from "./agent_jobs.ts";
import { printSection, table } from "./results.ts";

await using server = await publish();
const PROMPTS = ["plan_release_notes"];
const rows: string[][] = [["job", "calls", "characters"]];
if (PLAN_BUNDLE !== undefined) {
  await measure("Ordinary, on the real plan", fullPlan(), [], ORDINARY, "under 25 and 42,000");
  await compare("Unforeseen, on the real plan", fullPlan(), [], PLAN_QUESTIONS);
}
if (NOT_PACKED === undefined) {
  await measure(
    "Harder, on plan and pages",
    (await packedProject()).root,
    [...TRUSTED, "--allow-write=plan,site"],
    HARDER,
    "under 38 and 72,000",
  );
  const { root } = await packedProject();
  await compare("Unforeseen, on plan and pages", root, TRUSTED, PAGE_QUESTIONS);
}
await measure("Many things at once, on 50 items", planOfMany(), [], MANY, "5 and 5,000");
await measure(
  "Ralph, in an empty folder",
  makeProject(),
  ["--no-config", "--allow-write=specs,.gitignore"],
  RALPH,
  "under 30 and 25,000, without the list",
  ["--plugin", "ralph", "--tools", "ralph"],
);
printSection(
  "An agent's jobs",
  "The calls that an agent makes and the characters that it reads, including the list of tools." +
    `\n\n${table(rows)}`,
);

/** Does the jobs on one server, one after the other. */
async function measure(
  title: string,
  cwd: string,
  flags: readonly string[],
  jobs: readonly Job[],
  wanted: string,
  args: readonly string[] = [],
): Promise<void> {
  let [allCalls, all] = [0, 0];
  const add = (name: string, calls: number, characters: number) => {
    rows.push([name, String(calls), String(characters)]);
    [allCalls, all] = [allCalls + calls, all + characters];
  };
  await server.serve(
    cwd,
    flags,
    async (session) => {
      const { tools } = await session.client.listTools();
      const seen: number[] = tools.map(
        ({ name, description, inputSchema }: typeof tools[number]) =>
          JSON.stringify({ name, description, inputSchema }).length,
      );
      rows.push([`**${title}**`, "", ""]);
      add("`tools/list`", 0, seen.reduce((sum, length) => sum + length, 0));
      for (const [asks, ...calls] of jobs) {
        let [characters, id] = [0, ""];
        for (const [name, input] of calls) {
          const given = input["id"] === "$id" ? { ...input, id } : input;
          const answer = await read(session, cwd, asks, [name, given]);
          if (Deno.args.includes("-v")) {
            Deno.stdout.writeSync(new TextEncoder().encode(`${answer.length} ${asks}: ${name}\n`));
          }
          characters += answer.length;
          id = /"items":\[\{"id":"([^"]+)"/.exec(answer)?.[1] ?? id;
        }
        add(asks, calls.length, characters);
      }
      rows.push([`**together** (${wanted})`, `**${allCalls}**`, `**${all}**`]);
    },
    {},
    args,
  );
}

/** Answers each question by a statement and by a shell command, what is typed included. */
async function compare(
  title: string,
  cwd: string,
  flags: readonly string[],
  questions: readonly Question[],
): Promise<void> {
  const jobs = questions.map(([asks, sql]): Job => [asks, ["refrakt_query", { sql }]]);
  const shell = await Promise.all(questions.map(async ([, , command]) => {
    const { stdout } = await runProcess("bash", ["-c", command], cwd);
    return stdout.length + command.length;
  }));
  const typed = questions.reduce((sum, [, sql]) => sum + sql.length, 0);
  await measure(title, cwd, flags, jobs, `${typed} typed besides`);
  const sum = shell.reduce((sum, length) => sum + length, 0);
  rows.push([`the same with CLI and grep: ${shell.join(", ")}`, String(shell.length), String(sum)]);
}

/** The text of an answer; an error ends the benchmark. */
async function read(
  session: Session,
  cwd: string,
  asks: string,
  [name, input]: Call,
): Promise<string> {
  if (name === "file") {
    writeFiles(cwd, { [String(input["path"])]: String(input["text"]) });
    return "";
  }
  if (PROMPTS.includes(name)) {
    const { messages } = await session.client.getPrompt({
      name,
      arguments: input as Record<string, string>,
    });
    return JSON.stringify(messages);
  }
  const answer = await session.call(name, input);
  if (answer.isError) throw new Error(`${asks} ${name}: ${answer.content[0].text}`);
  return answer.content.map((block) => block.text ?? "").join("");
}
