/**
 * What is wrong with the manifest of a rune package.
 *
 * @module
 */

import { asObject } from "../../io/json.ts";
import { error, type Findings, warning } from "./findings.ts";

/** A package's name, version and entry point. */
export function lintManifest(manifest: Readonly<Record<string, unknown>>, found: Findings): void {
  for (const field of ["name", "version"]) {
    const value = manifest[field];
    if (typeof value !== "string" || value === "") {
      error(found, `package.json.${field}`, "Required, a text that is not empty");
    }
  }
  const exports = manifest["exports"];
  const main = typeof exports === "string" ? exports : asObject(exports)["."];
  if (!manifest["main"] && !main) {
    warning(found, "package.json", 'No entry point: neither "main" nor "exports"');
  }
}
