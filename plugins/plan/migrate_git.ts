import { resolve } from "node:path";
import { RefraktError } from "../../src/errors.ts";
import { QUICK_MS, runGit } from "../../src/io/git.ts";
import { mayWrite } from "../../src/io/permissions.ts";

/** The answer of a migration. Files are relative to the plan. */
export interface Migration {
  readonly mode: string;
  readonly exitCode: number;
  readonly planned?: readonly { readonly from: string; readonly to: string }[];
  readonly errors?: readonly { readonly file: string; readonly reason: string }[];
  readonly [field: string]: unknown;
}

/**
 * Carries out the renames that a dry run of the plugin has planned.
 *
 * @param dir The plan's directory, absolute.
 * @param answer The answer of the dry run.
 * @returns The answer of an applied migration.
 */
export async function renameWithGit(
  dir: string,
  answer: Migration,
  signal: AbortSignal,
): Promise<Migration> {
  const options = { cwd: dir, signal, timeoutMs: QUICK_MS, config: await withoutFilters(dir) };
  const applied = [];
  const errors = [...answer.errors ?? []];
  for (const rename of answer.planned ?? []) {
    const { from, to } = rename;
    // Git is another process: this server's write permissions do not limit it.
    const { code, stderr } = [from, to].every((file) => mayWrite(resolve(dir, file)))
      ? await runGit(["mv", "--", from, to], options)
      : { code: 1, stderr: "no permission to write" };
    const reason = `rename failed: ${stderr.replace(/^fatal: /, "").trim()}`;
    if (code === 0) applied.push(rename);
    else errors.push({ file: from, reason });
  }
  return { ...answer, mode: "apply", applied, errors, exitCode: errors.length > 0 ? 1 : 0 };
}

/** Settings that keep git from running the filter programs that the repository configures. */
async function withoutFilters(dir: string): Promise<(readonly [string, string])[]> {
  const list = ["config", "--null", "--name-only", "--get-regexp", "^filter\\."];
  const { stdout } = await runGit(list, { cwd: dir, timeoutMs: QUICK_MS });
  const names = new TextDecoder().decode(stdout).split("\0").filter((name) => name !== "");
  const filters = new Set(names.map((name) => name.slice(0, name.lastIndexOf("."))));
  return [...filters].flatMap((filter) => [
    ...["clean", "smudge", "process"].map((program) => [`${filter}.${program}`, ""] as const),
    [`${filter}.required`, "false"] as const,
  ]);
}

/** Rejects migrations that need git within the plugin, which has none here. */
export function refusePluginGit(subcommand: string, useGit: boolean): void {
  if (subcommand === "pr-attrs") {
    throw new RefraktError("TOOL_FAILED", "The migration pr-attrs reads git itself", {
      hint: "Plugins get no git here. Run it in a terminal: npx refrakt plan migrate pr-attrs",
    });
  }
  if (useGit && subcommand !== "filenames") {
    throw new RefraktError("INVALID_ARGS", "useGit is for the subcommand filenames", {
      hint: "Call without useGit, and stage the files in a terminal: git add <the plan's folder>",
    });
  }
}
