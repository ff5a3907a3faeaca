/**
 * Ranges that a project puts in the place of those that manifests ask for.
 *
 * @module
 */

import { asObject } from "../io/json.ts";
import { yamlLines } from "./lines.ts";
import { type Declared, entriesOf, type Manifest } from "./manifests.ts";
import { isPackageName } from "./names.ts";

/** A range that takes the place of those that manifests ask for. */
export interface Override extends Declared {
  /** The ranges that it takes the place of; `undefined` for all. */
  readonly selector?: string;
}

/**
 * The ranges that the project puts in the place of all others: npm's and bun's `overrides`,
 * yarn's `resolutions`, pnpm's own. The last for a package counts. What holds for a part of
 * the tree alone is left to the lock file.
 *
 * @param root The root's manifest.
 * @param pnpmWorkspace The text of `pnpm-workspace.yaml`.
 */
export function readOverrides(root: Manifest | undefined, pnpmWorkspace: string): Override[] {
  const pnpm = asObject(root?.["pnpm"]);
  const groups: [from: string, group: unknown][] = [
    ["pnpm-workspace.yaml", pnpmOverrides(pnpmWorkspace)],
    ["package.json", pnpm["overrides"]],
    ["package.json", root?.["resolutions"]],
    ["package.json", root?.["overrides"]],
  ];
  return groups.flatMap(([from, group]) =>
    entriesOf(group).flatMap(([key, value]): Override[] => {
      const range = typeof value === "string"
        ? value
        : entriesOf(value).find(([k]) => k === ".")?.[1];
      const [, name, selector] = /^(?:\*\*\/)?(@?[^@]+)(?:@(?:npm:)?(.+))?$/.exec(key) ?? [];
      if (typeof range !== "string" || range.startsWith("$")) return [];
      if (name === undefined || !isPackageName(name)) return [];
      return [{ name, range, from, ...(selector === undefined ? {} : { selector }) }];
    })
  );
}

/** Whether an override's selector may mean a range: their first numbers tell as much as is needed. */
export function mayMean(selector: string | undefined, range: string): boolean {
  const major = (text: string) => /\d+/.exec(text)?.[0];
  const [ours, theirs] = [major(selector ?? ""), major(range)];
  return ours === undefined || theirs === undefined || ours === theirs;
}

function pnpmOverrides(text: string): Record<string, string> {
  const overrides: Record<string, string> = {};
  let section = "";
  for (const { indent, key, value } of yamlLines(text)) {
    if (indent === 0) section = key;
    else if (section === "overrides") overrides[key] = value;
  }
  return overrides;
}
