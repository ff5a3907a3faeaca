import { runCampaign } from "../support/fuzz.ts";

Deno.test("no random call breaks a server, reveals outside files or writes outside its folders", () =>
  runCampaign(20261122, 300, 150));
