/**
 * Parts of lists: values in the types of the SDK, titles and descriptions, and the icons of tools.
 * Plugins of the project write texts, so they are data: nothing is hidden in them, and they end.
 *
 * @module
 */

import type { InputRequest as SdkInputRequest, Tool } from "@modelcontextprotocol/server";
import { plainLine, plainText } from "../plain_text.ts";
import type { Icon } from "../tools/content.ts";
import type { InputRequest } from "../tools/context.ts";
import type { JsonSchema } from "../tools/schema.ts";

/** A type without `readonly`, at any depth. */
export type Mutable<Value> = Value extends object
  ? { -readonly [Field in keyof Value]: Mutable<Value[Field]> }
  : Value;

/** The value itself: the SDK only reads what it sends. */
export function mutable<Value>(value: Value): Mutable<Value> {
  return value as Mutable<Value>;
}

/** The schema of a tool's input or output, which is JSON. */
export function objectSchema(schema: JsonSchema): Tool["inputSchema"] {
  return schema as Tool["inputSchema"];
}

/** What a tool asks the client for; the SDK checks the parameters when it sends them. */
export function inputRequest(request: InputRequest): SdkInputRequest {
  return { params: {}, ...request } as SdkInputRequest;
}

/** The most characters of a title. */
const MOST_TITLE = 120;

/** The most characters of a description. */
const MOST_DESCRIPTION = 2000;

/** A title as it is sent. */
export function boundedTitle(title: string): string {
  return plainLine(title, MOST_TITLE);
}

/** A description as it is sent. */
export function boundedDescription(description: string): string {
  return plainText(description, MOST_DESCRIPTION);
}

/** The outline of a drawing in a space of 16 by 16, by family. */
const DRAWINGS: Readonly<Record<string, readonly [color: string, path: string]>> = {
  core: ["#777", "M8 1l7 7-7 7-7-7z"],
  plan: ["#26c", "M1 2h4v12H1zM6 2h4v8H6zM11 2h4v5h-4z"],
  ralph: ["#c52", "M1 8l3-3 3 3 6-6 2 3-8 8z"],
  site: ["#284", "M1 2h14v4H1zM1 7h5v7H1zM7 7h8v7H7z"],
};

/** The tools of the server itself; the others that begin with `refrakt` are about sites. */
const CORE = new Set(["refrakt.detect", "refrakt.more", "refrakt.plugins_list", "refrakt.version"]);

/** The icons of a tool; none for one of another package. */
export function iconsOf(name: string): Icon[] {
  const [family = ""] = name.split(/[._]/);
  const drawing =
    DRAWINGS[CORE.has(name) ? "core" : ["docs", "refrakt"].includes(family) ? "site" : family];
  if (drawing === undefined) return [];
  const [color, path] = drawing;
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>` +
    `<path fill='${color}' d='${path}'/></svg>`;
  const src = `data:image/svg+xml,${svg.replace(/[<># ]/g, encodeURIComponent)}`;
  return [{ src, mimeType: "image/svg+xml", sizes: ["any"] }];
}
