import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { ERROR_CODES, messageOf, nearestNames, WARNING_CODES } from "../src/errors.ts";
import { ROOT } from "./support/server.ts";

Deno.test("every code has a description", () => {
  for (const [code, text] of Object.entries({ ...ERROR_CODES, ...WARNING_CODES })) {
    assert.match(code, /^[A-Z][A-Z_]+$/);
    assert.match(text, /^[A-Z].*\.$/, code);
  }
});

Deno.test("every code is used by the sources and documented in docs/errors.md", () => {
  const read = (folder: string): string =>
    [...Deno.readDirSync(folder)].map(({ name, isDirectory }) => {
      const path = `${folder}/${name}`;
      if (isDirectory) return read(path);
      return name.endsWith(".ts") && path !== `${ROOT}src/errors.ts`
        ? Deno.readTextFileSync(path)
        : "";
    }).join("");
  const sources = read(`${ROOT}src`) + read(`${ROOT}plugins`);
  const documented = Deno.readTextFileSync(`${ROOT}docs/errors.md`);
  for (const code of Object.keys({ ...ERROR_CODES, ...WARNING_CODES })) {
    assert.ok(sources.includes(`"${code}"`), `${code} is not used`);
    assert.ok(documented.includes(`\`${code}\``), `${code} is not documented`);
  }
  for (const [, code] of sources.matchAll(/\bcode: "([A-Z][A-Z_]+)"/g)) {
    assert.ok(code! in ERROR_CODES || code! in WARNING_CODES || code!.startsWith("E"), code);
  }
});

Deno.test("messageOf() returns a message for any thrown value", () => {
  assert.equal(messageOf(new TypeError("odd")), "odd");
  assert.equal(messageOf(new TypeError()), "TypeError");
  assert.equal(messageOf("text"), "text");
  assert.equal(messageOf({ a: 1 }), '{"a":1}');
  assert.equal(messageOf(undefined), "undefined");
  assert.equal(messageOf(Symbol("x")), "Symbol(x)");
});

Deno.test("nearest() finds typos and partial names, best first, and nothing for distant names", () => {
  const names = ["plan_next", "plan_next_id", "plan_status", "refrakt_detect"];
  assert.equal(nearestNames("plan.nxt", names)[0], "plan_next");
  assert.equal(nearestNames("detect", names)[0], "refrakt_detect");
  assert.deepEqual(nearestNames("zzzzzzzzzzzz", names), []);
  assert.deepEqual(nearestNames("", names), []);
  assert.deepEqual(nearestNames("next", ["plan_next", "plan_next"]), ["plan_next"]);
  assert.equal(nearestNames("plan_next", names, 1).length, 1);
  assert.deepEqual(nearestNames("x".repeat(100_000), names), []);
});

Deno.test("messageOf() says in our words what the system, Deno and npm said", async () => {
  const secret = "/home/ada/SECRET";
  const system = (code: string, said: string) => Object.assign(new Error(said), { code });
  const thrown = (work: () => unknown) =>
    Promise.resolve().then(work).then(() => "It did not fail", (error) => error);
  const module = (text: string) => import(`data:text/typescript,${encodeURIComponent(text)}`);
  const address = "http://ada:SECRET@registry.example/x";
  const cases: readonly (readonly [error: unknown, said: string | RegExp])[] = [
    [await thrown(() => Deno.readTextFileSync(`${secret}/a.md`)), /^A file .* missing: "a.md"$/],
    [await thrown(() => readFileSync(`${secret}/a.md`)), /^A file .* missing: "a.md"$/],
    [await thrown(() => Deno.readTextFileSync(`${secret}/.a.md.0123abcd.tmp`)), /: "a.md"$/],
    [await thrown(() => Deno.readTextFileSync(ROOT)), /^It is a folder/],
    [await thrown(() => new Deno.Command("no-SECRET").outputSync()), /^A file .* missing$/],
    [new Deno.errors.NotCapable(`Requires read access to "${secret}"`), /permission .* missing/],
    [Object.assign(system("EZZZ", `EZZZ: ${secret}`), { errno: -1 }), "The system refused"],
    [new Deno.errors.InvalidData(secret), "The system refused"],
    [new Error(`Cannot read: ENOENT: no such file, open '${secret}'`), /^Cannot read: +the system/],
    [new Error(`Odd: No such file (os error 2): open '${secret}'`), /^Odd: *the system refused$/],
    [await thrown(() => import(`file://${secret}/x.ts`)), 'The module "x.ts" was not found'],
    [await thrown(() => module("// SECRET\nlet a = ;")), /^Line 2, column 9: /],
    [
      Object.assign(new TypeError(`Failed ${address}`), { code: "ERR_MODULE_NOT_FOUND" }),
      "Deno could not import one of its modules",
    ],
  ];
  for (const [error, said] of cases) {
    const message = messageOf(error);
    if (typeof said === "string") assert.equal(message, said);
    else assert.match(message, said);
    assert.ok(!message.includes("SECRET"), message);
  }
});
