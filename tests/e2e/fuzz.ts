/** `deno task fuzz [calls] [seed]`: a campaign of hours, with a random seed. */

import { runCampaign } from "../support/fuzz.ts";

const say = (text: string) => Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
const [calls = 1_000_000, seed = Date.now() % 1_000_000] = Deno.args.map(Number);
say(`seed ${seed}, ${calls} calls`);
await runCampaign({
  seed,
  calls,
  programs: ["server", "server", "server", "ralph"],
  onProgress: (done) => say(`${done} calls`),
});
say("nothing broke");
