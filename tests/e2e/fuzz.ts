/**
 * `deno task fuzz [calls] [seed]`: a campaign of hours, with a random seed.
 * `deno task fuzz model [minutes] [seed] [path]`: made-up sequences, checked against a model of the
 * plan; a failure names its seed and path.
 */

import { runModel } from "../plugins/plan/model/run.ts";
import { runCampaign } from "../support/fuzz.ts";

const say = (text: string) => Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
const [first, ...others] = Deno.args;
if (first === "model") await sequences(...others);
else await calls(...Deno.args.map(Number));
say("nothing broke");

async function calls(count = 1_000_000, seed = Date.now() % 1_000_000): Promise<void> {
  say(`seed ${seed}, ${count} calls`);
  await runCampaign(seed, count, 4000, (done) => say(`${done} calls`));
}

async function sequences(minutes = "60", from = `${Date.now() % 1e6}`, path?: string) {
  const until = Date.now() + Number(minutes) * 60_000;
  for (let seed = Number(from); Date.now() < until; seed++) {
    say(`seed ${seed}`);
    await runModel(seed, 50, 30, path);
  }
}
