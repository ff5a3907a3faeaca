/** Values that are made, and modules that are loaded, at their first use. */

/** Returns a function that makes a value at its first call, and returns the same one afterwards. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

type Load = typeof process.getBuiltinModule;

const getBuiltin = lazily((): Load => globalThis.process.getBuiltinModule.bind(globalThis.process));

/**
 * Loads one of Node's modules that take long, such as `node:fs` (15 ms): the real one, also where
 * packages get replacements later.
 */
export const nodeModule: Load = (id: string) => getBuiltin()(id);
