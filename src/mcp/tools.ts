/** `tools/list` and `tools/call`. */

import type {
  CallToolRequest,
  CallToolResult,
  ServerContext,
  Tool as ListedTool,
} from "@modelcontextprotocol/server";
import { callByName } from "../host/call.ts";
import type { Inventory } from "../host/inventory.ts";
import { asObject } from "../io/json.ts";
import type { CallContext } from "../plugin/context.ts";
import type { JsonSchema } from "../plugin/schema.ts";
import type { ListedTool as OurTool } from "../plugin/tool.ts";
import { listedName, nameKey } from "../plugin/tool_names.ts";
import { shapeResult } from "../host/shape.ts";
import { progressOf } from "./progress.ts";
import { errorMessage } from "./results.ts";
import { boundedDescription, boundedTitle, mutable, objectSchema } from "./listing.ts";
import { callerOf } from "./caller.ts";
import { completedAnswer } from "./unlisted_tools.ts";
import { answerList, audienceOf, failureOf, type Session, showsViews } from "./session.ts";

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
    return answerList(session, "tools", request, "tools", (inventory) => {
      const listed = inventory.listedTools(views);
      const always = listed.filter((tool) => tool.listed.rank !== undefined)
        .sort((a, b) => a.listed.rank! - b.listed.rank!)
        .slice(0, MOST_ALWAYS);
      return {
        tools: listed.map((tool) => ({
          ...listedTool(tool, workspace.results.budget, { views, always }),
          inputSchema: objectSchema(without(tool.input.json, inventory.omittedOf(tool))),
          name: listedName(tool.name, options.toolNames),
        })),
      };
    });
  });

  server.setRequestHandler("tools/call", async ({ params }, context) => {
    await using progress = progressOf(context);
    try {
      return await resultOfCall(session, params, context, progress.send);
    } finally {
      listChanges.compare();
    }
  });
}

async function resultOfCall(
  session: Session,
  params: CallToolRequest["params"],
  context: ServerContext,
  progress: CallContext["progress"],
): Promise<CallToolResult> {
  const { workspace } = session;
  const { name, arguments: input } = params;
  const called = [nameKey(name)];
  try {
    const caller = callerOf(session, context, name, progress);
    const notLoaded = ({ warnings }: Inventory) => {
      const loading = warnings.find(({ code }) => code === "PLUGINS_LOADING");
      if (loading === undefined) return;
      progress({ progress: 0, message: loading.message });
      caller.log("info", loading.message);
    };
    const { tool, value } = await callByName(workspace, name, input, caller, notLoaded);
    // The words of other plugins' tools are their own.
    const answer = tool.verify === undefined
      ? completedAnswer(value, await audienceOf(session, context, called))
      : value;
    return mutable(shapeResult(answer, workspace.results));
  } catch (error) {
    return errorMessage(await failureOf(session, context, error, "TOOL_FAILED", called));
  }
}

function listedTool(
  tool: OurTool,
  budget: number,
  { views, always }: { readonly views: boolean; readonly always: readonly OurTool[] },
): Omit<ListedTool, "name" | "inputSchema"> {
  const { ui: _ui, "ui/resourceUri": _legacy, ...meta } = tool._meta ?? {};
  const _meta = {
    ...(budget > CUT_BY_CLIENTS ? { [SIZE_KEY]: budget } : {}),
    ...(always.includes(tool) ? { [ALWAYS_KEY]: true } : {}),
    ...(views ? tool._meta : meta),
  };
  return {
    title: boundedTitle(tool.title),
    description: boundedDescription(tool.description),
    ...(tool.output === undefined || tool.output.problem !== undefined
      ? {}
      : { outputSchema: objectSchema(tool.output.json) }),
    annotations: tool.annotations,
    ...(Object.keys(_meta).length === 0 ? {} : { _meta }),
  };
}

/** A schema without some of its properties, which mean nothing in this project. */
function without(schema: JsonSchema, omitted: readonly string[]): JsonSchema {
  if (omitted.length === 0) return schema;
  const properties = Object.entries(asObject(schema["properties"]))
    .filter(([name]) => !omitted.includes(name));
  return { ...schema, properties: Object.fromEntries(properties) };
}
