/** Runs made-up sequences, on servers in this process or on real ones. */

import fc from "../../../support/npm/fast_check.ts";
import { childEnvironment, withServer } from "../../../support/server.ts";
import { temporaryFolder } from "../../../support/temporary.ts";
import { agree } from "./agree.ts";
import { anySequence, type Topic } from "./steps.ts";
import { anyPlan } from "./seeds.ts";
import { IN_PROCESS, seatOf, type Start, World } from "./world.ts";

/** A process with the README's permissions. */
export function realServers(home = temporaryFolder()): Start {
  const { HOME = "", DENO_DIR = `${HOME}/.cache/deno`, ...others } = childEnvironment();
  return (cwd, remote) =>
    seatOf((test) =>
      withServer(cwd, test, {
        args: remote === undefined ? [] : ["--remote", remote],
        env: { ...others, DENO_DIR, HOME: home },
      })
    );
}

export interface Campaign {
  readonly start: Start;
  /** The same seed makes the same sequences. */
  readonly seed: number;
  readonly sequences: number;
  /** The steps of a sequence, at most. */
  readonly steps: number;
  /** How often each topic comes. */
  readonly topics: Partial<Record<Topic, number>>;
  /** Where to go on, from the message of a failure. */
  readonly path?: string | undefined;
}

/** Throws with the seed, the path and the shortest sequence that was found. */
export async function runModel(
  { start, seed, sequences, steps, topics, path }: Campaign,
): Promise<void> {
  const anyRun = fc.oneof(
    ...Object.entries(topics).map(([name, weight]) => ({
      weight,
      arbitrary: fc.record({
        topic: fc.constant(name as Topic),
        isGit: fc.constantFrom(false, false, false, false, name === "all" || name === "ids").map((
          is,
        ) => is || name === "git" || name === "remote"),
        isBeside: fc.boolean(),
        sequence: anySequence(name as Topic, steps),
      }),
    })),
  );
  // For the scratch repositories of clones, and without the user's name, who would sign notes.
  const { HOME = "", DENO_DIR = `${HOME}/.cache/deno` } = Deno.env.toObject();
  Deno.env.set("DENO_DIR", DENO_DIR);
  Deno.env.set("HOME", temporaryFolder());
  // Starting servers takes longer than a sequence.
  let running: World | undefined;
  let count = 0;
  try {
    await fc.assert(
      fc.asyncProperty(anyPlan, anyRun, async (files, { topic, isGit, isBeside, sequence }) => {
        const how = { isGit, isBeside, isRemote: topic === "remote" };
        // Who claims where is said when a server starts.
        const isShared = !how.isRemote;
        const world = new World(files, start, how, isShared ? running : undefined);
        if (isShared) running = undefined;
        try {
          await world.open();
          const steps = [...sequence];
          world.left = steps.length;
          await fc.asyncModelRun(() => ({ model: world, real: world }), steps);
          // Sometimes, a real server begins with what the others kept of git.
          if (start !== IN_PROCESS && count++ % 5 === 0) {
            await world.restart(0);
            await agree(world);
          } else if (steps.length === 0) await agree(world);
          if (isShared) running = world;
        } finally {
          if (running !== world) await world.close();
        }
      }),
      { seed, numRuns: sequences, ...path === undefined ? {} : { path } },
    );
  } finally {
    Deno.env.set("HOME", HOME);
    await running?.close();
  }
}
