/** Finds a command by its name. */

import { didYouMean, nearest, RefraktError } from "../../errors.ts";
import { quotedName } from "../../plain_text.ts";
import { nameKey } from "../../plugin/tool_names.ts";
import type { Command, CommandInput } from "./command.ts";

/**
 * Finds a command; the error for an unknown one says what to type for a tool of that name.
 *
 * @param next The argument behind it: in `plan next`, people write a tool in two words.
 * @throws {RefraktError} `INVALID_ARGS` for an unknown command.
 */
export async function findCommand(
  name: string,
  next: string | undefined,
  commands: readonly Command[],
  open: CommandInput["open"],
): Promise<Command> {
  const command = commands.find((each) => each.name === name);
  if (command !== undefined) return command;
  const names = commands.map((each) => each.name);
  const inventory = await open().then((workspace) => workspace.inventory("known")).catch(() =>
    null
  );
  const tools = (inventory?.tools ?? []).map((tool) => tool.name);
  const wanted = [name, ...next === undefined ? [] : [`${name}_${next}`]].map(nameKey);
  // Also without its group, such as `status`.
  const same = tools.filter((tool) =>
    [tool, tool.slice(tool.indexOf("_") + 1)].some((each) => wanted.includes(each))
  );
  const calls = (meant: readonly string[]) =>
    meant.length === 0 ? "" : `Did you mean ${meant.map((tool) => `"call ${tool}"`).join(" or ")}?`;
  const guess = calls(same) || didYouMean(name, names) ||
    calls(nearest(wanted.at(-1)!, tools, 1));
  throw new RefraktError("INVALID_ARGS", `Unknown command: ${quotedName(name)}`, {
    hint: `${guess} The commands are ${names.join(", ")}; without one it serves on stdio.`.trim(),
  });
}
