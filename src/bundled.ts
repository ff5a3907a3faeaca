/** The plugins of this package; no other module of the host imports them. */

import { BOARD } from "../plugins/board/plugin.ts";
import { PLAN } from "../plugins/plan/plugin.ts";
import { QUERY } from "../plugins/query/plugin.ts";
import { RALPH } from "../plugins/ralph/plugin.ts";
import { SITE } from "../plugins/site/plugin.ts";
import type { Plugin } from "./plugin/plugin.ts";

/** In the order in which they are detected and described. */
export const BUNDLED: readonly Plugin[] = [PLAN, QUERY, SITE, RALPH, BOARD];
