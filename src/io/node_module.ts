/**
 * Node's modules that take long to load, such as `node:fs` (15 ms), each at its first use: a start
 * needs none of them.
 */

import type process from "node:process";
import { lazily } from "./lazily.ts";

type Load = typeof process.getBuiltinModule;

const load = lazily((): Load => globalThis.process.getBuiltinModule.bind(globalThis.process));

/** Loads a module: the real one, also where packages get replacements later. */
export const nodeModule: Load = (id: string) => load()(id);
