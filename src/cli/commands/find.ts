/** Finds a command by its name. */

import { didYouMean, RefraktError } from "../../errors.ts";
import { quotedName } from "../../plain_text.ts";
import { nameKey } from "../../plugin/tool_names.ts";
import type { Command, CommandInput } from "./command.ts";

/** @throws {RefraktError} `INVALID_ARGS` for an unknown command. */
export async function findCommand(
  name: string,
  commands: readonly Command[],
  open: CommandInput["open"],
): Promise<Command> {
  const command = commands.find((each) => each.name === name);
  if (command !== undefined) return command;
  const names = commands.map((each) => each.name);
  // Also without its group, such as `plan_status`.
  const known = await open().then((workspace) => workspace.inventory("known")).catch(() => null);
  const tools = (known?.tools ?? []).map((tool) => tool.name)
    .filter((tool) => [tool, tool.slice(tool.indexOf("_") + 1)].includes(nameKey(name)));
  const guess = tools.length > 0
    ? `Did you mean ${tools.map((tool) => `"call ${tool}"`).join(" or ")}?`
    : didYouMean(name, names);
  throw new RefraktError("INVALID_ARGS", `Unknown command: ${quotedName(name)}`, {
    hint: `${guess} The commands are ${names.join(", ")}; without one it serves on stdio.`.trim(),
  });
}
