import { runModel } from "./run.ts";

Deno.test("every tool agrees with the files after every step of made-up sequences", () =>
  runModel(20261123, 60, 12));
