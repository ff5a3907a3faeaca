/**
 * The examples that `refrakt inspect` shows. Since 0.22 they are those of the runes
 * package; before, the CLI had a list of its own, which it preferred.
 *
 * @module
 */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { asObject } from "../../io/json.ts";
import { distrust } from "../../npm/trust.ts";
import type { PackageVersion } from "../../npm/package.ts";

/** Versions whose CLI has examples of its own. */
const WITH_OWN_EXAMPLES = /^0\.(?:1\d|2[01])\./;

/**
 * Reads the examples of a CLI that lies in the project, from its private module
 * `dist/lib/fixtures.js`, which imports nothing; none where it has no list of its own.
 */
export async function cliExamples(
  cli: PackageVersion | undefined,
): Promise<Readonly<Record<string, string>>> {
  if (cli?.root === undefined || cli.folder === undefined || !WITH_OWN_EXAMPLES.test(cli.version)) {
    return {};
  }
  if (await distrust(cli) !== undefined) return {};
  try {
    const { fixtures } = await import(
      pathToFileURL(join(cli.folder.path, "dist/lib/fixtures.js")).href
    );
    return Object.fromEntries(
      Object.entries(asObject(fixtures)).filter((entry): entry is [string, string] =>
        typeof entry[1] === "string"
      ),
    );
  } catch {
    // Not built, or not to be read: the examples of the runes package remain.
    return {};
  }
}
