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
  const base = /^https?:.*\/@refrakt\/mcp\/(?=\d)/.exec(own)?.[0];
  if (base === undefined) return undefined;
  const list = import(`${base}meta.json`, { with: { type: "json" } });
  const versions = asObject(await list.then((meta) => meta.default.versions, () => undefined));
  return Object.keys(versions)
    .filter((name) => /^\d+\.\d+\.\d+$/.test(name) && !asObject(versions[name])["yanked"])
    .filter((name) => name.localeCompare(VERSION, "en", { numeric: true }) > 0)
    .sort((one, other) => one.localeCompare(other, "en", { numeric: true })).at(-1);
}
