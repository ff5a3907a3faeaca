/** The call that the engine works for. */

import type { CallContext } from "../../../src/plugin/context.ts";

/** What the engine needs of a call. */
export type EngineCall = Pick<CallContext, "project" | "signal" | "progress">;
