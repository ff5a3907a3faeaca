/** What is known of a plan without its plugin, and quickly: `initialize` waits for it. */

import { orElse } from "../../src/errors.ts";
import { mayRunGit } from "../../src/io/permissions.ts";
import { PLAN_PACKAGE } from "../../src/packages/names.ts";
import { preparations } from "../../src/packages/package.ts";
import { packageVersion } from "../../src/packages/versions.ts";
import { filesOf } from "./store/walk.ts";
import { shortLine } from "../../src/plain_text.ts";
import type { PluginFacts } from "../../src/plugin/adapter.ts";
import { remoteSummary } from "./remote/address.ts";
import { LISTED_VERSIONS, listedVersion } from "./upstream/listed_version.ts";

// Sites import the package, too.
preparations.set(PLAN_PACKAGE, async (found) => {
  await (await import("./upstream/kept_files.ts")).keepPlanFiles(found);
});

/** The longest name from the repository, in characters. */
const MOST_NAME = 60;

export const planFacts: PluginFacts = {
  packageName: PLAN_PACKAGE,
  listedVersions: LISTED_VERSIONS,
  // As in `publishedVersion`, which asks npm: in place of what npm cannot have, its newest is loaded.
  listedVersion: (project) =>
    listedVersion(orElse(() => packageVersion(project, PLAN_PACKAGE), { version: "*" })),
  summary: ({ cwd, plan }) => {
    if (plan === null) return undefined;
    // Counting entities would read every file.
    const { length } = filesOf(cwd, plan.path);
    return `${shortLine(plan.dir, MOST_NAME)}/: ${length} ${length === 1 ? "file" : "files"}`;
  },
  remote: async ({ cwd, remote }) =>
    remote === undefined ? undefined : await remoteSummary(remote, cwd),
  unread: async ({ cwd, plan }) => {
    // Whether git may run is reported with the permissions.
    if (plan === null || !mayRunGit()) return [];
    const { unreadElsewhere } = await import("./queries/elsewhere.ts");
    const { signal } = new AbortController();
    const git = { cwd: plan.path, signal };
    return await unreadElsewhere({ cwd, dir: plan.path, signal, git });
  },
};
