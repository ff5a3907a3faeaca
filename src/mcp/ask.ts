/**
 * Requests input from the client during a call: by a result, after which the client repeats the call.
 * For clients of the legacy era, the SDK sends requests and repeats the call itself.
 */

import {
  createRequestStateCodec,
  inputRequired,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { asObject, fieldOf } from "../io/json.ts";
import { type CallContext, InputNeeded, type InputRequest } from "../tools/context.ts";
import { compileSchema } from "../tools/json_schema.ts";
import { boundedDescription, inputRequest } from "./listing.ts";
import { declaredCapabilities, type Session } from "./session.ts";

/** The client capability that each request requires. */
const CAPABILITIES = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
} as const;

/** Signs the answers of earlier rounds, which travel through the client. */
export const requestState = createRequestStateCodec({
  key: crypto.getRandomValues(new Uint8Array(32)),
  bind: ({ mcpReq }) => mcpReq.method,
});

/** Returns `ask` and `confirm` if the client supports them. */
export function asking(
  session: Session,
  context: ServerContext,
): Pick<CallContext, "ask" | "confirm"> {
  const declared = asObject(declaredCapabilities(session, context));
  const able = Object.values(CAPABILITIES).some((name) => declared[name] !== undefined);
  if (!able && session.era === "legacy") return {};
  const ask = (requests: Requests) => askByResult(declared, context, requests);
  if (declared["elicitation"] === undefined) return { ask };
  let questions = 0;
  return {
    ask,
    confirm: async (question) => {
      const message = boundedDescription(question);
      const key = `confirm${++questions}`;
      const requestedSchema = {
        type: "object",
        properties: { confirm: { type: "boolean", title: "Confirm", default: false } },
        required: ["confirm"],
      };
      const answers = await ask({
        [key]: { method: "elicitation/create", params: { message, requestedSchema } },
      });
      const answer = answers[key];
      return fieldOf(answer, "action") === "accept" &&
        fieldOf(fieldOf(answer, "content"), "confirm") === true;
    },
  };
}

type Declared = Readonly<Record<string, unknown>>;

type Requests = Readonly<Record<string, InputRequest>>;

async function askByResult(
  declared: Declared,
  context: ServerContext,
  requests: Requests,
): Promise<Record<string, unknown>> {
  const { mcpReq } = context;
  const earlier = mcpReq.requestState<Record<string, unknown>>() ?? {};
  const answers = { ...earlier, ...mcpReq.inputResponses };
  const open: [string, InputRequest][] = [];
  for (const [key, request] of Object.entries(requests)) {
    if (!await isAnswer(request, answers[key])) open.push([key, request]);
  }
  const offered = open.filter(([, { method }]) => declared[CAPABILITIES[method]] !== undefined);
  if (offered.length > 0) {
    const known = Object.fromEntries(
      Object.entries(answers).filter(([key]) => !offered.some(([asked]) => asked === key)),
    );
    throw new InputNeeded(inputRequired({
      inputRequests: Object.fromEntries(
        offered.map(([key, request]) => [key, inputRequest(request)]),
      ),
      requestState: await requestState.mint(known, context),
    }));
  }
  if (open.length > 0 && open.length === Object.keys(requests).length) {
    const needed = Object.fromEntries(open.map(([, { method }]) => [CAPABILITIES[method], {}]));
    throw new InputNeeded(
      new MissingRequiredClientCapabilityError({ requiredCapabilities: needed }),
    );
  }
  return Object.fromEntries(Object.keys(requests).map((key) => [key, answers[key]]));
}

/** Whether a request has an answer; form content must match its schema. */
async function isAnswer(request: InputRequest, answer: unknown): Promise<boolean> {
  const { action, content, roots } = asObject(answer);
  switch (request.method) {
    case "elicitation/create":
      if (action === "decline" || action === "cancel") return true;
      if (action !== "accept") return false;
      return (await compileSchema(request.params.requestedSchema)).safeParse(content).success;
    case "sampling/createMessage":
      return typeof content === "object" && content !== null;
    case "roots/list":
      return Array.isArray(roots);
  }
}
