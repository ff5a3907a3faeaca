/** The small plan that the tests of the tools use. */

import { join } from "node:path";
import { type Files, readTree } from "../../../support/project.ts";
import { ROOT } from "../../../support/server.ts";

/** A plan with dependencies, sources, milestones, tags and texts to search. */
export const WIDE_PLAN: Files = readTree(join(ROOT, "tests/fixtures/wide_plan"));
