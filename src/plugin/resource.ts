/** Resources: data with a URI. Reading them changes nothing. */

import { shownData, withEscapes } from "../plain_text.ts";
import { base64, type ListedEntry, type Meta } from "./content.ts";
import type { CallContext } from "./context.ts";

/** The content of a resource: text, data sent as JSON, or bytes. */
export type ResourceBody =
  & (
    | { readonly text: string; readonly mimeType?: string }
    | { readonly data: unknown }
    | { readonly blob: Uint8Array; readonly mimeType?: string }
  )
  & { readonly _meta?: Meta };

/** The decoded path and query parameters of a URI. */
export type ResourceParams = Readonly<Record<string, string>>;

/**
 * A resource, or a family of resources with parameters.
 *
 * `uri` is a path such as `refrakt://plan/index`, with `{name}` for a segment that is a parameter.
 */
export interface Resource extends ListedEntry {
  /** The URI, with `{parameter}` segments. */
  readonly uri: string;
  /** A stable name, unique among the resources. */
  readonly name: string;
  /** The MIME type. */
  readonly mimeType: string;
  /** The query parameters, in display order. */
  readonly query?: readonly string[];
  /** The name of a set of arbitrary query parameters, such as `attributes`. */
  readonly openQuery?: string;
  /** Whether the content is constant while the server runs, so that clients may cache it. */
  readonly fixed?: boolean;
  /** Listed only if the project has these; otherwise reading it fails with a code. */
  readonly requires?: readonly string[];
  /** Completes a parameter; `others` are the parameters already given. */
  complete?(
    parameter: string,
    value: string,
    context: CallContext,
    others: ResourceParams,
  ): readonly string[] | Promise<readonly string[]>;
  /**
   * Reads it.
   *
   * @throws {RefraktError} With the codes of the corresponding tool.
   */
  read(params: ResourceParams, context: CallContext): ResourceBody | Promise<ResourceBody>;
}

/** The content as shown text: data as JSON, bytes as base64. */
export function bodyText(body: ResourceBody, indent = 0): string {
  if ("text" in body) return withEscapes(body.text);
  if ("blob" in body) return base64(body.blob);
  return JSON.stringify(shownData(body.data), null, indent);
}
