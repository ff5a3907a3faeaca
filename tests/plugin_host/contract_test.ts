import assert from "node:assert/strict";
import { declaredOf, loadedFrom, readPlugin } from "../../src/plugin_host/contract.ts";

Deno.test("a plugin is read from the default export or the module, and its functions keep their object", async () => {
  const command = {
    name: "go",
    description: "Goes.",
    word: "went",
    mcpHandler(this: { word: string }) {
      return { word: this.word };
    },
  };
  for (
    const module of [{ default: { namespace: "a", commands: [command] } }, {
      namespace: "a",
      commands: [command],
    }]
  ) {
    const { plugin, warnings } = readPlugin(module, "@acme/a");
    assert.deepEqual(warnings, []);
    assert.deepEqual(await plugin?.commands[0]?.mcpHandler?.({}, {} as never), { word: "went" });
  }
});

Deno.test("what is no plugin is left out with a warning that names the package", () => {
  for (
    const none of [{}, { default: 7 }, { default: null }, { namespace: "a" }, {
      namespace: "../a",
      commands: [],
    }]
  ) {
    const { plugin, warnings } = readPlugin(none, "@acme/a");
    assert.equal(plugin, undefined);
    assert.ok(warnings.length > 0 && warnings.every(({ code }) => code === "PLUGIN_MALFORMED"));
    assert.match(warnings[0]!.message, /^@acme\/a: /);
  }
  const throwing = Object.defineProperty({}, "namespace", {
    enumerable: true,
    get: () => {
      throw new Error("Trap");
    },
  });
  assert.match(
    readPlugin({ default: throwing }, "@acme/a").warnings[0]?.message ?? "",
    /@acme\/a: .*Trap/,
  );
});

Deno.test("commands are told in short, and a version that is exact is not asked for again", () => {
  assert.deepEqual(
    declaredOf([{ name: "a", description: "b", inputSchema: {}, mcpHandler: undefined }]),
    [{
      name: "a",
      description: "b",
      hasInputSchema: true,
      hasOutputSchema: false,
      hasMcpHandler: false,
    }],
  );
  const loaded = { module: {}, version: "1.2.3", origin: "linked" as const, path: "/a" };
  assert.deepEqual(loadedFrom("a", loaded as never), {
    packageVersion: "1.2.3",
    origin: "linked",
    path: "/a",
  });
  assert.equal(
    loadedFrom("never-loaded", { ...loaded, version: "^1" } as never).packageVersion,
    "^1",
  );
});
