/** What the build's programs share: the checkout, Deno, and where results are written. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** The folder of the checkout. */
export const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** The folder of `--out`, or one of the checkout. */
export function outFolder(otherwise: string): string {
  const { values } = parseArgs({ args: Deno.args, options: { out: { type: "string" } } });
  return values.out ?? join(ROOT, otherwise);
}

/** Runs a Deno command in a folder, and returns its output. */
export async function runDeno(
  cwd: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1", ...env },
  }).output();
  const said = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
  if (code === 0) return said;
  throw new Error(`deno ${args.slice(0, 6).join(" ")} failed: ${said}`.trim());
}

/** A JSON file's text. */
export function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
