/** The site tools. */

export { checkTool } from "../../src/site/check.ts";
export { contractsCheckTool, contractsTool } from "../../src/site/contracts.ts";
export { inspectAuditTool, inspectListTool, inspectTool } from "../../src/site/inspect.ts";
export { packageValidateTool, validateTool } from "../../src/site/validate.ts";
export { referenceTool } from "../../src/site/reference.ts";
export { previewTool } from "../../src/site/preview.ts";
export { renderTool } from "../../src/site/render.ts";
export { moveTool } from "../../src/site/move.ts";
