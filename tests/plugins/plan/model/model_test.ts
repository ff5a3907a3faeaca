import assert from "node:assert/strict";
import fc from "../../../support/npm/fast_check.ts";
import { inProcess } from "../../../support/in_process.ts";
import { makeProject, SMALL_PLAN } from "../../../support/project.ts";
import { argumentsOf, namesOf } from "./arguments.ts";
import { realServers, runModel } from "./run.ts";
import { IN_PROCESS } from "./world.ts";

Deno.test("the sequences use every argument of every tool of the plan", () =>
  inProcess(makeProject(SMALL_PLAN), async ({ client }) => {
    const { tools } = await client.listTools();
    for (const { name, inputSchema } of tools as { name: string; inputSchema: unknown }[]) {
      if (!name.startsWith("plan_")) continue;
      const [values = {}] = fc.sample(argumentsOf(name, namesOf(name).join(" "), 0), 1);
      const given = Object.keys(values).filter((name) => values[name] !== undefined);
      // Some are not listed.
      const listed = Object.keys(Object(inputSchema).properties);
      assert.deepEqual(listed.filter((argument) => !given.includes(argument)), [], name);
    }
  }));

Deno.test("every tool agrees with the files after every step of made-up sequences", () =>
  runModel({
    start: IN_PROCESS,
    seed: 20261123,
    sequences: 200,
    steps: 4,
    topics: { all: 4, texts: 12, lists: 2, git: 1, ids: 2 },
  }));

Deno.test("so it is with real servers and their permissions, and with a remote", () =>
  runModel({
    start: realServers(),
    seed: 20261123,
    sequences: 10,
    steps: 4,
    topics: { git: 3, remote: 1 },
  }));
