/**
 * `completion/complete`: values for the arguments of prompts and the parameters of
 * resources.
 *
 * @module
 */

import type { CompleteRequest } from "@modelcontextprotocol/server";
import { completeArgument } from "../tools/call.ts";
import type { CallContext } from "../tools/context.ts";
import { plainLine } from "../plain_text.ts";
import type { Toolset } from "../tools/registry.ts";
import { uriTemplate } from "../tools/uri.ts";
import { contextOf } from "./call_context.ts";
import type { Session } from "./session.ts";

/** The most values of one answer, by the specification. */
const MOST_VALUES = 100;

/** The most characters of a value. */
const MOST_VALUE = 200;

/** Registers the handler. */
export function handleCompletion(session: Session): void {
  const { server, workspace } = session;
  server.setRequestHandler("completion/complete", async ({ params }, context) => {
    const toolset = await workspace.toolset();
    const callContext = contextOf(session, toolset, context, "completion");
    const values = await valuesFor(toolset, params, callContext);
    const shown = values.slice(0, MOST_VALUES).map((value) => plainLine(value, MOST_VALUE));
    return {
      completion: { values: shown, total: values.length, hasMore: values.length > shown.length },
    };
  });
}

async function valuesFor(
  { prompts, resources }: Toolset,
  { ref, argument: { name, value }, context }: CompleteRequest["params"],
  callContext: CallContext,
): Promise<readonly string[]> {
  const entry = ref.type === "ref/prompt"
    ? prompts.find((prompt) => prompt.name === ref.name)
    : resources.find((resource) => uriTemplate(resource) === ref.uri || resource.uri === ref.uri);
  const others = context?.arguments ?? {};
  return await completeArgument(entry, { argument: name, value, others }, callContext);
}
