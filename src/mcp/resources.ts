/** `resources/list`, `resources/read`, and the completion of parameters. */

import type { Resource as ListedResource } from "@modelcontextprotocol/server";
import { shortLine, withEscapes } from "../plain_text.ts";
import { completeParameter, readResource } from "../host/read.ts";
import { bodyText, type Resource, type ResourceBody } from "../plugin/resource.ts";
import { isStatic, uriTemplate } from "../plugin/uri.ts";
import { progressOf } from "./progress.ts";
import { resourceError } from "./results.ts";
import { boundedTitle, listedFields } from "./listing.ts";
import { callerOf } from "./caller.ts";
import {
  answerList,
  audienceOf,
  failureOf,
  reuseOfResource,
  type Session,
  showsViews,
} from "./session.ts";
import { type Audience, completedAnswer, completedText } from "./unlisted_tools.ts";

export function handleResources(session: Session): void {
  const { server, workspace } = session;
  server.setRequestHandler(
    "resources/list",
    (request, context) =>
      answerList(session, "resources", request, "lists", (inventory) => ({
        resources: inventory.listedResources().filter(isStatic)
          // Only hosts that can show views list them.
          .filter((entry) => !entry.uri.startsWith("ui://") || showsViews(session, context))
          .map((entry) => ({ uri: entry.uri, ...listedResource(entry) })),
      })),
  );

  server.setRequestHandler(
    "resources/templates/list",
    (request) =>
      answerList(session, "resources", request, "lists", (inventory) => ({
        resourceTemplates: inventory.listedResources()
          .map((entry) => ({ uriTemplate: uriTemplate(entry), ...listedResource(entry) }))
          .filter((entry) => entry.uriTemplate.includes("{")),
      })),
  );

  server.setRequestHandler("resources/read", async ({ params: { uri } }, context) => {
    await using progress = progressOf(context);
    try {
      const caller = callerOf(session, context, uri, progress.send);
      const { body, mimeType, fixed } = await readResource(workspace, uri, caller);
      const complete = completed(body, uri, await audienceOf(session, context));
      return {
        contents: [{ uri, mimeType, ...contentOf(complete) }],
        ...reuseOfResource(session, fixed),
      };
    } catch (error) {
      throw resourceError(await failureOf(session, context, error, "RESOURCE_FAILED"), uri);
    }
  });
}

/** Our own words in it, with the commands of tools that the client does not list. */
function completed(
  body: ResourceBody,
  uri: string,
  audience: Audience,
): ResourceBody {
  if ("data" in body && uri.startsWith("refrakt://")) {
    return { ...body, data: completedAnswer(body.data, audience) };
  }
  return "text" in body && uri === "refrakt://prime"
    ? { ...body, text: completedText(body.text, audience) }
    : body;
}

function listedResource(entry: Resource): Omit<ListedResource, "uri"> {
  const { name, mimeType } = entry;
  return { name: boundedTitle(name), ...listedFields(entry), mimeType };
}

function contentOf(body: ResourceBody): { text: string } | { blob: string } {
  const meta = body._meta === undefined ? {} : { _meta: body._meta };
  if ("blob" in body) return { blob: bodyText(body), ...meta };
  return { text: bodyText(body), ...meta };
}

/** The limit of the specification. */
const MOST_VALUES = 100;

/** In characters. */
const LONGEST_VALUE = 200;

/** Completes parameters of resource templates; arguments of prompts have no completions. */
export function handleCompletion(session: Session): void {
  const { server, workspace } = session;
  server.setRequestHandler("completion/complete", async ({ params }, context) => {
    const { ref, argument: { name: parameter, value } } = params;
    const typed = { parameter, value, others: params.context?.arguments ?? {} };
    const uri = ref.type === "ref/resource" ? ref.uri : "";
    const caller = callerOf(session, context, "completion");
    const all = await completeParameter(workspace, uri, typed, caller);
    const values = all.slice(0, MOST_VALUES).map((text) =>
      shortLine(withEscapes(text), LONGEST_VALUE)
    );
    return { completion: { values, total: all.length, hasMore: all.length > values.length } };
  });
}
