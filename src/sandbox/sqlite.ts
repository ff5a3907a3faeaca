/**
 * What plugins get for `node:sqlite`: the real one, held to the project.
 *
 * @module
 */

import process from "node:process";

type Database = new (path: unknown, ...rest: unknown[]) => object;

/**
 * The exports of the replaced module. The real one is loaded when it is imported.
 *
 * @param check Throws for a path that leads out of the project by a link.
 */
export function sqliteModule(check: (path: unknown) => void): Record<string, unknown> {
  const getBuiltin = process.getBuiltinModule.bind(process);
  let made: Record<string, unknown> | undefined;
  const load = () => made ??= contained(getBuiltin("node:sqlite"), check);
  const module: Record<string, unknown> = {};
  for (const name of ["DatabaseSync", "StatementSync", "Session", "backup", "constants"]) {
    Object.defineProperty(module, name, { enumerable: true, get: () => load()[name] });
  }
  return module;
}

function contained(sqlite: object, check: (path: unknown) => void): Record<string, unknown> {
  const { DatabaseSync, backup } = sqlite as Record<string, unknown>;
  return {
    ...sqlite,
    DatabaseSync: new Proxy(DatabaseSync as Database, {
      construct(target, args: [unknown, ...unknown[]], newTarget) {
        if (args[0] !== ":memory:") check(args[0]);
        return Reflect.construct(target, args, newTarget);
      },
    }),
    backup: (database: unknown, path: unknown, ...rest: unknown[]) => {
      check(path);
      return (backup as (...args: unknown[]) => unknown)(database, path, ...rest);
    },
  };
}
