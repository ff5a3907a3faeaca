import assert from "node:assert/strict";
import type { ServerOptions } from "../../mod.ts";
import { withClients } from "../support/in_process.ts";
import { entity, exists, makeProject, SMALL_PLAN, writeFiles } from "../support/project.ts";
import { copyExample, refrakt } from "../support/run.ts";
import { ROOT } from "../support/server.ts";

/** What reads like a tool and is none: files, fields and prompts. */
const NO_TOOLS =
  /^(?:refrakt\.config|plan\.dir|plan_(?:work|triage|spec|review|release_notes|standup))$/;

/** The fields of answers with our own words. */
const ADVICE = new Set("call enable fix hint message next note notes planStep use".split(" "));

const CALLS: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  ["refrakt_detect", {}],
  ["plan_init", { dir: "/" }],
  ["plan_next", { milestone: "none" }],
  ["plan_next", { explain: true }],
  ["plan_status", {}],
  ["plan_validate", {}],
  ["plan_review", {}],
  ["plan_list", { text: "zzz" }],
  ["plan_get", { id: "WORK-999" }],
  ["plan_history", { since: "1d" }],
  ["plan_update", { id: "WORK-001", status: "nope" }],
  ["plan_create", { type: "work" }],
  ["plan_claim", { id: "SPEC-001", assignee: "a" }],
  ["plan_undo", { token: "none" }],
  ["plan_merge", {}],
  ["plan_rename", { kind: "id", from: "WORK-999" }],
  ["plan.nxt", {}],
  ["refrakt_query", { sql: "select nothing" }],
  ["refrakt_reference", { rune: "hnt" }],
  ["refrakt_inspect", { rune: "hnt" }],
  ["refrakt_inspect_audit", { rune: "hnt" }],
  ["refrakt_render", { source: "{% hnt %}" }],
  ["refrakt_check", { site: "none" }],
  ["refrakt_edit", {}],
  ["ralph_status", {}],
  ["ralph_research", {}],
];

/** The texts with advice in an answer, one string. */
function adviceIn(value: unknown, isAdvice = false): string {
  if (typeof value === "string") return isAdvice ? value : "";
  if (typeof value !== "object" || value === null) return "";
  return Object.entries(value).map(([key, each]) => {
    if (key === "tool" && isAdvice) return String(each);
    return adviceIn(each, ADVICE.has(key) || isAdvice && Array.isArray(value));
  }).join("\n");
}

/** What flags may follow: these programs' own are not ours to know. */
const THEIRS = /(?:\bnpx (?:--package=\S+ )?|`)refrakt .*/g;

/** The flags of this program, and of the Deno that starts it. */
async function knownFlags(): Promise<Set<string>> {
  const own = (await refrakt(makeProject(), ["--no-such-flag"])).stderr;
  const denos = await new Deno.Command(Deno.execPath(), { args: ["run", "--help=full"] }).output();
  return new Set((own + new TextDecoder().decode(denos.stdout)).match(/--[a-z][a-z-]+/g));
}

/** Throws if a text names a flag or a page that does not exist. */
function checkNames(what: string, text: string, flags: ReadonlySet<string>): void {
  for (const [flag] of text.replace(THEIRS, "").matchAll(/(?<![\w-])--[a-z][a-z-]+/g)) {
    assert.ok(flags.has(flag), `${what} names ${flag}: ${text}`);
  }
  for (const [page] of text.matchAll(/\bdocs\/[\w-]+\.md/g)) {
    assert.ok(exists(`${ROOT}${page}`), `${what} names ${page}`);
  }
}

/** Doubles the id of an item, in a file whose name does not show it. */
function withDoubledId(cwd: string): string {
  const attributes = { id: "WORK-001", status: "ready", priority: "high" };
  writeFiles(cwd, { "plan/work/twice.md": entity("work", attributes, "Twice", "Text.") });
  return cwd;
}

const KINDS: readonly (readonly [kind: string, make: () => string, options: ServerOptions])[] = [
  ["nothing", () => makeProject(), {}],
  ["a plan, read-only", () => withDoubledId(makeProject(SMALL_PLAN)), { readOnly: true }],
  ["a plan and a site", () => withDoubledId(copyExample("site-and-plan")), { plugins: ["ralph"] }],
];

const flags = await knownFlags();

for (const [kind, make, options] of KINDS) {
  Deno.test(`each tool that a hint names is listed, or has a command of the shell: ${kind}`, () =>
    withClients({ cwd: make(), ...options }, (connect) =>
      connect(async (client) => {
        const listed = new Set((await client.listTools()).tools.map((tool) => tool.name));
        const said: [what: string, text: string, all: string][] = [];
        const say = (what: string, text: string, all = text) => said.push([what, text, all]);
        say("instructions", client.getInstructions() ?? "");
        for (const prompt of (await client.listPrompts()).prompts) {
          const args = { id: "WORK-001", title: "Search", rune: "hint", goal: "Greet" };
          try {
            const { messages } = await client.getPrompt({ name: prompt.name, arguments: args });
            for (const { content } of messages) {
              if (content.type === "text") say(prompt.name, content.text);
            }
          } catch (error) {
            say(prompt.name, JSON.stringify(error));
          }
        }
        for (const { uri } of (await client.listResources()).resources) {
          if (!/^skill:|prime$/.test(uri)) continue;
          const { contents: [content] } = await client.readResource({ uri });
          const text = (content as { text: string }).text;
          // Skills explain how to call any tool in a shell, and are one text for all clients.
          const isSkill = uri.startsWith("skill:") && /jsr:@refrakt\/mcp call <tool>/.test(text);
          if (isSkill) checkNames(uri, text, flags);
          else say(uri, text);
        }
        for (const [tool, args] of CALLS) {
          const answer = await client.callTool({ name: tool, arguments: args });
          const [block] = answer.content as { text: string }[];
          const all = JSON.stringify(answer);
          if (!answer.isError) say(tool, adviceIn(answer.structuredContent), all);
          // The tool that was called is known to whoever called it.
          else say(tool, block!.text.replaceAll(tool, ""));
        }
        for (const [what, text, all] of said) {
          checkNames(what, text, flags);
          const names = text.match(/(?<![\w./-])(?:(?:plan|refrakt)[._]|ralph_)[a-z]\w*/g) ?? [];
          for (const each of names) {
            if (NO_TOOLS.test(each)) continue;
            const isGiven = listed.has(each) ||
              new RegExp(`mcp\\S*[^\\n]* call ${each}\\b`).test(all);
            assert.ok(isGiven, `${what} names ${each}: ${text}`);
          }
        }
      })));
}

const COMMANDS = ("doctor|config|config codex|setup|setup zed|list|help|help setup|call nope|cal|" +
  "call plan_get|check|check --site x|query|query select|read refrakt://nope|warm|prime|prime nope|" +
  "today nope|claims|merge|--remote-refs x|--tools ?").split("|");

Deno.test("each flag and page that a command names exists", async () => {
  const cwd = withDoubledId(copyExample("site-and-plan"));
  for (const command of COMMANDS) {
    const { stdout, stderr } = await refrakt(cwd, command.split(" "));
    checkNames(command, stdout + stderr, flags);
  }
});
