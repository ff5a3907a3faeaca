/**
 * What the server relies on in the plan plugin beyond its contract, tried on a plan that
 * is made up: how it scans, writes and fails. It is the same from 0.25 to 0.29; a version
 * in which it is not gets a warning, and its tools do what they can.
 *
 * @module
 */

import { PLAN_PACKAGE } from "../../src/npm/names.ts";
import type { Warning } from "../../src/project/project.ts";
import { fieldOf } from "../../src/io/json.ts";
import { runAsCall, withInterceptor } from "../../src/sandbox/call.ts";
import type { PlanPlugin } from "./commands.ts";
import { exitCodeOf, failurePattern } from "./failures.ts";
import type { PlanEntity } from "./entity.ts";

/** Where the made-up plan is: in a folder that nobody can make. */
const [ROOT, DIR, FILE] = ["/", "/dev/null/plan", "work/WORK-001-made-up.md"];

const SOURCE = '{% work id="WORK-001" status="ready" %}\n\n# Made up\n\n{% /work %}\n';

/** Commands whose handlers are called. */
const CALLED = ["create", "init", "migrate", "next", "next-id", "status", "update", "validate"];

/** What a handler of the plugin did. */
interface Outcome {
  /** What it threw. */
  readonly error: unknown;
  /** How often it asked for a scan. */
  readonly scans: number;
  /** What it wrote, by the path. */
  readonly written: ReadonlyMap<string, string>;
}

/** One thing that is relied on. */
interface Expectation {
  /** How a version differs in which it does not hold. */
  readonly differs: string;
  /** What follows from that. */
  readonly hint: string;
  /** Whether it holds; `update` is what an update of the made-up entity did. */
  holds(plugin: PlanPlugin, update: Outcome): boolean | Promise<boolean>;
}

const EXPECTED: readonly Expectation[] = [
  {
    differs: `has no structured handler of one of ${CALLED.join(", ")}`,
    hint: "The tools of that name fail.",
    holds: (plugin) => CALLED.every((command) => isFunction(() => plugin.original(command))),
  },
  {
    differs: "does not scan the plan by ../scanner.js",
    hint: "Its tools read every file at each call, and may leave a cache file in the plan.",
    holds: async (plugin, update) => update.scans > 0 && (await ask(plugin, "next", {})).scans > 0,
  },
  {
    differs: "does not write an entity with writeFileSync of node:fs",
    hint: "plan.update may refuse attributes, or change more of a tag than it was asked for.",
    holds: (_plugin, { error, written }) =>
      error === undefined && written.get(`${DIR}/${FILE}`)?.includes('"done"') === true,
  },
  {
    differs: "has other exit codes or messages for what update and create refuse",
    hint: "Errors of plan.update and plan.create have the code TOOL_FAILED, or a hint that is " +
      "less exact.",
    holds: async (plugin) => {
      const [unknown, wrong, other, named] = [
        await ask(plugin, "update", { id: "WORK-404", status: "done" }),
        await ask(plugin, "update", { id: "WORK-001", attrs: { status: "made-up" } }),
        await ask(plugin, "create", { type: "made-up", title: "Made up" }),
        await createNamed(plugin),
      ];
      return exitCodeOf(unknown.error) === 2 && fails(wrong, "update", 1) &&
        fails(other, "create", 2) && (gotToDisk(named) || fails(named, "create", 2));
    },
  },
  {
    differs: "does not check the attributes of what it creates",
    hint: "plan.create takes any of them: see plan.validate afterwards.",
    holds: async (plugin) => !gotToDisk(await createNamed(plugin)),
  },
  {
    differs: "has other functions in its diff export",
    hint: "plan.history and the prompts that tell changes fail.",
    holds: ({ diff }) => diff.isComplete,
  },
];

/** Tries everything that is relied on; one warning for each that does not hold. */
export async function unfamiliarWarnings(plugin: PlanPlugin): Promise<Warning[]> {
  const warnings: Warning[] = [];
  const warn = (differs: string, hint: string) =>
    warnings.push({
      code: "PLUGIN_UNFAMILIAR",
      package: PLAN_PACKAGE,
      message:
        `${PLAN_PACKAGE} ${plugin.version.version} is not as 0.25 to 0.29 are: it ${differs}`,
      hint,
    });
  if (!canParse(plugin)) {
    warn("does not parse an entity by parseFileContent of its scanner", "Its tools fail.");
    return warnings;
  }
  const update = await ask(plugin, "update", { id: "WORK-001", status: "done" });
  for (const { differs, hint, holds } of EXPECTED) {
    if (await holds(plugin, update)) continue;
    warn(differs, hint);
  }
  return warnings;
}

/** Creates an entity with an attribute that is refused since 0.24. */
function createNamed(plugin: PlanPlugin): Promise<Outcome> {
  return ask(plugin, "create", { type: "work", title: "Made up", attrs: { id: "WORK-002" } });
}

/** Whether a handler refused nothing: it wrote, or failed only because there is no such folder. */
function gotToDisk({ error, written }: Outcome): boolean {
  return written.size > 0 || error instanceof Deno.errors.NotCapable ||
    typeof fieldOf(error, "code") === "string";
}

function canParse({ parser }: PlanPlugin): boolean {
  try {
    return parser.parse(SOURCE, FILE) !== null;
  } catch {
    return false;
  }
}

/** Runs a handler on the made-up plan; nothing that it writes reaches the disk. */
async function ask(
  plugin: PlanPlugin,
  command: string,
  input: Record<string, unknown>,
): Promise<Outcome> {
  const entity: PlanEntity = { ...plugin.parser.parse(SOURCE, FILE)!, id: "WORK-001", mtime: 0 };
  const before = plugin.scans.count;
  const written = new Map<string, string>();
  let error: unknown;
  const { signal } = new AbortController();
  const context = { cwd: ROOT, planDir: DIR, signal, progress: () => {}, log: () => {} };
  const interceptor = {
    read: (path: string) => path === `${DIR}/${FILE}` ? SOURCE : undefined,
    write: (path: string, text: string) => {
      written.set(path, text);
      return null;
    },
  };
  try {
    await runAsCall(ROOT, () =>
      withInterceptor(interceptor, () =>
        plugin.withScan(
          () => [entity],
          () => plugin.original(command)({ ...input, dir: DIR }, context),
        )));
  } catch (thrown) {
    error = thrown;
  }
  return { error, scans: plugin.scans.count - before, written };
}

/** Whether a handler refused with a message of the table, and with this exit code. */
function fails({ error }: Outcome, command: string, exitCode: number): boolean {
  return error instanceof Error && exitCodeOf(error) === exitCode &&
    failurePattern(command, error.message) !== undefined;
}

function isFunction(find: () => unknown): boolean {
  try {
    return typeof find() === "function";
  } catch {
    return false;
  }
}
