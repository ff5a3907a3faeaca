/**
 * `deno task fuzz [calls] [seed]`: a campaign of hours, with a random seed.
 * `deno task fuzz model [minutes] [seed] [path]`: made-up sequences, checked against a model of the
 * plan; a failure names its seed and path.
 */

import { realServers, runModel } from "../plugins/plan/model/run.ts";
import { IN_PROCESS } from "../plugins/plan/model/world.ts";
import { runCampaign } from "../support/fuzz.ts";

const say = (text: string) => Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
const [first, ...others] = Deno.args;
if (first === "model") await sequences(...others);
else await calls(...Deno.args.map(Number));
say("nothing broke");

async function calls(count = 1_000_000, seed = Date.now() % 1_000_000): Promise<void> {
  say(`seed ${seed}, ${count} calls`);
  await runCampaign({
    seed,
    calls: count,
    programs: ["server", "server", "server", "ralph"],
    onProgress: (done) => say(`${done} calls`),
  });
}

async function sequences(minutes = "60", from = `${Date.now() % 1e6}`, path?: string) {
  const until = Date.now() + Number(minutes) * 60_000;
  for (let seed = Number(from); Date.now() < until; seed++) {
    const isReal = seed % 4 === 3;
    say(`seed ${seed}${isReal ? ", with real servers" : ""}`);
    await runModel({
      start: isReal ? realServers() : IN_PROCESS,
      seed,
      sequences: isReal ? 10 : 50,
      steps: 14,
      topics: { all: 2, texts: 4, lists: 1, git: 4, ids: 1, remote: 1 },
      path,
    });
  }
}
