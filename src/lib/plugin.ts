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
export type { ConfigFile } from "../project/config.ts";
export type { OwnPackage, PackageKind } from "../project/own_package.ts";
export type { PlanFacts } from "../project/plan.ts";
export type { CodePolicy } from "../project/code_policy.ts";
export type { Project, Warning } from "../project/project.ts";
export type { RemoteChoice } from "../project/remote.ts";
export type { SiteConfig, SiteFacts } from "../project/sites.ts";
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
} from "../tools/content.ts";
export type { CallContext, LogLevel, ProgressUpdate } from "../tools/context.ts";
export type { Contribution } from "../tools/inventory.ts";
export type { Cell, Row, Table, TablePart, TableState } from "../tools/tables.ts";
export type { CliPlugin, CliPluginCommand, McpHandlerContext } from "../tools/plugin.ts";
export type { Prompt, PromptArgument, PromptMessage, RenderedPrompt } from "../tools/prompt.ts";
export type { Skill } from "../tools/skill.ts";
export type { Resource, ResourceBody, ResourceParams } from "../tools/resource.ts";
export { type ContentResult, type TextResult, withContent, withText } from "../tools/result.ts";
export {
  defineSchema,
  type JsonSchema,
  type Schema,
  type SchemaIssue,
  type SchemaSource,
  type ZodSchema,
} from "../tools/schema.ts";
export {
  defineTool,
  type InputOf,
  type Listing,
  type Requirement,
  type Tool,
  type ToolAnnotations,
  type ToolDefinition,
  type ValueOf,
  type WriteTarget,
} from "../tools/tool.ts";
