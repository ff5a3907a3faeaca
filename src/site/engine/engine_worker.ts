/**
 * The program of the Worker that the engine runs in: it may read the project, and
 * nothing else.
 *
 * @module
 */

// Before any code of the repository.
import { serveMethods } from "../../sandbox/guest.ts";
import { createEngine, type EngineParams } from "./mod.ts";

// What runs here may read the project and nothing else.
const engine = createEngine({ trusted: ["all"] });

serveMethods({
  ask: ({ method, params }: { method: string; params: EngineParams }, { signal, progress }) =>
    engine.handle(method, params, { signal, progress }),
});
