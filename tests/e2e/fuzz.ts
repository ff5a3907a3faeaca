/** `deno task fuzz [calls] [seed]`: a campaign that takes hours, with another seed each time. */

import { runCampaign } from "../support/fuzz.ts";

const say = (text: string) => Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
const calls = Number(Deno.args[0] ?? 1_000_000);
const seed = Number(Deno.args[1] ?? Date.now() % 2 ** 31);
say(`seed ${seed}, ${calls} calls`);
await runCampaign({
  seed,
  calls,
  onProgress: (done) => say(`${done} calls`),
});
say("nothing broke");
