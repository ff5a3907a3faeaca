/** `deno task fuzz [calls] [seed] [--isolate]`: a campaign of hours, with a random seed. */

import { type Program, runCampaign } from "../support/fuzz.ts";

const say = (text: string) => Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
const [calls = 1_000_000, seed = Date.now() % 1_000_000] = Deno.args
  .filter((arg) => !arg.startsWith("--")).map(Number);
const programs: Program[] = Deno.args.includes("--isolate")
  ? ["isolate"]
  : ["server", "server", "server", "ralph"];
say(`seed ${seed}, ${calls} calls of ${[...new Set(programs)].join(" and ")}`);
await runCampaign({
  seed,
  calls,
  programs,
  onProgress: (done) => say(`${done} calls`),
});
say("nothing broke");
