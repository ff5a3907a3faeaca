/**
 * For plugin authors: the contract of a `cli-plugin` export, and errors and results for agents. It
 * imports no npm package.
 *
 * A package exports its plugin as `./cli-plugin`; the server turns each command
 * into the tool `<namespace>.<name>`.
 *
 * @example
 * ```ts
 * // deno run example.ts
 * import { type CliPlugin, RefraktError } from "jsr:@refrakt/mcp/plugin";
 *
 * const plugin: CliPlugin = {
 *   namespace: "team",
 *   commands: [{
 *     name: "greet",
 *     title: "Greet",
 *     description: "Greets a team member.",
 *     inputSchema: {
 *       type: "object",
 *       properties: { name: { type: "string" } },
 *       required: ["name"],
 *       additionalProperties: false,
 *     },
 *     annotations: { readOnlyHint: true },
 *     mcpHandler: ({ name }: { name: string }) => {
 *       if (name === "") {
 *         throw new RefraktError("VALIDATION_ERROR", "The name is empty", {
 *           hint: "Pass a name.",
 *         });
 *       }
 *       return { greeting: `Hello, ${name}` };
 *     },
 *   }],
 * };
 * export default plugin;
 * ```
 *
 * @module
 */

export {
  ERROR_CODES,
  type ErrorCode,
  RefraktError,
  WARNING_CODES,
  type WarningCode,
} from "../errors.ts";
export type * from "../plugin/project.ts";
export type { Memo, MemoKey, MemoOptions, MemoShape } from "../io/memo.ts";
export type { Reads } from "../io/reads.ts";
export type * from "../plugin/plugin.ts";
export type {
  BlockCommon,
  ContentAnnotations,
  ContentBlock,
  EmbeddedResourceBlock,
  ListedEntry,
  MediaBlock,
  Meta,
  ResourceLinkBlock,
  TextBlock,
} from "../plugin/content.ts";
export type * from "../plugin/context.ts";
export type { CliPlugin, CliPluginCommand, McpHandlerContext } from "../plugin/cli_plugin.ts";
export type { Prompt, PromptArgument, PromptMessage, RenderedPrompt } from "../plugin/prompt.ts";
export type { Skill } from "../plugin/skill.ts";
export type { Resource, ResourceBody, ResourceParams } from "../plugin/resource.ts";
export { type ContentResult, type TextResult, withContent, withText } from "../plugin/result.ts";
export {
  defineSchema,
  type JsonSchema,
  type Schema,
  type SchemaIssue,
  type SchemaSource,
  type ZodSchema,
} from "../plugin/schema.ts";
export {
  defineTool,
  type InputOf,
  type Listing,
  type Tool,
  type ToolAnnotations,
  type ToolDefinition,
  type TypedTool,
  type ValueOf,
} from "../plugin/tool.ts";
