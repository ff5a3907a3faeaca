// Must be imported before any code of the repository.
import { serveMethods } from "../../sandbox/guest.ts";
import { createEngine, type EngineParams } from "./mod.ts";

// This Worker may only read the project.
const engine = createEngine({ trusted: ["all"] });

serveMethods({
  ask: ({ method, params }: { method: string; params: EngineParams }, { signal, progress }) =>
    engine.handle(method, params, { signal, progress }),
});
