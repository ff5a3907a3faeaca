/** The site tools with an engine in this process, as without `--isolate`. */

import * as check from "../../src/site/check.ts";
import * as contracts from "../../src/site/contracts.ts";
import { inProcess } from "../../src/site/engine/client.ts";
import * as inspect from "../../src/site/inspect.ts";
import * as inspectAudit from "../../src/site/inspect.ts";
import * as inspectList from "../../src/site/inspect.ts";
import * as packageValidate from "../../src/site/validate.ts";
import * as reference from "../../src/site/reference.ts";
import * as pages from "../../src/site/pages.ts";
import * as preview from "../../src/site/preview.ts";
import * as render from "../../src/site/render.ts";
import * as validate from "../../src/site/validate.ts";

export const engine = inProcess();

export const checkTool = check.checkTool(engine);
export const contractsTool = contracts.contractsTool(engine);
export const contractsCheckTool = contracts.contractsCheckTool(engine);
export const inspectTool = inspect.inspectTool(engine);
export const inspectAuditTool = inspectAudit.inspectAuditTool(engine);
export const inspectListTool = inspectList.inspectListTool(engine);
export const packageValidateTool = packageValidate.packageValidateTool(engine);
export const referenceTool = reference.referenceTool(engine);
export const pagesTool = pages.pagesTool(engine);
export const previewTool = preview.previewTool(engine);
export const renderTool = render.renderTool(engine);
export const validateTool = validate.validateTool(engine);
