/** Whether the project's `.npmrc` makes Deno take packages from another registry than npm's. */

import { join } from "node:path";
import { readIfExists } from "../io/read.ts";

/** The public registry's folder in Deno's cache. */
export const PUBLIC_REGISTRY = "registry.npmjs.org";

/**
 * Whether an `.npmrc` redirects a package: all packages, or those of its scope. With `--no-config`
 * Deno ignores the project's `.npmrc`; another registry then comes from the user's own settings.
 */
export function redirects(name: string): boolean {
  const cwd = Deno.cwd();
  try {
    const text = readIfExists(cwd, join(cwd, ".npmrc"), "manifest") ?? "";
    const registries = text.matchAll(/^\s*(?:(@[^\s:=]+):)?registry\s*=/gm);
    return [...registries].some(([, scope]) => scope === undefined || name.startsWith(`${scope}/`));
  } catch {
    return true;
  }
}
