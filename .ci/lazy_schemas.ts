/**
 * Lets the SDK make a schema when it is first used. It makes some six hundred when it is
 * imported and at the first message, of which a start up to its list uses twenty; the rest
 * is a third of the time that it takes. The schemas stay what they are: each constant
 * becomes a function that makes its value once, and each use of it a call.
 *
 * @module
 */

import { parseAst } from "build/parse";
import { applied, type Edit, isNode, nameOf, type Node, partsOf } from "./syntax.ts";

/** The constants that are made lazily, by their name. */
const SCHEMA = /Schema(?:\$?\d+)*$/;

/** The tables of them. */
const TABLE = /Schemas\d*$/;

/** The functions that make all schemas of one revision of the protocol. */
const BUILDER = /^build(?:\$?\d+)?$/;

/** The constant by which the SDK's module is known. */
const LANDMARK = "JSONRPCMessageSchema";

/** What the SDK does with all its schemas at once: as it is written, and as it is with lazy ones. */
const AT_ONCE: readonly (readonly [string, string])[] = [
  [
    "function register(key, schema) {\n  const name = key.slice(0, -6);\n" +
    "  _specTypeSchemas[name] = schema;\n" +
    "  _isSpecType[name] = (v) => schema.safeParse(v).success;\n}\n",
    "function register(key, schemas) {\n  const name = key.slice(0, -6);\n" +
    "  Object.defineProperty(_specTypeSchemas, name, { enumerable: true, get: () => schemas[key] });\n" +
    "  _isSpecType[name] = (v) => schemas[key].safeParse(v).success;\n}\n",
  ],
  ["register(key, schemas_exports[key]);", "register(key, schemas_exports);"],
  [
    "for (const [key, schema] of Object.entries(authSchemas)) register(key, schema);",
    "for (const key of Object.keys(authSchemas)) register(key, authSchemas);",
  ],
];

const HELPERS = `
function makeOnce(make) {
  let value;
  return () => value ??= make();
}
function keep(object, name, value) {
  Object.defineProperty(object, name, { value, enumerable: true });
  return value;
}
`;

/**
 * Makes the schemas lazy.
 *
 * @param modules The bundled SDK, by file name.
 * @throws {Error} Where the SDK is not written as expected.
 */
export function lazySchemas(modules: ReadonlyMap<string, string>): Map<string, string> {
  const [sdk, ...others] = [...modules].filter(([, code]) => code.includes(`var ${LANDMARK} = `));
  if (sdk === undefined || others.length > 0) throw new Error("The SDK's schemas are elsewhere");
  const [file, code] = sdk;
  const { text, exported } = lazyModule(replaceAtOnce(code));
  return new Map([...modules].map(([name, each]) => {
    if (name === file) return [name, text + HELPERS];
    return [name, each.includes(file) ? callImported(each, file, exported) : each];
  }));
}

function replaceAtOnce(code: string): string {
  return AT_ONCE.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`The SDK has no, or not one: ${from}`);
    return text.replace(from, () => to);
  }, code);
}

/** Makes the constants of a module lazy, and those of its builders. */
function lazyModule(code: string): { text: string; exported: Set<string> } {
  const body = parse(code)["body"] as Node[];
  const global = constants(body);
  if (global.size < 150) throw new Error(`The SDK has ${global.size} schemas only`);
  const builders = body.filter((node) =>
    node.type === "FunctionDeclaration" && BUILDER.test(nameOf(node["id"]))
  );
  if (builders.length !== 2) throw new Error(`The SDK has ${builders.length} revisions`);
  const tables = memberTables(body, global);
  const edits = [...lazyScope(body, global, tables)];
  for (const builder of builders) {
    const inner = (builder["body"] as Node)["body"] as Node[];
    const names = constants(inner);
    const own = ownTables(inner);
    edits.push(
      ...lazyScope(inner, names, own),
      ...own.flatMap((table) => lazyEntries(table, names)),
    );
  }
  edits.push(...tables.flatMap((table) => lazyEntries(table, global)));
  const exported = body.filter((node) => node.type === "ExportNamedDeclaration")
    .flatMap((node) => node["specifiers"] as Node[])
    .filter((each) => global.has(nameOf(each["local"])));
  const renamed = exported.find((each) => nameOf(each["local"]) !== nameOf(each["exported"]));
  if (renamed !== undefined) throw new Error(`The SDK exports ${nameOf(renamed["local"])} renamed`);
  return {
    text: applied(code, edits),
    exported: new Set(exported.map((each) => nameOf(each["local"]))),
  };
}

/** In a module that imports lazy constants, each use of one becomes a call. */
function callImported(code: string, file: string, lazy: ReadonlySet<string>): string {
  const body = parse(code)["body"] as Node[];
  const names = body.filter((node) =>
    node.type === "ImportDeclaration" &&
    String((node["source"] as Node)["value"]).endsWith(file)
  ).flatMap((node) => node["specifiers"] as Node[])
    .filter((each) => each.type === "ImportSpecifier" && lazy.has(nameOf(each["imported"])))
    .map((each) => nameOf(each["local"]));
  return applied(code, [...calls(body, new Set(names), [])]);
}

/**
 * The constants of a scope that are made lazily: the schemas, and what is made of them. The
 * tables of schemas are made at once, and their entries lazily.
 */
function constants(body: readonly Node[]): Set<string> {
  const all = declarators(body).filter(({ init }) => isNode(init) && isMade(init));
  const names = new Set<string>();
  for (let size = -1; size < names.size;) {
    size = names.size;
    for (const { id, init } of all) {
      const name = nameOf(id);
      const { type } = init as Node;
      const isTable = type === "ObjectExpression" && TABLE.test(name);
      const isLazy = SCHEMA.test(name) && type === "CallExpression" ||
        !isTable && mentions([init as Node], names);
      if (isLazy) names.add(name);
    }
  }
  return names;
}

/** Whether a value is made where it stands, and is no function and no class. */
function isMade(init: Node): boolean {
  return !/Function|Class|Literal/.test(init.type);
}

/** Whether what is made there needs one of the constants. */
function mentions(nodes: readonly Node[], names: ReadonlySet<string>): boolean {
  return nodes.some((node) =>
    node.type === "Identifier"
      ? names.has(nameOf(node))
      : !/Function|Class/.test(node.type) && mentions(variables(node), names)
  );
}

function declarators(body: readonly Node[]): Node[] {
  return body.filter((node) => node.type === "VariableDeclaration")
    .flatMap((node) => node["declarations"] as Node[]);
}

function* lazyScope(
  body: readonly Node[],
  names: ReadonlySet<string>,
  tables: readonly Node[],
): Generator<Edit> {
  const made = declarators(body).filter((each) => names.has(nameOf(each["id"])));
  const inits = made.map((each) => each["init"] as Node);
  for (const { start } of inits) yield { start, end: start, text: "makeOnce(() => (" };
  const done = [...made.map((each) => each["id"] as Node), ...tables.flatMap(shorthands)];
  yield* calls(body, names, done);
  // After the call that a value may end with.
  for (const { end } of inits) yield { start: end, end, text: "))" };
}

/** Each use of a constant becomes a call, but for those that are looked after elsewhere. */
function* calls(
  nodes: readonly Node[],
  names: ReadonlySet<string>,
  done: readonly Node[],
): Generator<Edit> {
  for (const node of nodes) {
    if (done.includes(node)) continue;
    if (node.type === "Identifier") {
      if (names.has(nameOf(node))) yield { start: node.end, end: node.end, text: "()" };
    } else if (node.type === "Property" && node["shorthand"] === true) {
      const name = nameOf(node["value"]);
      if (names.has(name)) yield { start: node.end, end: node.end, text: `: ${name}()` };
    } else {
      const hidden = declaredBy(node).find((id) => names.has(nameOf(id)) && !done.includes(id));
      if (hidden !== undefined) throw new Error(`Another ${nameOf(hidden)} is in the SDK`);
      yield* calls(variables(node), names, done);
    }
  }
}

/** The names that a node declares. */
function declaredBy(node: Node): Node[] {
  const { id, params } = node as { id?: Node; params?: Node[] };
  return [id, ...params ?? []].filter(isNode);
}

/** The parts of a node in which a name means a variable. */
function variables(node: Node): Node[] {
  if (/^(?:Import|Export)/.test(node.type)) return [];
  return partsOf(node, node["computed"] === true ? [] : ["key", "property"]);
}

/** The tables of schemas that a builder makes and returns. */
function ownTables(body: readonly Node[]): Node[] {
  const returned = body.filter((node) => node.type === "ReturnStatement")
    .map((node) => node["argument"] as Node);
  const declared = declarators(body).filter((each) => TABLE.test(nameOf(each["id"])))
    .map((each) => each["init"] as Node);
  return [...returned, ...declared].filter((node) => node?.type === "ObjectExpression");
}

/** The tables elsewhere whose entries are schemas. */
function memberTables(nodes: readonly Node[], names: ReadonlySet<string>): Node[] {
  return nodes.flatMap((node) => {
    const isTable = node.type === "ObjectExpression" && isTableOf(node);
    return isTable ? [node] : memberTables(partsOf(node), names);
  });
}

/** Whether all entries of an object are schemas: those of a builder, or constants. */
function isTableOf(node: Node): boolean {
  const entries = node["properties"] as Node[];
  return entries.length > 2 && entries.every((entry) => {
    const value = entry["value"] as Node | undefined;
    return value?.type === "MemberExpression" && nameOf(value["object"]) === "s" ||
      entry["shorthand"] === true && SCHEMA.test(nameOf(value));
  });
}

/** Each entry of a table is made when it is read. */
function lazyEntries(table: Node, names: ReadonlySet<string>): Edit[] {
  return (table["properties"] as Node[]).flatMap((entry) => {
    const { key, value, start, end } = entry as Node & { key: Node; value: Node };
    if (entry.type !== "Property" || /Function/.test(value.type)) return [];
    const name = JSON.stringify(nameOf(key) || key["value"]);
    const head = `get ${name}() { return keep(this, ${name}, `;
    if (entry["shorthand"] === true) {
      return names.has(nameOf(value))
        ? [{ start, end, text: `${head}${nameOf(value)}()); }` }]
        : [];
    }
    return [{ start, end: value.start, text: head }, { start: end, end, text: "); }" }];
  });
}

function shorthands(table: Node): Node[] {
  return (table["properties"] as Node[]).filter((entry) => entry["shorthand"] === true);
}

function parse(code: string): Node {
  return parseAst(code) as unknown as Node;
}
