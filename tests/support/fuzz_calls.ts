/** Generates the requests of a fuzz campaign. */

import fc from "./npm/fast_check.ts";
import { hostileText, KNOWN_VALUES } from "./fuzz_values.ts";

export type Sent = Request | string;

type Request = { readonly method: string; readonly params: Readonly<Record<string, unknown>> };
type Schema = Readonly<Record<string, unknown>>;

export interface Offered {
  readonly tools: readonly { readonly name: string; readonly inputSchema: Schema }[];
  readonly uris: readonly string[];
  readonly templates: readonly string[];
  readonly prompts: readonly {
    readonly name: string;
    readonly arguments?: readonly { readonly name: string }[];
  }[];
}

/** Lines that are not requests. */
const NOISE = [
  ...['{"jsonrpc":"2.0"', "[]", "{}", '{"jsonrpc":"2.0","id":{},"method":1}', "\ufeff{}", "\0"],
  ...['{"jsonrpc":"2.0","id":null,"method":"ping"}', '{"jsonrpc":"2.0","id":"a","result":{}}'],
  ...['{"jsonrpc":"2.0","id":"a","method":"tools/call","params":[]}', "[".repeat(20_000)],
  '{"jsonrpc":"2.0","id":"p","method":"ping","__proto__":{"polluted":1}}',
];

/** Everything that a campaign sends to this server. @param outside A folder's path. */
export function anySent(offered: Offered, outside: string): fc.Arbitrary<Sent> {
  const text = hostileText(outside);
  const uri = anyUri(offered, text);
  const method = fc.oneof(fc.constantFrom("tools/call", "ping", "completion/complete"), text);
  return fc.oneof(
    { weight: 12, arbitrary: toolCall(offered, text) },
    {
      weight: 4,
      arbitrary: uri.map((uri) => ({ method: "resources/read", params: { uri } })),
    },
    { weight: 2, arbitrary: promptRequest(offered, text) },
    fc.tuple(method, fc.dictionary(text, fc.jsonValue(), { maxKeys: 3 }))
      .map(([method, params]) => ({ method: method || "x", params })),
    fc.constantFrom(...NOISE),
    fc.jsonValue().map((value) => JSON.stringify(value)),
  );
}

/** These tools render every rune, and take as long as a hundred other calls. */
const SLOW = new Set(["refrakt_inspect_audit"]);

function toolCall({ tools }: Offered, text: fc.Arbitrary<string>): fc.Arbitrary<Request> {
  const call = (name: string, input: fc.Arbitrary<unknown>): fc.Arbitrary<Request> =>
    input.map((args) => ({ method: "tools/call", params: { name, arguments: args } }));
  const anything = fc.dictionary(text, fc.jsonValue(), { maxKeys: 4 });
  const fitting = tools.map(({ name, inputSchema }) => ({
    weight: SLOW.has(name) ? 1 : 10,
    arbitrary: call(name, valueOf("", inputSchema, text)),
  }));
  return fc.oneof(
    { weight: 9, arbitrary: fc.oneof(...fitting) },
    fc.oneof(...tools.map(({ name }) => call(name, anything))),
    text.chain((name) => call(name, anything)),
  );
}

function anyUri({ uris, templates }: Offered, text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const filled = fc.oneof(...templates.map((template) => {
    const parts = [...template.matchAll(/\{(\??)([^}]+)\}/g)].flatMap(([, optional, names]) =>
      names!.replaceAll("*", "").split(",").map((name) => ({ name, needed: optional === "" }))
    );
    const encoded = (name: string) =>
      known(name, text).map((value) => encodeURIComponent(value.toWellFormed()));
    return recordOf(parts.map(({ name, needed }) => [name, encoded(name), needed])).map((values) =>
      template.replaceAll(/\{(\??)([^}]+)\}/g, (_all, optional, name) => {
        if (optional === "") return String(values[name]);
        const pairs = Object.entries(values).filter(([key]) => name.includes(key));
        return pairs.length === 0 ? "" : `?${pairs.map((pair) => pair.join("=")).join("&")}`;
      })
    );
  }));
  return fc.oneof(
    { weight: 4, arbitrary: filled },
    { weight: 2, arbitrary: fc.constantFrom(...uris) },
    fc.tuple(fc.constantFrom(...uris), text).map(([base, end]) => `${base}/${end}`),
    fc.tuple(fc.constantFrom(...uris), text, text).map(([base, name, value]) =>
      `${base}?${encodeURIComponent(name.toWellFormed())}=${value}`
    ),
    fc.array(text, { maxLength: 4 }).map((parts) => `refrakt://${parts.join("/")}`),
    fc.array(text, { maxLength: 4 }).map((parts) =>
      `refrakt://${parts.map((part) => encodeURIComponent(part.toWellFormed())).join("/")}`
    ),
    text,
  );
}

function promptRequest({ prompts }: Offered, text: fc.Arbitrary<string>): fc.Arbitrary<Request> {
  const get = (name: string, args: fc.Arbitrary<unknown>): fc.Arbitrary<Request> =>
    args.map((given) => ({ method: "prompts/get", params: { name, arguments: given } }));
  return fc.oneof(
    ...prompts.map(({ name, arguments: args = [] }) =>
      get(name, recordOf(args.map((each) => [each.name, known(each.name, text), false])))
    ),
    text.chain((name) => get(name, fc.dictionary(text, text, { maxKeys: 2 }))),
  );
}

/** A value for a name: usually one that exists in the project. */
function known(name: string, text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const values = Object.hasOwn(KNOWN_VALUES, name) ? KNOWN_VALUES[name]! : [];
  if (values.length === 0) return text;
  return fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...values) }, text);
}

/** Records with all required fields and a quarter of the optional ones. */
function recordOf(
  fields: readonly (readonly [name: string, value: fc.Arbitrary<unknown>, needed: boolean])[],
): fc.Arbitrary<Record<string, unknown>> {
  const nothing = { weight: 3, arbitrary: fc.constant(undefined) };
  const given = fields.map(([name, value, needed]) =>
    fc.tuple(fc.constant(name), needed ? value : fc.oneof(nothing, value))
  );
  return fc.tuple(...given).map((pairs) =>
    Object.fromEntries(pairs.filter(([, value]) => value !== undefined))
  );
}

/** Usually values that a schema allows, sometimes others. */
function valueOf(name: string, schema: unknown, text: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  if (typeof schema !== "object" || schema === null) return fc.jsonValue();
  const wrong = fc.jsonValue({ maxDepth: 1 });
  // Rare, because one wrong value makes the whole call fail.
  return fc.oneof({ weight: 40, arbitrary: rightValue(name, schema as Schema, text) }, wrong);
}

function rightValue(name: string, schema: Schema, text: fc.Arbitrary<string>) {
  const { type, items, anyOf, oneOf } = schema;
  if ("const" in schema) return fc.constant(schema["const"]);
  const choices = schema["enum"] as unknown[] | undefined;
  if (choices !== undefined) {
    return fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...choices) }, text);
  }
  const alternatives = (anyOf ?? oneOf) as Schema[] | undefined ??
    (Array.isArray(type) ? type.map((one: unknown) => ({ ...schema, type: one })) : undefined);
  if (alternatives !== undefined) {
    return fc.oneof(...alternatives.map((one) => valueOf(name, one, text)));
  }
  switch (type) {
    case "object":
      return objectOf(name, schema, text);
    case "array":
      return fc.array(valueOf(name, items ?? { type: "string" }, text), { maxLength: 4 });
    case "boolean":
      return fc.boolean();
    case "integer":
    case "number": {
      const { minimum: min = -5, maximum: max = 200 } = schema as Record<string, number>;
      const odd = fc.constantFrom(0, 1, -1, 1.5, 2 ** 53, 1e308);
      return fc.oneof({ weight: 8, arbitrary: fc.integer({ min, max }) }, odd);
    }
    default:
      return known(name, text);
  }
}

function objectOf(
  name: string,
  { properties, required, additionalProperties }: Schema,
  text: fc.Arbitrary<string>,
): fc.Arbitrary<unknown> {
  if (properties === undefined) {
    const value = valueOf("value", additionalProperties ?? { type: "string" }, text);
    return fc.dictionary(known(`${name} names`, text), value, { maxKeys: 3 });
  }
  const needed = new Set(Array.isArray(required) ? required : []);
  return recordOf(
    Object.entries(properties as Schema).map(([field, each]) =>
      [field, valueOf(field, each, text), needed.has(field)] as const
    ),
  );
}
