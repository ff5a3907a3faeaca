/**
 * Which spelling of tool names a client accepts.
 *
 * @module
 */

import { underscored } from "../tools/tool_names.ts";
import type { Tool } from "../tools/tool.ts";

/** How tool names are spelled in lists. */
export type NameStyle = "dotted" | "underscore";

/** One kind of client that takes dots. */
export interface ClientRule {
  /** The name that it gives in `clientInfo`: in full, or how it begins where it ends in `*`. */
  readonly name: string;
  /** Why it may have dots. */
  readonly reason: string;
}

/**
 * The clients that are known to take dots, and show the canonical names for it. Everybody
 * else gets underscores: many clients hand names unchanged to a model's provider, and
 * those refuse every request with a dot in the name of a tool.
 */
export const DOTTED_CLIENTS: readonly ClientRule[] = [
  { name: "claude-code", reason: "Claude Code rewrites names for the model by itself" },
  { name: "codex-mcp-client", reason: "Codex rewrites names for the model by itself" },
  { name: "gemini-cli*", reason: "Gemini CLI rewrites names for the model by itself" },
  { name: "inspector*", reason: "The MCP Inspector has no model and shows names as they are" },
  { name: "mcp-inspector*", reason: "The MCP Inspector has no model and shows names as they are" },
  { name: "visual studio code*", reason: "VS Code rewrites names for the model by itself" },
];

/** The spelling for a client; the user's choice wins. */
export function nameStyle(clientName: string | undefined, wanted?: NameStyle): NameStyle {
  if (wanted !== undefined) return wanted;
  const name = clientName?.toLowerCase() ?? "";
  const takesDots = DOTTED_CLIENTS.some((rule) =>
    rule.name.endsWith("*") ? name.startsWith(rule.name.slice(0, -1)) : name === rule.name
  );
  return takesDots ? "dotted" : "underscore";
}

/** The clients that show the model the structured content alone where there is some. */
const DATA_ALONE: readonly string[] = ["claude-code", "codex-mcp-client"];

/** Whether a client's model sees no text beside structured content. */
export function seesDataAlone(clientName: string | undefined): boolean {
  return DATA_ALONE.includes(clientName?.toLowerCase() ?? "");
}

/** A tool's name in a style. */
export function spelled(name: string, style: NameStyle): string {
  return style === "dotted" ? name : underscored(name);
}

/** A tool's title in a style: with underscores it shows the canonical name. */
export function titleFor(tool: Tool, style: NameStyle): string {
  return style === "dotted" || !tool.name.includes(".") ? tool.title : tool.name;
}
