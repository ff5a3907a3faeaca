import { runCampaign } from "../support/fuzz.ts";

Deno.test("no made-up call breaks the server, shows the outside or writes beside the plan", async () => {
  await runCampaign({ seed: 20261122, calls: 400 });
});
