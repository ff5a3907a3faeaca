/**
 * Converts list entries to SDK types, bounds their texts (plugins write them, so they may hide or
 * repeat anything) and adds icons.
 */

import type { InputRequest as SdkInputRequest, Tool } from "@modelcontextprotocol/server";
import { shortLine, shortText, shown } from "../plain_text.ts";
import type { Icon, ListedEntry } from "../tools/content.ts";
import type { InputRequest } from "../tools/context.ts";
import type { JsonSchema } from "../tools/schema.ts";

/** Removes `readonly` at any depth. */
export type Mutable<Value> = Value extends object
  ? { -readonly [Field in keyof Value]: Mutable<Value[Field]> }
  : Value;

/** A cast: the SDK does not modify what it sends. */
export function mutable<Value>(value: Value): Mutable<Value> {
  return value as Mutable<Value>;
}

export function objectSchema(schema: JsonSchema): Tool["inputSchema"] {
  return schema as Tool["inputSchema"];
}

/** The SDK checks the parameters when it sends them. */
export function inputRequest(request: InputRequest) {
  return { params: {}, ...request } as SdkInputRequest & { params: Record<string, unknown> };
}

export function boundedTitle(title: string): string {
  return shortLine(shown(title), 120);
}

export function boundedDescription(description: string): string {
  return shortText(shown(description), 2000);
}

export function listedFields({ title, description, icons, _meta }: ListedEntry) {
  return {
    title: boundedTitle(title),
    description: boundedDescription(description),
    ...(icons === undefined ? {} : { icons: mutable(icons) }),
    ...(_meta === undefined ? {} : { _meta: { ..._meta } }),
  };
}

/** 16 by 16 icons, by group of tools. */
const DRAWINGS: Readonly<Record<string, readonly [color: string, path: string]>> = {
  core: ["#777", "M8 1l7 7-7 7-7-7z"],
  plan: ["#26c", "M1 2h4v12H1zM6 2h4v8H6zM11 2h4v5h-4z"],
  ralph: ["#c52", "M1 8l3-3 3 3 6-6 2 3-8 8z"],
  site: ["#284", "M1 2h14v4H1zM1 7h5v7H1zM7 7h8v7H7z"],
};

/** Other tools that begin with `refrakt` are about sites. */
const CORE = new Set(["refrakt.detect", "refrakt.more", "refrakt.plugins_list", "refrakt.version"]);

/** The icons of a tool; tools of other packages have none. */
export function iconsOf(name: string): Icon[] {
  const [family = ""] = name.split(/[._]/);
  const drawing =
    DRAWINGS[CORE.has(name) ? "core" : ["docs", "refrakt"].includes(family) ? "site" : family];
  if (drawing === undefined) return [];
  const [color, path] = drawing;
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>` +
    `<path fill='${color}' d='${path}'/></svg>`;
  const src = `data:image/svg+xml,${svg.replace(/[<># ]/g, (char) => encodeURIComponent(char))}`;
  return [{ src, mimeType: "image/svg+xml", sizes: ["any"] }];
}
