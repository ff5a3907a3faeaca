/** Older Denos from npm, kept between runs beside the real packages. */

import { join } from "node:path";
import { LAB, npmFolder } from "./lab.ts";

/** The first 2.x and the newest unsupported one: each takes 140 MB. */
const OLD_DENOS = ["2.0.6", "2.8.3"];

/** Installs them once; returns the executable of each. */
export async function oldDenos(): Promise<Map<string, string>> {
  const packages = OLD_DENOS.map((version) => [`deno-${version}`, `npm:deno@${version}`]);
  const folder = await npmFolder(join(LAB, "old-denos"), Object.fromEntries(packages));
  return new Map(
    OLD_DENOS.map((version) => [version, join(folder, `node_modules/deno-${version}/bin.cjs`)]),
  );
}
