/** Runs made-up sequences on two servers of a project. */

import { inProcess } from "../../../support/in_process.ts";
import fc from "../../../support/npm/fast_check.ts";
import { agree } from "./agree.ts";
import { fileOf, someEntity, STEPS } from "./steps.ts";
import { Dice, World } from "./world.ts";

/** Throws with the seed, the path, and the shortest sequence that fails; a path goes on there. */
export async function runModel(
  seed: number,
  numRuns: number,
  maxLength: number,
  path?: string,
): Promise<void> {
  const anyStep = fc.oneof(
    ...Object.entries(STEPS).map(([name, [weight]]) => ({
      weight,
      arbitrary: fc.record({ name: fc.constant(name), choices: fc.nat() }),
    })),
  );
  const anySteps = fc.array(anyStep, { minLength: 1, maxLength, size: "max" });
  const property = fc.asyncProperty(fc.nat(), fc.boolean(), anySteps, async (start, isGit, all) => {
    const dice = new Dice(start);
    const files = Array.from({ length: 1 + dice.below(6) }, () => fileOf(someEntity(dice), dice));
    const world = new World(Object.assign({}, ...files), isGit);
    const run = async () => {
      for (const [at, { name, choices }] of all.entries()) {
        await STEPS[name]![1](world, new Dice(choices));
        await agree(world, at);
      }
      await agree(world);
    };
    await inProcess(world.cwd, (first) =>
      inProcess(world.cwd, async (second) => {
        world.servers = [first, second];
        await run().catch((error) => {
          throw new Error(`${error.message}\n${world.log.join("\n")}`, { cause: error });
        });
      }));
  });
  await fc.assert(property, { seed, numRuns, ...path !== undefined && { path } });
}
