/** `tools/list` and `tools/call`. */

import type { Tool as SdkTool } from "@modelcontextprotocol/server";
import { callByName } from "../host/call.ts";
import type { Inventory } from "../host/inventory.ts";
import { shapeResult } from "../host/shape.ts";
import { asObject } from "../io/json.ts";
import type { ListedTool } from "../plugin/tool.ts";
import { listedName, nameKey } from "../plugin/tool_names.ts";
import {
  answerList,
  audienceOf,
  callerOf,
  failureOf,
  type Session,
  showsViews,
} from "./session.ts";
import { errorMessage, listedFields, mutable } from "./results.ts";
import { completedAnswer } from "./unlisted_tools.ts";

/** Claude Code writes longer results to a file unless the tool's `_meta` declares a limit. */
const CUT_BY_CLIENTS = 50_000;
const SIZE_KEY = "anthropic/maxResultSizeChars";
/** Claude Code shows the model only tools with this, until it searches for others. */
const ALWAYS_KEY = "anthropic/alwaysLoad";
/** How many tools a model sees at once. */
const MOST_ALWAYS = 6;

export function handleTools(session: Session): void {
  const { server, workspace, listChanges, options } = session;
  server.setRequestHandler("tools/list", (request, context) => {
    const views = showsViews(session, context);
    return answerList(session, "tools", request, (inventory) => {
      const tools = inventory.listedTools(views);
      const always = tools.filter((tool) => tool.listed.rank !== undefined)
        .sort((a, b) => a.listed.rank! - b.listed.rank!)
        .slice(0, MOST_ALWAYS);
      return {
        tools: tools.map((tool) => ({
          name: listedName(tool.name, options.toolNames),
          ...listedFields({ ...tool, _meta: metaOf(tool, session, views, always) }),
          inputSchema: inputSchema(tool, inventory),
          outputSchema: outputSchema(tool),
          annotations: tool.annotations,
        })),
      };
    });
  });

  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { name, arguments: input } = params;
    await using caller = callerOf(session, context, name);
    const called = [nameKey(name)];
    try {
      const { tool, value } = await callByName(workspace, name, input, caller);
      // The words of other plugins' tools are their own.
      const answer = tool.verify === undefined
        ? completedAnswer(value, await audienceOf(session, context, called))
        : value;
      return mutable(shapeResult(answer, workspace.results));
    } catch (error) {
      return errorMessage(await failureOf(session, context, error, "TOOL_FAILED", called));
    } finally {
      listChanges.compare();
    }
  });
}

function metaOf(
  tool: ListedTool,
  { workspace: { results: { budget } } }: Session,
  views: boolean,
  always: readonly ListedTool[],
) {
  const { ui: _ui, "ui/resourceUri": _legacy, ...plain } = tool._meta ?? {};
  const meta: Record<string, unknown> = views ? { ...tool._meta } : plain;
  if (budget > CUT_BY_CLIENTS) meta[SIZE_KEY] = budget;
  if (always.includes(tool)) meta[ALWAYS_KEY] = true;
  return Object.keys(meta).length === 0 ? undefined : meta;
}

/** The schema without the arguments that mean nothing in this project. */
function inputSchema(tool: ListedTool, inventory: Inventory): SdkTool["inputSchema"] {
  const { json } = tool.input;
  const omitted = inventory.omittedOf(tool);
  const properties = Object.entries(asObject(json["properties"]))
    .filter(([name]) => !omitted.includes(name));
  const schema = omitted.length === 0
    ? json
    : { ...json, properties: Object.fromEntries(properties) };
  return schema as SdkTool["inputSchema"];
}

function outputSchema({ output }: ListedTool): SdkTool["outputSchema"] {
  return output?.problem === undefined ? output?.json as SdkTool["outputSchema"] : undefined;
}
