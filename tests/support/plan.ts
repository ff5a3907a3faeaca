/** The plan plugin as the tests load it, and stores of temporary plans. */

import { planAdapter } from "../../plugins/plan/mod.ts";
import { importVersion } from "../../src/packages/load.ts";
import { openProject } from "../../src/host/open_project.ts";
import { runAsCall } from "../../src/packages/stand_in_call.ts";
import type { AdaptedPlugin } from "../../src/plugin/adapter.ts";
import type { CallContext } from "../../src/plugin/context.ts";
import type { CliPlugin } from "../../src/plugin/cli_plugin.ts";
import type { LoadedPlan } from "../../plugins/plan/store/loaded.ts";
import { loadPlan } from "../../plugins/plan/store/loaded.ts";
import { callContext } from "./calls.ts";
import { LAB_VERSION } from "./lab.ts";

const VERSION = { name: "@refrakt-md/plan", version: LAB_VERSION, from: "tests" };

export function loadedPlan(): Promise<LoadedPlan> {
  return loadPlan(VERSION);
}

/** The plugin as its package declares it. */
async function declaredPlan(): Promise<CliPlugin> {
  return (await importVersion<{ default: CliPlugin }>(VERSION, "cli-plugin")).default;
}

/** The adapted plugin, and a context for its calls. */
export async function adaptedPlan(cwd: string): Promise<{
  adapted: AdaptedPlugin;
  declared: CliPlugin;
  context: CallContext;
}> {
  const adapt = await planAdapter.load(VERSION);
  const declared = await declaredPlan();
  return { adapted: adapt(declared), declared, context: callContext(openProject(cwd)) };
}

/** A rendered prompt: its sentences, lists and embedded entities. */
export async function renderPrompt(
  cwd: string,
  name: string,
  args: Readonly<Record<string, string>> = {},
): Promise<{ texts: string; lists: string; embedded: { uri: string; text: string }[] }> {
  const { adapted, context } = await adaptedPlan(cwd);
  const prompt = adapted.contribution.prompts!.find((entry) => entry.name === name)!;
  const { value: messages } = await runAsCall(cwd, () => prompt.render(args, context));
  if (messages === undefined || typeof messages === "string") {
    throw new TypeError("A plan's prompt is several messages");
  }
  const blocks = messages.map(({ content }) => content);
  const resources = blocks.flatMap((block) =>
    typeof block !== "string" && block.type === "resource" ? block.resource : []
  ) as { uri: string; mimeType: string; text: string }[];
  const isList = ({ mimeType }: { mimeType: string }) => mimeType === "text/plain";
  return {
    texts: blocks.filter((block) => typeof block === "string").join("\n"),
    lists: resources.filter(isList).map(({ text }) => text).join("\n"),
    embedded: resources.filter((one) => !isList(one)),
  };
}
