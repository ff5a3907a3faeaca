/** The site tools, and what a check lists. */

import { callTool } from "../../support/calls.ts";
import { checkTool } from "../../../plugins/site/tools/check.ts";

export { checkTool } from "../../../plugins/site/tools/check.ts";
export { contractsCheckTool, contractsTool } from "../../../plugins/site/tools/contracts.ts";
export {
  inspectAuditTool,
  inspectListTool,
  inspectTool,
} from "../../../plugins/site/tools/inspect.ts";
export { packageValidateTool, validateTool } from "../../../plugins/site/tools/validate.ts";
export { referenceTool } from "../../../plugins/site/tools/reference.ts";
export { previewTool } from "../../../plugins/site/tools/preview.ts";
export { renderTool } from "../../../plugins/site/tools/render.ts";
export { moveTool } from "../../../plugins/site/tools/move.ts";
export { renameTool } from "../../../plugins/site/tools/rename.ts";

/** The findings of a check, as `code path:line:column message`. */
export async function listedFindings(dir: string): Promise<string[]> {
  const { groups } = await callTool(dir, checkTool, {}) as {
    groups: { code: string; findings: string[] }[];
  };
  return groups.flatMap(({ code, findings }) => findings.map((each) => `${code} ${each}`));
}
