/** Folders under the name that Deno grants. */

import { resolve } from "node:path";
import { requireNewName } from "../plain_text.ts";
import { exists, isInside, resolveInside, serveAs } from "./paths.ts";
import { mayWrite } from "./permissions.ts";

/**
 * Like {@linkcode resolveInside}, for a folder to write in: its real path, unless Deno may write it
 * only by the given name, as with a folder `Plan` and `--allow-write=plan`.
 */
export function grantedFolder(root: string, path: string, what: string): string {
  const real = resolveInside(root, path, what, path);
  if (!exists(real)) requireNewName(what, path);
  const name = resolve(root, path);
  if (real === name || !isInside(root, name) || mayWrite(real) || !mayWrite(name)) return real;
  serveAs(name, real);
  return name;
}
