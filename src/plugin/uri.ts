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
  const { scheme, segments, query } = parseUri(uri);
  for (const resource of resources) {
    const path = matchPath(resource.uri, scheme, segments);
    if (path !== undefined) {
      return { resource, params: { ...path, ...matchQuery(resource, query) } };
    }
  }
  return undefined;
}

/** The parameters of the query that are not declared, which {@linkcode matchUri} marks by `?`. */
export function openParams(params: ResourceParams): Record<string, string> {
  const marked = Object.entries(params).filter(([name]) => name.startsWith("?"));
  return Object.fromEntries(marked.map(([name, value]) => [name.slice(1), value]));
}

function parseUri(uri: string) {
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
  const [, scheme = "", path = "", query = ""] = match;
  // `URLSearchParams` keeps what it cannot decode.
  decode(query);
  const segments = path.split("/").map(decode);
  return { scheme: scheme.toLowerCase(), segments, query: [...new URLSearchParams(query)] };
}

function matchPath(
  template: string,
  scheme: string,
  segments: readonly string[],
): Record<string, string> | undefined {
  const [wanted, path = ""] = template.split("://");
  const parts = path.split("/");
  if (wanted !== scheme || parts.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const segment = segments[index]!;
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined ? part !== segment : segment === "") return undefined;
    if (name !== undefined) params[name] = segment;
  }
  return params;
}

function matchQuery(
  { uri, query: names = [], openQuery }: Resource,
  query: readonly (readonly [string, string])[],
): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [name, value] of query) {
    const isDeclared = names.includes(name);
    if (!isDeclared && openQuery === undefined) {
      throw new RefraktError("INVALID_ARGS", `Unknown query parameter ${quotedName(name)}`, {
        hint: names.length === 0
          ? `${uri} takes no query parameters.`
          : `${didYouMean(name, names)} ${uri} takes ${names.join(", ")}.`.trim(),
      });
    }
    // It may have the name of a parameter of the path: refrakt://rune/icon?name=rocket.
    const key = isDeclared ? name : `?${name}`;
    if (Object.hasOwn(parameters, key)) {
      throw new RefraktError("INVALID_ARGS", `Duplicate query parameter ${quotedName(name)}`, {
        hint: "Pass each parameter once.",
      });
    }
    parameters[key] = value;
  }
  return parameters;
}
