/**
 * Which spelling of tool names a client can say.
 *
 * @module
 */

import { underscored } from "../surface/names.ts";
import type { Tool } from "../surface/tool.ts";

/** How tool names are spelled in lists. */
export type NameStyle = "dotted" | "underscore";

/** One kind of client that refuses dots. */
export interface ClientRule {
  /** The name that it gives in `clientInfo`: in full, or how it begins where it ends in `*`. */
  readonly name: string;
  /** Why it needs underscores. */
  readonly reason: string;
}

/** The clients that are known to refuse dots. Everybody else gets the canonical names. */
export const UNDERSCORE_CLIENTS: readonly ClientRule[] = [
  {
    name: "claude-ai",
    reason:
      "Claude Desktop and claude.ai take ^[a-zA-Z0-9_-]{1,64}$, and hide every tool if one is bad",
  },
  { name: "cursor-vscode", reason: "Cursor flags names with dots as invalid" },
  { name: "github-copilot*", reason: "Copilot CLI refuses servers whose tool names have dots" },
  { name: "windsurf*", reason: "Windsurf refuses names outside ^[a-zA-Z0-9_-]{1,64}$" },
];

/**
 * The spelling for a client.
 *
 * @param clientName What it calls itself, if it does.
 * @param wanted A choice by hand, which wins.
 */
export function nameStyle(clientName: string | undefined, wanted?: NameStyle): NameStyle {
  if (wanted !== undefined) return wanted;
  const name = clientName?.toLowerCase() ?? "";
  const refuses = UNDERSCORE_CLIENTS.some((rule) =>
    rule.name.endsWith("*") ? name.startsWith(rule.name.slice(0, -1)) : name === rule.name
  );
  return refuses ? "underscore" : "dotted";
}

/** A tool's name in a style. */
export function spelled(name: string, style: NameStyle): string {
  return style === "dotted" ? name : underscored(name);
}

/** A tool's title in a style: with underscores it shows the canonical name. */
export function titleFor(tool: Tool, style: NameStyle): string {
  return style === "dotted" || !tool.name.includes(".") ? tool.title : tool.name;
}
