/** Whether the registry that this server came from has a newer version. */

import { asObject } from "../io/json.ts";
import { VERSION } from "../version.ts";

/**
 * The newest version, if it is newer than this one. It is read from the list that Deno has in its
 * cache since it loaded this server from there; a checkout or a binary has none.
 *
 * @param own The address of a module of this package.
 */
export async function newerVersion(own: string = import.meta.url): Promise<string | undefined> {
  const [, base] = /^(https?:.*\/@refrakt\/mcp\/)\d/.exec(own) ?? [];
  if (base === undefined) return undefined;
  try {
    const { default: meta } = await import(`${base}meta.json`, { with: { type: "json" } });
    const versions = Object.entries(asObject(asObject(meta)["versions"]))
      .filter(([version, facts]) => /^\d+\.\d+\.\d+$/.test(version) && !asObject(facts)["yanked"]);
    const [newest] = versions.map(([version]) => version).toSorted((a, b) => compared(b, a));
    return newest !== undefined && compared(newest, VERSION) > 0 ? newest : undefined;
  } catch {
    return undefined;
  }
}

/** The order of two versions of three numbers. */
function compared(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
