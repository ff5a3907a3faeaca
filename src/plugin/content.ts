/** Content blocks of tools and prompts, in MCP's terms. */

import { Buffer } from "node:buffer";
import { asObject } from "../io/json.ts";

/** Additional data for clients, passed on unchanged. */
export type Meta = Readonly<Record<string, unknown>>;

/** The fields of tools, resources and prompts in lists. */
export interface ListedEntry {
  /** The display name. */
  readonly title: string;
  /** What it does or contains, and when to use it. */
  readonly description: string;
  /** Passed to clients unchanged. */
  readonly _meta?: Meta | undefined;
}

/** The audience and the importance of content. */
export interface ContentAnnotations {
  /** The intended audience. */
  readonly audience?: readonly ("user" | "assistant")[];
  /** From 0 (optional) to 1 (required). */
  readonly priority?: number;
  /** The last change, in ISO 8601. */
  readonly lastModified?: string;
}

/** Fields of every block. */
export interface BlockCommon {
  /** The audience and the importance. */
  readonly annotations?: ContentAnnotations;
  /** Passed to clients unchanged. */
  readonly _meta?: Meta;
}

/** A text block. */
export interface TextBlock extends BlockCommon {
  /** The kind of block. */
  readonly type: "text";
  /** The text. */
  readonly text: string;
}

/** An image or audio block. */
export interface MediaBlock extends BlockCommon {
  /** The kind of block. */
  readonly type: "image" | "audio";
  /** The bytes, raw or as base64. */
  readonly data: string | Uint8Array;
  /** The MIME type, such as `image/png`. */
  readonly mimeType: string;
}

/** A link to a resource. */
export interface ResourceLinkBlock
  extends BlockCommon, Partial<Pick<ListedEntry, "title" | "description">> {
  /** The kind of block. */
  readonly type: "resource_link";
  /** The URI. */
  readonly uri: string;
  /** The name. */
  readonly name: string;
  /** The MIME type. */
  readonly mimeType?: string;
  /** The size in bytes. */
  readonly size?: number;
}

/** A resource with its content. */
export interface EmbeddedResourceBlock extends BlockCommon {
  /** The kind of block. */
  readonly type: "resource";
  /** The resource; a `blob` string is base64. */
  readonly resource:
    & { readonly uri: string; readonly mimeType?: string; readonly _meta?: Meta }
    & ({ readonly text: string } | { readonly blob: string | Uint8Array });
}

/** A content block. */
export type ContentBlock = TextBlock | MediaBlock | ResourceLinkBlock | EmbeddedResourceBlock;

/** A content block with bytes as base64. */
export type EncodedBlock = Encoded<ContentBlock>;

type Encoded<Value> = Value extends string | Uint8Array ? Exclude<Value, Uint8Array>
  : Value extends object ? { readonly [Field in keyof Value]: Encoded<Value[Field]> }
  : Value;

/** What is wrong with a block, or `undefined`. */
export function blockProblem(block: unknown): string | undefined {
  if (typeof block !== "object" || block === null) return "not an object";
  const { type, text, data, mimeType, uri, name, resource } = asObject(block);
  switch (type) {
    case "text":
      return typeof text === "string" ? undefined : '"text" is not a string';
    case "image":
    case "audio":
      if (typeof mimeType !== "string") return '"mimeType" is missing';
      return isBytes(data) ? undefined : '"data" is neither bytes nor base64';
    case "resource_link":
      if (typeof uri !== "string") return '"uri" is missing';
      return typeof name === "string" ? undefined : '"name" is missing';
    case "resource": {
      const { uri: address, text: body, blob } = asObject(resource);
      if (typeof address !== "string") return '"resource.uri" is missing';
      return typeof body === "string" || isBytes(blob)
        ? undefined
        : '"resource" has neither "text" nor "blob"';
    }
    default:
      return `unknown type ${JSON.stringify(type)}`;
  }
}

/** Encodes bytes as base64. */
export function encodeBlock(block: ContentBlock): EncodedBlock {
  if ("data" in block) return { ...block, data: base64(block.data) };
  if (block.type !== "resource") return block;
  const { resource } = block;
  if (!("blob" in resource)) return { ...block, resource };
  return { ...block, resource: { ...resource, blob: base64(resource.blob) } };
}

/** Encodes bytes; a string is base64 already. */
export function base64(bytes: string | Uint8Array): string {
  return typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("base64");
}

function isBytes(value: unknown): boolean {
  if (value instanceof Uint8Array) return true;
  return typeof value === "string" && value.length % 4 === 0 &&
    /^[A-Za-z0-9+/]*={0,2}$/.test(value);
}
