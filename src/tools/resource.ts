/**
 * A resource is data with an address. Reading one changes nothing.
 *
 * @module
 */

import { withEscapes } from "../plain_text.ts";
import { base64, type ContentAnnotations, type Icon, type Meta } from "./content.ts";
import type { CallContext } from "./context.ts";
import type { Requirement } from "./tool.ts";

/** The content of a resource: text as it is, data that is sent as JSON, or bytes. */
export type ResourceBody =
  & (
    | { readonly text: string; readonly mimeType?: string }
    | { readonly data: unknown }
    | { readonly blob: Uint8Array; readonly mimeType?: string }
  )
  & { readonly _meta?: Meta };

/** The values taken from a URI: path parameters and query parameters, decoded. */
export type ResourceParams = Readonly<Record<string, string>>;

/** What it takes to find the file behind a resource. */
export type FileContext = Pick<CallContext, "project">;

/**
 * A resource, or a family of resources with parameters.
 *
 * `uri` is a path such as `refrakt://plan/index`, with `{name}` for a segment
 * that is a parameter. `query` names the query parameters; `openQuery` takes any.
 */
export interface Resource {
  /** The address, with `{parameter}` segments. */
  readonly uri: string;
  /** A stable name, unique among the resources. */
  readonly name: string;
  /** A short name for people. */
  readonly title: string;
  /** What it holds. */
  readonly description: string;
  /** The type of its content. */
  readonly mimeType: string;
  /** How many bytes it has, where that is known beforehand. */
  readonly size?: number;
  /** For whom it is, and how much it matters. */
  readonly annotations?: ContentAnnotations;
  /** Pictures for clients that show some. */
  readonly icons?: readonly Icon[];
  /** Passed to clients as it is. */
  readonly _meta?: Meta;
  /** Query parameters, in the order in which they are shown. */
  readonly query?: readonly string[];
  /** The name of the open set of query parameters, such as `attributes`. */
  readonly openQuery?: string;
  /** Whether its content stays the same as long as the server runs, so that clients may keep it. */
  readonly fixed?: boolean;
  /** Listed only where the project has these; read elsewhere it fails with a coded error. */
  readonly requires?: readonly Requirement[];
  /** Values for a parameter that begin with what was typed; `others` are the parameters already given. */
  complete?(
    parameter: string,
    value: string,
    context: CallContext,
    others: ResourceParams,
  ): readonly string[] | Promise<readonly string[]>;
  /** The file behind the resource, absolute, for change notifications. */
  fileOf?(params: ResourceParams, context: FileContext): string | null | Promise<string | null>;
  /**
   * Reads it.
   *
   * @throws {RefraktError} With the same codes as the tool that it mirrors.
   */
  read(params: ResourceParams, context: CallContext): ResourceBody | Promise<ResourceBody>;
}

/** The content as text: data as JSON, bytes as base64. */
export function bodyText(body: ResourceBody, indent = 0): string {
  if ("text" in body) return body.text;
  return "blob" in body ? base64(body.blob) : withEscapes(JSON.stringify(body.data, null, indent));
}
