/** Client-specific behavior, by the name in `clientInfo`. */

import { dotted } from "../tools/tool_names.ts";

export type NameStyle = "dotted" | "underscore";

/** The spelling for a client; `wanted` overrides it. */
export function nameStyle(_clientName: string | undefined, wanted?: NameStyle): NameStyle {
  return wanted ?? "underscore";
}

/**
 * Clients that show the model a result's text and its structured content, so that it would read
 * everything twice: LangChain's adapters, by the name of their package.
 */
export const SHOWS_BOTH = "@langchain/mcp-adapters";

export function spelled(name: string, style: NameStyle): string {
  return style === "dotted" ? dotted(name) : name;
}
