/** What a project is for others: a theme, a rune plugin, a preset pack, a template or a library. */

import type { OwnPackage, PackageKind } from "../../src/plugin/project.ts";
import { orElse } from "../../src/errors.ts";
import { asObject, isObject, parseJsonc, textOf } from "../../src/io/json.ts";
import { readIfExists } from "../../src/io/read.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The files that tell the kind, beside `package.json`. */
const KIND_FILES = ["manifest.json", "presets.json", "template.json"] as const;

/** Tells by the manifests; an application, which is private and has no entry, is no package. */
export function ownPackageOf(cwd: string): OwnPackage | null {
  const manifest = objectIn(cwd, "package.json");
  const exports = asObject(manifest["exports"]);
  const [theme, presets, template] = KIND_FILES.map((file) => objectIn(cwd, file));
  const named = (kind: PackageKind): OwnPackage => ({ kind, name: textOf(manifest["name"]) });
  if (isObject(template!["site"])) return named("template");
  if (Array.isArray(presets!["presets"])) return named("preset pack");
  const isTheme = isObject(theme!["layouts"]) || typeof theme!["designTokens"] === "string";
  if (isTheme || "./transform" in exports && "./manifest" in exports) return named("theme");
  const hasEntry = manifest["private"] !== true &&
    [manifest["main"], manifest["module"], manifest["exports"]].some((entry) => entry);
  if (!hasEntry) return null;
  const asked = ["peerDependencies", "dependencies", "devDependencies"]
    .flatMap((group) => Object.keys(asObject(manifest[group])));
  const isPlugin = "./cli-plugin" in exports ||
    asked.some((name) => /^@refrakt-md\/(?:runes|transform|types)$/.test(name));
  return named(isPlugin ? "plugin" : "library");
}

/** A JSON file, or an empty object. */
function objectIn(cwd: string, path: string): Fields {
  return asObject(orElse(() => parseJsonc(readIfExists(cwd, path, "manifest") ?? ""), {}));
}
