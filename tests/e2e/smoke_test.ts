import { smoke } from "./smoke.ts";

Deno.test("a client's first minutes work with this Deno on this system", async () => {
  await smoke({});
});
