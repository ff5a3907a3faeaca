/**
 * Content blocks: what tools and prompts may send beside plain data, in the terms
 * of the Model Context Protocol.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { asObject } from "../io/json.ts";

/** Extra facts for clients, passed on as they are. */
export type Meta = Readonly<Record<string, unknown>>;

/** A picture for clients that show some. */
export interface Icon {
  /** An `https:` or `data:` URL. */
  readonly src: string;
  /** Its type. */
  readonly mimeType?: string;
  /** Sizes such as `48x48`, or `any`. */
  readonly sizes?: readonly string[];
  /** The background that it is made for. */
  readonly theme?: "light" | "dark";
}

/** For whom content is, and how much it matters. */
export interface ContentAnnotations {
  /** Who is to see it. */
  readonly audience?: readonly ("user" | "assistant")[];
  /** From 0, which is optional, to 1, which is needed. */
  readonly priority?: number;
  /** When it changed last, as an ISO 8601 time. */
  readonly lastModified?: string;
}

/** What every kind of block may have. */
export interface BlockCommon {
  /** For whom the block is. */
  readonly annotations?: ContentAnnotations;
  /** Passed to clients as it is. */
  readonly _meta?: Meta;
}

/** A text. */
export interface TextBlock extends BlockCommon {
  /** The kind of block. */
  readonly type: "text";
  /** The text. */
  readonly text: string;
}

/** An image or a sound. */
export interface MediaBlock extends BlockCommon {
  /** The kind of block. */
  readonly type: "image" | "audio";
  /** The bytes, or base64 of them. */
  readonly data: string | Uint8Array;
  /** Their type, such as `image/png`. */
  readonly mimeType: string;
}

/** The address of a resource that a client may read. */
export interface ResourceLinkBlock extends BlockCommon {
  /** The kind of block. */
  readonly type: "resource_link";
  /** Its URI. */
  readonly uri: string;
  /** Its name. */
  readonly name: string;
  /** A short name for people. */
  readonly title?: string;
  /** What it holds. */
  readonly description?: string;
  /** Its type. */
  readonly mimeType?: string;
  /** How many bytes it has. */
  readonly size?: number;
  /** Pictures for clients that show some. */
  readonly icons?: readonly Icon[];
}

/** A resource with its content. */
export interface EmbeddedResourceBlock extends BlockCommon {
  /** The kind of block. */
  readonly type: "resource";
  /** The resource: its content is a text, or bytes (base64 where they are a string). */
  readonly resource:
    & { readonly uri: string; readonly mimeType?: string; readonly _meta?: Meta }
    & ({ readonly text: string } | { readonly blob: string | Uint8Array });
}

/** One block of content. */
export type ContentBlock = TextBlock | MediaBlock | ResourceLinkBlock | EmbeddedResourceBlock;

/** One block of content as the protocol has it: bytes are base64. */
export type EncodedBlock = Encoded<ContentBlock>;

/** A value in which base64 stands for bytes, at any depth. */
type Encoded<Value> = Value extends string | Uint8Array ? Exclude<Value, Uint8Array>
  : Value extends object ? { readonly [Field in keyof Value]: Encoded<Value[Field]> }
  : Value;

/** What is wrong with a block, or `undefined` where it is a good one. */
export function blockProblem(block: unknown): string | undefined {
  if (typeof block !== "object" || block === null) return "it is no object";
  const { type, text, data, mimeType, uri, name, resource } = asObject(block);
  switch (type) {
    case "text":
      return typeof text === "string" ? undefined : '"text" is no string';
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
      return `its type is ${JSON.stringify(type)}`;
  }
}

/** A block as the protocol has it: bytes become base64. */
export function encodeBlock(block: ContentBlock): EncodedBlock {
  switch (block.type) {
    case "image":
    case "audio":
      return { ...block, data: base64(block.data) };
    case "resource": {
      const { resource } = block;
      return "blob" in resource
        ? { ...block, resource: { ...resource, blob: base64(resource.blob) } }
        : { ...block, resource };
    }
    default:
      return block;
  }
}

/** Base64 of bytes; a string is taken to be base64 already. */
export function base64(bytes: string | Uint8Array): string {
  return typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("base64");
}

function isBytes(value: unknown): boolean {
  if (value instanceof Uint8Array) return true;
  return typeof value === "string" && value.length % 4 === 0 &&
    /^[A-Za-z0-9+/]*={0,2}$/.test(value);
}
