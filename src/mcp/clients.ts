/** Client-specific behavior, by the name in `clientInfo`. */

import { underscored } from "../tools/tool_names.ts";

export type NameStyle = "dotted" | "underscore";

/**
 * Clients that accept dots in tool names: Claude Code, Codex and Gemini CLI rewrite names for the
 * model, and the Inspector has no model. Other clients get underscores, because many providers
 * reject requests with a dot in a tool name. `deno task clients` proves each row.
 */
export const DOTTED_CLIENTS: readonly string[] = [
  "claude-code",
  "codex-mcp-client",
  "gemini-cli-mcp-client",
  "inspector-cli",
];

/** The spelling for a client; `wanted` overrides it. */
export function nameStyle(clientName: string | undefined, wanted?: NameStyle): NameStyle {
  if (wanted !== undefined) return wanted;
  return DOTTED_CLIENTS.includes(clientName?.toLowerCase() ?? "") ? "dotted" : "underscore";
}

/**
 * Clients that show the model a result's text and its structured content, so that it would read
 * everything twice: LangChain's adapters, by the name of their package.
 */
export const SHOWS_BOTH = "@langchain/mcp-adapters";

export function spelled(name: string, style: NameStyle): string {
  return style === "dotted" ? name : underscored(name);
}
