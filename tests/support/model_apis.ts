/**
 * Real converters from npm for tools in model APIs, imported on demand, so that
 * other tests do not download them.
 */

import type { Tool } from "@modelcontextprotocol/server";

export interface SentTool {
  readonly name: string;
  // deno-lint-ignore no-explicit-any -- tests look into it freely
  readonly parameters: any;
}

/** The converters by the client that uses them. */
export const CONVERTERS: Readonly<Record<string, (tools: readonly Tool[]) => Promise<SentTool[]>>> =
  {
    "AI SDK, OpenAI": async (tools) => {
      const { createOpenAI } = await fromNpm("@ai-sdk/openai@4.0.118");
      const body = await sentBy((fetch) =>
        createOpenAI({ apiKey: "none", fetch }).chat("gpt-5").doGenerate(promptWith(tools))
      );
      return body.tools.map(({ function: sent }: { function: SentTool }) => sent);
    },
    "LangChain, Google": async (tools) => {
      const { ChatGoogleGenerativeAI } = await fromNpm("@langchain/google-genai@2.3.2");
      const model = new ChatGoogleGenerativeAI({ apiKey: "none", model: "gemini-2.5-flash" });
      const { tools: sent } = model.invocationParams({
        tools: tools.map(({ name, description, inputSchema }) => ({
          type: "function",
          function: { name, description, parameters: inputSchema },
        })),
      });
      return declarationsOf(sent);
    },
    "@google/genai": async (tools) => {
      const { mcpToTool } = await fromNpm("@google/genai@3.1.0");
      const client = { listTools: () => Promise.resolve({ tools }), callTool: () => {} };
      return declarationsOf([await mcpToTool(client).tool()]);
    },
  };

/** Imports a package that `deno check` must not download. */
// deno-lint-ignore no-explicit-any -- its types are not downloaded either
async function fromNpm(name: string): Promise<any> {
  const specifier = `npm:${name}`;
  return await import(specifier);
}

function promptWith(tools: readonly Tool[]) {
  return {
    prompt: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      name,
      description,
      inputSchema,
    })),
  };
}

/** The body of the request that a model sends. */
async function sentBy(call: (fetch: typeof globalThis.fetch) => Promise<unknown>) {
  let body: string | undefined;
  const fetch = (_url: unknown, init?: RequestInit) => {
    body = String(init?.body);
    return Promise.resolve(new Response("{}", { status: 400 }));
  };
  await call(fetch).catch(() => {});
  if (body === undefined) throw new Error("Nothing was sent");
  return JSON.parse(body);
}

/** The declarations of Gemini's API, in the two ways in which clients may send them. */
// deno-lint-ignore no-explicit-any -- the packages' types are not downloaded
function declarationsOf(tools: any): SentTool[] {
  // deno-lint-ignore no-explicit-any -- see above
  return [tools].flat().flatMap((tool: any) => tool.functionDeclarations)
    .map(({ name, parameters, parametersJsonSchema }) => ({
      name,
      parameters: parameters ?? parametersJsonSchema,
    }));
}
