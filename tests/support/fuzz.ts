/**
 * A campaign of made-up calls against a spawned server: inputs for every tool's schema and
 * for every URI, and bytes that are no messages. After each the server stands, answers in
 * the form of the protocol, has shown nothing from outside and has written its plan alone.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { join } from "node:path";
import { commitAll, makeProject, readTree, SMALL_PLAN } from "./project.ts";
import { type Message, type RawServer, startRaw } from "./raw.ts";
import { README_PERMISSIONS } from "./server.ts";

/** What no answer may show. */
const SECRET = "s3cr3t-of-the-outside";

/** How large a campaign is. */
export interface Campaign {
  /** Which one; the same seed makes the same calls. */
  readonly seed: number;
  /** How many calls. */
  readonly calls: number;
  /** Is told how far it is. */
  readonly onProgress?: (done: number) => void;
}

/** How many calls are made before the server is asked whether it stands. */
const BATCH = 20;

/** Runs a campaign; it throws at the first answer that must not be. */
export async function runCampaign({ seed, calls, onProgress }: Campaign): Promise<void> {
  const secret = { "secret.md": `---\ntitle: ${SECRET}\n---\n${SECRET}\n` };
  // The calls name the one, and may get its name back; only links lead to the other.
  const outside: Outside = { named: makeProject(secret), linked: makeProject(secret) };
  const before = [readTree(outside.named), readTree(outside.linked)];
  let done = 0;
  for (let round = 0; done < calls; round++) {
    // A fresh project now and then: what one call writes is there for the next.
    done = await runRound(outside, seed + round, done, Math.min(calls, done + 5000), onProgress);
  }
  const after = [readTree(outside.named), readTree(outside.linked)];
  assert.deepEqual(after, before, "nothing outside was written");
  for (const folder of [outside.named, outside.linked]) {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Folders that no call may read or write. */
interface Outside {
  readonly named: string;
  readonly linked: string;
}

async function runRound(
  outside: Outside,
  seed: number,
  start: number,
  end: number,
  onProgress: Campaign["onProgress"],
): Promise<number> {
  const cwd = makeProject({
    ...SMALL_PLAN,
    "package.json": "{}",
    "specs/first/.ralph-state.json": "{}",
    "refrakt.config.json": '{"plan":{"dir":"plan"},"site":{"contentDir":"content"}}',
    "content/index.md": "# Start\n\n{% hint %}\nA hint.\n{% /hint %}\n",
  });
  commitAll(cwd, "one");
  Deno.symlinkSync(join(outside.linked, "secret.md"), join(cwd, "plan/work/out.md"));
  Deno.symlinkSync(outside.linked, join(cwd, "plan/out"));
  Deno.symlinkSync(join(outside.linked, "secret.md"), join(cwd, "content/out.md"));
  const kept = Object.fromEntries(
    Object.entries(readTree(cwd)).filter(([path]) => !path.startsWith("plan/")),
  );
  const server = startRaw(cwd, { grants: README_PERMISSIONS, args: ["--tool-names", "dotted"] });
  try {
    await server.request("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "fuzz", version: "1" },
    });
    server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    const requests = await arbitraryRequest(server, outside.named);
    const sampled = fc.sample(requests, { seed, numRuns: end - start });
    let done = start;
    for (let at = 0; at < sampled.length; at += BATCH) {
      const batch = sampled.slice(at, at + BATCH);
      await Promise.all(batch.map((request) => checkOne(server, request, outside.linked)));
      done += batch.length;
      if (done % 1000 < BATCH) onProgress?.(done);
      const pong = await within(server.request("ping", {}), "ping");
      assert.ok(pong.result !== undefined, "the server stands");
    }
    assert.deepEqual(server.noise, [], "stdout has messages alone");
    const after = Object.entries(readTree(cwd)).filter(([path]) => !path.startsWith("plan/"));
    assert.deepEqual(Object.fromEntries(after), kept, "the plan alone is written");
    return done;
  } finally {
    await server.end();
    await Deno.remove(cwd, { recursive: true });
  }
}

/** A request, or text that is none. */
type Request =
  | { readonly method: string; readonly params: Record<string, unknown> }
  | { readonly noise: string };

async function checkOne(server: RawServer, request: Request, linked: string): Promise<void> {
  if ("noise" in request) {
    server.write(`${request.noise.replaceAll(/[\r\n]/g, " ")}\n`);
    return;
  }
  const { method, params } = request;
  const answer = await within(server.request(method, params), JSON.stringify(request));
  const shown = JSON.stringify(answer);
  const said = `${JSON.stringify(request).slice(0, 2000)}\n${shown.slice(0, 2000)}`;
  assert.ok(!shown.includes(SECRET), `nothing of the outside is shown: ${said}`);
  assert.ok(!shown.includes(linked), `where a link leads is not shown: ${said}`);
  if (answer.error !== undefined) {
    assert.ok(Number.isInteger(answer.error.code) && answer.error.message !== "", said);
    assert.ok(!/internal error/i.test(answer.error.message), said);
  } else if (answer.result?.["isError"] === true) {
    const { errorCode, content } = answer.result as { errorCode?: unknown; content?: unknown[] };
    assert.ok(typeof errorCode === "string" && Array.isArray(content), said);
  }
}

async function within(answer: Promise<Message>, what: string): Promise<Message> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer: ${what.slice(0, 4000)}`)), 60_000);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

type Schema = Readonly<Record<string, unknown>>;

async function arbitraryRequest(
  server: RawServer,
  outside: string,
): Promise<fc.Arbitrary<Request>> {
  const text = hostileText(outside);
  const { result } = await server.request("tools/list", {});
  const tools = result!["tools"] as { name: string; inputSchema: Schema }[];
  const call = (name: string, input: fc.Arbitrary<unknown>): fc.Arbitrary<Request> =>
    input.map((args) => ({ method: "tools/call", params: { name, arguments: args } }));
  const ofTools = fc.oneof(
    ...tools.map(({ name, inputSchema }) => call(name, valueOf(inputSchema, text))),
    ...tools.map(({ name }) => call(name, fc.dictionary(text, fc.jsonValue(), { maxKeys: 4 }))),
  );
  const listed = await server.request("resources/list", {});
  const uris = (listed.result!["resources"] as { uri: string }[]).map(({ uri }) => uri);
  const uri = fc.oneof(
    fc.constantFrom(...uris),
    fc.tuple(fc.constantFrom(...uris), text).map(([base, end]) => `${base}/${end}`),
    fc.tuple(fc.constantFrom(...uris), fc.webQueryParameters()).map((parts) => parts.join("?")),
    fc.array(text, { maxLength: 4 }).map((parts) => `refrakt://${parts.join("/")}`),
    fc.array(text, { maxLength: 4 }).map((parts) =>
      `refrakt://${parts.map((part) => encodeURIComponent(part.toWellFormed())).join("/")}`
    ),
    text,
  );
  const read: fc.Arbitrary<Request> = uri.map((uri) => ({
    method: "resources/read",
    params: { uri },
  }));
  const other: fc.Arbitrary<Request> = fc.oneof(
    text.map((name) => ({ method: "tools/call", params: { name, arguments: {} } })),
    fc.tuple(text, text).map(([name, value]) => ({
      method: "prompts/get",
      params: { name, arguments: { name: value } },
    })),
    uri.map((uri) => ({ method: "resources/subscribe", params: { uri } })),
    uri.map((uri) => ({ method: "resources/unsubscribe", params: { uri } })),
    fc.tuple(uri, text, text).map(([uri, name, value]) => ({
      method: "completion/complete",
      params: { ref: { type: "ref/resource", uri }, argument: { name, value } },
    })),
    fc.tuple(text, fc.dictionary(text, fc.jsonValue(), { maxKeys: 3 })).map((
      [method, params],
    ) => ({ method: `x/${method}`, params })),
  );
  const noise: fc.Arbitrary<Request> = fc.oneof(
    text,
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.constantFrom('{"jsonrpc":"2.0"', "[]", "[[]]", '{"jsonrpc":"2.0","id":{},"method":1}'),
  ).map((noise) => ({ noise }));
  return fc.oneof(
    { weight: 12, arbitrary: ofTools },
    { weight: 4, arbitrary: read },
    { weight: 3, arbitrary: other },
    { weight: 1, arbitrary: noise },
  );
}

/** Texts that mean something to a file system, a parser, a shell, git or a terminal. */
function hostileText(outside: string): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(
      ...["", ".", "..", "/", "~", "../../etc/passwd", "/etc/passwd", "plan/../../x", "plan/out"],
      ...["plan/out/secret.md", "plan/work/out.md", "work/out.md", "out", outside],
      ...["WORK-001", "SPEC-001", "v1.0.0", "work", "ready", "done", "hint", "index", "main"],
      ...["a\0b", "\u202egnp", "\u001b[2J", "a\nb", "\r\n\r\n", "%00", "%2e%2e%2f", "%", "\ud800"],
      ...["-rf", "--output=x", "$(id)", "`id`", "; id", "| id", "${HOME}", "constructor"],
      ...["__proto__", "toString", "hasOwnProperty", "NaN", "1e999", "-1", "0", "null", "[]", "{}"],
      ...[
        "{% work ",
        '{% work id="X" %}',
        "{% /work %}",
        "<script>",
        "---\na: b\n---",
        "#".repeat(50),
      ],
      ...[
        "{% ".repeat(200),
        "[ ".repeat(500),
        "x".repeat(5000),
        "../".repeat(200),
        "- [ ] a\n".repeat(99),
      ],
    ),
    fc.string({ maxLength: 30 }),
    fc.string({ unit: "grapheme", maxLength: 30 }),
  );
}

/** Values that a schema allows, mostly, and some that it does not. */
function valueOf(schema: unknown, text: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  if (typeof schema !== "object" || schema === null) return fc.jsonValue();
  const { type, properties, required, items, anyOf, oneOf } = schema as Schema;
  const alternatives = (anyOf ?? oneOf) as unknown[] | undefined;
  const known = (schema as Schema)["enum"] as unknown[] | undefined;
  const wrong = fc.jsonValue({ maxDepth: 1 });
  const right = (): fc.Arbitrary<unknown> => {
    if (known !== undefined) return fc.oneof(fc.constantFrom(...known), text);
    if (alternatives !== undefined) {
      return fc.oneof(...alternatives.map((one) => valueOf(one, text)));
    }
    if (type === "object" && properties !== undefined) {
      const needed = new Set(Array.isArray(required) ? required : []);
      const fields = Object.entries(properties as Schema).map(([name, each]) => {
        const value = valueOf(each, text);
        const field = needed.has(name) ? value : fc.option(value, { nil: undefined, freq: 1 });
        return field.map((given) => [name, given] as const);
      });
      return fc.tuple(...fields).map((given) =>
        Object.fromEntries(given.filter(([, value]) => value !== undefined))
      );
    }
    if (type === "object") {
      return fc.dictionary(text, fc.oneof(text, fc.jsonValue()), { maxKeys: 3 });
    }
    if (type === "array") return fc.array(valueOf(items, text), { maxLength: 4 });
    if (type === "boolean") return fc.boolean();
    if (type === "integer" || type === "number") {
      return fc.oneof(fc.integer(), fc.constantFrom(0, 1, -1, 1.5, 2 ** 53, 1e308));
    }
    return text;
  };
  return fc.oneof({ weight: 12, arbitrary: right() }, { weight: 1, arbitrary: wrong });
}
