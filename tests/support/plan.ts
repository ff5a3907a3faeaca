/** The plan plugin as the tests load it, and rendered prompts. */

import { planPrompts } from "../../plugins/plan/prompts/mod.ts";
import { loadPackage } from "../../plugins/plan/store/loaded.ts";
import { openProject } from "../../src/host/open_project.ts";
import { packagePolicy } from "../../src/packages/package.ts";
import { runAsCall } from "../../src/packages/stand_in_call.ts";
import { callContext } from "./calls.ts";
import { LAB_VERSION } from "./lab.ts";
import { makeProject } from "./project.ts";

export function loadedPlan(version = LAB_VERSION): ReturnType<typeof loadPackage> {
  const code = packagePolicy(openProject(makeProject()));
  return loadPackage({ name: "@refrakt-md/plan", version, from: "tests", code });
}

export async function renderPrompt(
  cwd: string,
  name: string,
  args: Readonly<Record<string, string>> = {},
): Promise<{ texts: string; lists: string; embedded: { uri: string; text: string }[] }> {
  const context = callContext(openProject(cwd));
  const prompt = planPrompts.find((entry) => entry.name === name)!;
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
