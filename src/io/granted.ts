/** Folders under the name that Deno grants. */

import { dirname, relative, resolve } from "node:path";
import { exists, isInside, isLink, resolveInside, serveAs } from "./paths.ts";
import { mayWrite } from "./permissions.ts";
import { requireFileName } from "./write_folder.ts";

/**
 * Like {@linkcode resolveInside}, for a folder to write in: its real path, unless Deno may write it
 * only by another spelling of that, as with a folder `Plan` and `--allow-write=plan`. Where the name
 * is a link, Deno has to permit what it leads to.
 */
export function grantedFolder(root: string, path: string, what: string): string {
  const real = resolveInside(root, path, what, path);
  if (!exists(real)) requireFileName(what, path);
  const name = resolve(root, path);
  if (real === name || !isInside(root, name) || mayWrite(real) || !mayWrite(name)) return real;
  if (leadsThroughLink(root, name)) return real;
  serveAs(name, real);
  return name;
}

/** Whether a path below the root, or a folder between them, is a link. */
export function leadsThroughLink(root: string, path: string): boolean {
  for (let at = path; relative(root, at) !== ""; at = dirname(at)) if (isLink(at)) return true;
  return false;
}
