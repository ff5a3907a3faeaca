/**
 * A resource is data with an address. Reading one changes nothing.
 *
 * @module
 */

import type { CallContext } from "./context.ts";
import type { Need } from "./tool.ts";

/** The content of a resource: text as it is, or data that is sent as JSON. */
export type ResourceBody =
  | { readonly text: string; readonly mimeType?: string }
  | { readonly data: unknown };

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
  /** Query parameters, in the order in which they are shown. */
  readonly query?: readonly string[];
  /** The name of the open set of query parameters, such as `attributes`. */
  readonly openQuery?: string;
  /** Listed only where the project has these; read elsewhere it fails with a coded error. */
  readonly needs?: readonly Need[];
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
