/**
 * Parses resource URIs and matches them with declared resources.
 *
 * `URLPattern` is not used: the patterns of forty resources add 30 ms to the start (Deno 2.9.6), and it
 * changes ids: it drops line breaks (`a\nb` becomes `ab`), accepts `%zz` and takes `{name}` in a pattern
 * literally. Decoding, its errors and the query would still be needed.
 */

import { quotedName } from "../plain_text.ts";
import { didYouMean, RefraktError } from "../errors.ts";
import type { Resource, ResourceParams } from "./resource.ts";

interface ParsedUri {
  scheme: string;
  segments: string[];
  query: [string, string][];
}

/** The URI template for clients, by RFC 6570. */
export function uriTemplate(resource: Resource): string {
  const query = [...resource.query ?? []];
  if (resource.openQuery !== undefined) query.push(`${resource.openQuery}*`);
  return query.length === 0 ? resource.uri : `${resource.uri}{?${query.join(",")}}`;
}

export function isStatic(resource: Resource): boolean {
  return !resource.uri.includes("{");
}

/** The resource for a URI, and its parameters. Throws `INVALID_ARGS` for a malformed URI. */
export function matchUri(
  resources: readonly Resource[],
  uri: string,
): { resource: Resource; params: ResourceParams } | undefined {
  const parsed = parseUri(uri);
  for (const resource of resources) {
    const path = matchPath(resource.uri, parsed);
    if (path === undefined) continue;
    return { resource, params: { ...path, ...matchQuery(resource, parsed.query, path) } };
  }
  return undefined;
}

/** The query parameters that are not declared. */
export function openParams(
  resource: Pick<Resource, "uri" | "query">,
  params: ResourceParams,
): Record<string, string> {
  const path = pathParams(resource.uri);
  const declared = new Set([...resource.query ?? [], ...path]);
  return Object.fromEntries(
    Object.entries(params).filter(([name]) => !declared.has(name)).map(([name, value]) => [
      name.startsWith("?") && path.includes(name.slice(1)) ? name.slice(1) : name,
      value,
    ]),
  );
}

function parseUri(uri: string): ParsedUri {
  const match = /^([a-z][a-z0-9+.-]*):\/\/([^?#]*)(?:\?([^#]*))?$/i.exec(uri);
  if (match === null || uri.length > 4096) {
    throw new RefraktError("INVALID_ARGS", `Not a resource URI: ${quotedName(uri)}`, {
      hint: "A URI looks like refrakt://plan/index; resources/list returns all.",
    });
  }
  const decode = (text: string) => {
    try {
      return decodeURIComponent(text);
    } catch (cause) {
      throw new RefraktError("INVALID_ARGS", `Bad percent-encoding: ${quotedName(text)}`, {
        hint: "Encode a percent sign as %25.",
        cause,
      });
    }
  };
  const [, scheme, path, query = ""] = match;
  // `URLSearchParams` keeps what it cannot decode.
  decode(query);
  return {
    scheme: scheme!.toLowerCase(),
    segments: path!.split("/").map(decode),
    query: [...new URLSearchParams(query)],
  };
}

function matchPath(template: string, uri: ParsedUri): Record<string, string> | undefined {
  const [scheme, path] = template.split("://");
  const wanted = path?.split("/") ?? [];
  if (scheme !== uri.scheme || wanted.length !== uri.segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const segment = uri.segments[index]!;
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) {
      if (part !== segment) return undefined;
    } else if (segment === "") return undefined;
    else params[name] = segment;
  }
  return params;
}

function matchQuery(
  resource: Resource,
  query: [string, string][],
  path: Record<string, string>,
): Record<string, string> {
  const names = resource.query ?? [];
  const parameters: Record<string, string> = {};
  for (const [name, value] of query) {
    const open = resource.openQuery !== undefined && !names.includes(name);
    if (!names.includes(name) && !open) {
      throw new RefraktError("INVALID_ARGS", `Unknown query parameter ${quotedName(name)}`, {
        hint: names.length === 0
          ? `${resource.uri} takes no query parameters.`
          : `${didYouMean(name, names)} ${resource.uri} takes ${names.join(", ")}.`.trim(),
      });
    }
    // An open parameter may have the name of a path parameter: refrakt://rune/icon?name=rocket.
    const key = open && Object.hasOwn(path, name) ? `?${name}` : name;
    if (Object.hasOwn(parameters, key)) {
      throw new RefraktError("INVALID_ARGS", `Duplicate query parameter ${quotedName(name)}`, {
        hint: "Pass each parameter once.",
      });
    }
    Object.defineProperty(parameters, key, { value, enumerable: true, configurable: true });
  }
  return parameters;
}

function pathParams(template: string): string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}
