/**
 * The behaviours of the project's packages (tabs, menus, copy buttons) as one script for the preview's
 * frame. The package's modules are linked, not run here.
 */

import { posix } from "node:path";
import { RefraktError } from "../../../errors.ts";
import { asObject } from "../../../io/json.ts";
import { requireTrust } from "../../../npm/trust.ts";
import { packageSource, type StyleSource } from "./style_source.ts";
import { hasPackage } from "./highlight.ts";
import { lockstepVersion } from "../upstream/package_versions.ts";
import type { SiteContext } from "../upstream/site.ts";

/** A script and its hash, as a content security policy names it. */
export interface FrameScript {
  readonly text: string;
  /** Such as `sha256-…`. */
  readonly hash: string;
}

const PACKAGE = "@refrakt-md/behaviors";

/** The global that the script sets: the exports of the package. */
const GLOBAL = "refraktBehaviors";

const MOST_MODULES = 200;
const MOST_CHARACTERS = 1_000_000;

/** Returns the script; `undefined` if the project does not have the package. */
export function behaviorsOf(site: SiteContext): Promise<FrameScript | undefined> {
  return site.kept.of("behaviours", () => load(site));
}

async function load(site: SiteContext): Promise<FrameScript | undefined> {
  if (!hasPackage(site, PACKAGE)) return undefined;
  await requireTrust(lockstepVersion(site.project, PACKAGE));
  const source = await packageSource(site, PACKAGE);
  const manifest = asObject(JSON.parse(await source?.read("package.json") ?? "{}"));
  const main = asObject(asObject(manifest["exports"])["."])["default"] ?? manifest["main"];
  if (source === undefined || typeof main !== "string") {
    throw new RefraktError("PLUGIN_LOAD_FAILED", `${PACKAGE} has no readable main module`);
  }
  const text = await linked(source, posix.normalize(main));
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return { text, hash: `sha256-${new Uint8Array(bytes).toBase64()}` };
}

/** Links the modules of a package, which import only each other, into one script. */
async function linked(source: StyleSource, main: string): Promise<string> {
  const bodies = new Map<string, string>();
  let size = 0;
  const add = async (path: string) => {
    if (bodies.has(path)) return;
    const text = await source.read(path);
    size += text?.length ?? 0;
    if (text === null || bodies.size >= MOST_MODULES || size > MOST_CHARACTERS) {
      throw new RefraktError("PLUGIN_LOAD_FAILED", `${PACKAGE} cannot be linked: ${path}`);
    }
    // A cycle finds the entry.
    bodies.set(path, "");
    const { body, imports } = asFunction(text, path);
    for (const each of imports) await add(each);
    bodies.set(path, body);
  };
  await add(main);
  const modules = [...bodies].map(([path, body]) =>
    `${JSON.stringify(path)}:function(exports,use){"use strict";\n${body}\n}`
  );
  return inScript(
    `(()=>{const modules={${modules.join(",\n")}},loaded={};` +
      `const use=(path)=>{if(!loaded[path]){loaded[path]={};modules[path](loaded[path],use)}` +
      `return loaded[path]};globalThis.${GLOBAL}=use(${JSON.stringify(main)})})()`,
  );
}

const NAMED =
  /^(import|export)\s*(?:([\w$]+)\s*,?\s*)?(?:\{([^}]*)\}|\*(?:\s*as\s+([\w$]+))?)?\s*(?:from\s*)?["']([^"'\n]+)["'];?/gm;
const LIST = /^export\s*\{([^}]*)\};?/gm;
const DEFAULT = /^export\s+default\s+/gm;
const DECLARED = /^export\s+((?:async\s+)?function\*?|class|const|let|var)\s+([\w$]+)/gm;

/** Turns a module, as TypeScript prints it, into the body of a function. */
function asFunction(text: string, path: string): { body: string; imports: string[] } {
  const imports: string[] = [];
  const exported: string[] = [];
  const getter = (name: string, value: string) =>
    exported.push(`${JSON.stringify(name)}:{enumerable:true,get:()=>${value}}`);
  const pairs = (list: string) =>
    list.split(",").map((each) => each.trim()).filter((each) => each !== "").map((each) => {
      const [from = "", to = from] = each.split(/\s+as\s+/);
      return [from, to] as const;
    });
  const fold = (value: string) => value.split("\n").map(() => "").join("\n");
  // Most of the text is comments.
  const body = text.replace(/^\s*(?:\/\/.*$|\/\*\*[^]*?\*\/)/gm, "")
    .replace(NAMED, (whole, kind, first, list, all, target) => {
      if (!target.startsWith(".")) {
        throw new RefraktError("PLUGIN_LOAD_FAILED", `${PACKAGE} imports ${target} in ${path}`);
      }
      const module = posix.join(posix.dirname(path), target);
      imports.push(module);
      const used = `use(${JSON.stringify(module)})`;
      if (kind === "export" && list === undefined && all === undefined) {
        return `Object.assign(exports,${used});${fold(whole)}`;
      }
      if (kind === "export") {
        for (const [from, to] of pairs(list ?? "")) getter(to, `${used}[${JSON.stringify(from)}]`);
        return `${used};${fold(whole)}`;
      }
      const parts = [
        ...first === undefined ? [] : [`${first}=${used}.default`],
        ...all === undefined ? [] : [`${all}=${used}`],
        ...list === undefined
          ? []
          : [`{${pairs(list).map(([from, to]) => `${from}:${to}`).join()}}=${used}`],
      ];
      return `${parts.length === 0 ? used : `const ${parts.join()}`};${fold(whole)}`;
    })
    .replace(LIST, (whole, list) => {
      for (const [from, to] of pairs(list)) getter(to, from);
      return fold(whole);
    })
    .replace(DEFAULT, () => {
      getter("default", "__default");
      return "const __default=";
    })
    .replace(DECLARED, (_, kind, name) => {
      getter(name, name);
      return `${kind} ${name}`;
    });
  return { body: `Object.defineProperties(exports,{${exported.join()}});\n${body}`, imports };
}

/** Escapes what would end or comment out an inline script. */
function inScript(text: string): string {
  return text.replace(/<(?=\/script|!--)/gi, "\\x3c");
}
