/** Older Denos from npm, kept between runs beside the real packages. */

import { join } from "node:path";
import { LAB } from "./lab.ts";
import { runProcess } from "./process.ts";
import { exists } from "./project.ts";

/** The first 2.x and the newest unsupported one: each takes 140 MB. */
const OLD_DENOS = ["2.0.6", "2.8.3"];

/** Installs them once; returns the executable of each. */
export async function oldDenos(): Promise<Map<string, string>> {
  const dir = join(LAB, "old-denos");
  const programs = new Map(
    OLD_DENOS.map((version) => [version, join(dir, `node_modules/deno-${version}/bin.cjs`)]),
  );
  if ([...programs.values()].every(exists)) return programs;
  await Deno.mkdir(dir, { recursive: true });
  await Deno.writeTextFile(join(dir, "package.json"), "{}");
  const packages = OLD_DENOS.map((version) => `deno-${version}@npm:deno@${version}`);
  const flags = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
  const { code, stderr } = await runProcess("npm", ["install", ...flags, ...packages], dir);
  if (code !== 0) throw new Error(`npm install failed in ${dir}: ${stderr}`);
  return programs;
}
