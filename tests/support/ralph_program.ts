import { type Run, runProcess } from "./process.ts";
import { programOf } from "./server.ts";

export const RALPH_GRANTS: readonly string[] = [
  "--no-prompt",
  "--allow-read=.",
  "--allow-write=specs,.gitignore",
];

export function ralph(
  cwd: string,
  args: readonly string[],
  grants: readonly string[] = RALPH_GRANTS,
): Promise<Run> {
  const entry = programOf("plugins/ralph/mod.ts");
  return runProcess(Deno.execPath(), ["run", "--no-lock", ...grants, entry, ...args], cwd);
}
