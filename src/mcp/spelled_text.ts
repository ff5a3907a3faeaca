/** Spells the names of tools in what a client gets as in its list. */

import { RefraktError } from "../errors.ts";
import { respelled } from "../tools/tool_names.ts";
import type { ToolList } from "../tools/workspace.ts";
import { type NameStyle, spelled } from "./clients.ts";

export function spelledText(text: string, toolset: ToolList, style: NameStyle): string {
  const isTool = (name: string) => toolset.findTool(name)?.name === name;
  return respelled(text, isTool, (name) => spelled(name, style));
}

export function spelledError(
  error: RefraktError,
  toolset: ToolList,
  style: NameStyle,
): RefraktError {
  const { code, message, hint, data } = error;
  return new RefraktError(code, spelledText(message, toolset, style), {
    ...(hint === undefined ? {} : { hint: spelledText(hint, toolset, style) }),
    ...(data === undefined ? {} : { data }),
    cause: error,
  });
}
