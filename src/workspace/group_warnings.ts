/**
 * Puts together what is wrong with several packages for one reason: six plugins that are
 * not installed are one line.
 *
 * @module
 */

import type { Warning } from "../project/project.ts";

/** A package, and what is wrong with it. */
export interface Problem {
  /** The package. */
  readonly name: string;
  /** What is wrong. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** Why a package cannot be had, without saying which. */
export function reasonOf({ name, message }: Problem): string {
  const reason = message
    .replace(`Plugin ${name} is not available: `, "")
    .replace(/^Cannot load \S+: /, "");
  const start = [`"${name}"`, name].find((each) => reason.startsWith(each)) ?? "";
  return (start === "" ? "" : "each") +
    // A path keeps its names.
    reason.slice(start.length).replaceAll(` ${name}`, " it");
}

/** Problems with one reason and one remedy, in the order of the first of each. */
export function groupedByReason<One extends Problem>(
  problems: readonly One[],
  kindOf: (problem: One) => string = () => "",
): [One, ...One[]][] {
  const groups = new Map<string, [One, ...One[]]>();
  for (const problem of problems) {
    const remedy = problem.hint?.replaceAll(problem.name, "");
    const key = JSON.stringify([kindOf(problem), reasonOf(problem), remedy]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [problem]);
    else group.push(problem);
  }
  return [...groups.values()];
}

/** What to do about all of them: the hint of the first, with every name. */
export function hintOf(
  { name: first, hint }: Problem,
  names: readonly string[],
): { hint?: string } {
  if (hint === undefined) return {};
  // A flag takes one package, and a suggestion in quotes is one.
  const pattern = new RegExp(`"([^"\\s]*)${literal(first)}"|(--trust )?${literal(first)}`, "g");
  return {
    hint: hint.replaceAll(
      pattern,
      (_, prefix: string | undefined, flag = "") =>
        prefix === undefined
          ? names.map((name) => flag + name).join(" ")
          : names.map((name) => `"${prefix}${name}"`).join(", "),
    ),
  };
}

/** A package's name as a regular expression. */
function literal(name: string): string {
  return name.replaceAll(".", "\\.");
}

/** Warnings, with those about packages together that have one reason. */
export function groupedWarnings(warnings: readonly Warning[]): Warning[] {
  const problems = warnings.flatMap((warning) =>
    warning.package === undefined ? [] : [{ ...warning, warning, name: warning.package }]
  );
  const groups = groupedByReason(problems, ({ code, retry }) => `${code} ${retry}`);
  const replaced = new Map<Warning, Warning | undefined>();
  for (const group of groups) {
    const [first, ...others] = group;
    if (others.length === 0) continue;
    const names = group.map(({ name }) => name);
    const what = first.code === "PLUGIN_LOAD_FAILED" ? "plugins are not available" : "packages";
    replaced.set(first.warning, {
      code: first.code,
      message: `${names.length} ${what} (${names.join(", ")}): ${reasonOf(first)}`,
      ...hintOf(first, names),
      ...(first.retry === undefined ? {} : { retry: first.retry }),
    });
    for (const { warning } of others) replaced.set(warning, undefined);
  }
  return warnings.flatMap((warning) =>
    replaced.has(warning) ? replaced.get(warning) ?? [] : warning
  );
}
