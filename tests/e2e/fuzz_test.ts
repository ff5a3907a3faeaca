import { runCampaign } from "../support/fuzz.ts";

Deno.test("no random call breaks a server, reveals outside files or writes outside its folders", async () => {
  const programs = ["server", "ralph"] as const;
  await runCampaign({ seed: 20261122, calls: 300, round: 150, programs });
});
