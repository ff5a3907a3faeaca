import { runCampaign } from "../support/fuzz.ts";

Deno.test("no made-up call breaks a server, shows the outside or writes beside its folders", async () => {
  const programs = ["server", "isolate", "ralph"] as const;
  await runCampaign({ seed: 20261122, calls: 390, round: 130, programs });
});
