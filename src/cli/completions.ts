/**
 * `completions`: prints shell scripts that call the program for completions of commands, flags and
 * values.
 */

import { didYouMean, RefraktError } from "../errors.ts";
import type { Workspace } from "../tools/workspace.ts";
import type { Program } from "./commands/command.ts";
import { commandsNamed } from "./commands/mod.ts";
import { SERVING } from "./flags.ts";

const BASH = `# bash completion of NAME. Add to ~/.bashrc: source <(NAME completions bash)
FN() {
  local words
  words=$(NAME completions words -- "\${COMP_WORDS[@]:1:$COMP_CWORD}" 2>/dev/null)
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F FN NAME
`;

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: BASH,
  zsh: BASH.replace("# bash", "#compdef NAME\n# zsh").replaceAll("bash)", "zsh)")
    .replace(".bashrc", ".zshrc")
    .replace("complete -o", "autoload -U +X bashcompinit && bashcompinit\ncomplete -o"),
  fish: `# fish completion of NAME. Save as ~/.config/fish/completions/NAME.fish
complete -c NAME -f -a '(NAME completions words -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
  powershell: `# PowerShell completion of NAME. Add to $PROFILE:
# NAME completions powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName NAME -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  NAME completions words '--' @words $(if ($wordToComplete) { $wordToComplete } else { '""' }) 2>$null |
    Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
      [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
    }
}
`,
};

/** The script for a shell; for `words`, the completions of a command line. */
export async function completions(
  [shell = "", ...words]: readonly string[],
  program: Program,
  open: () => Promise<Workspace>,
): Promise<string> {
  if (shell === "words") {
    return (await nextWords(words, program, open)).map((word) => `${word}\n`).join("");
  }
  const shells = Object.keys(SCRIPTS);
  if (!Object.hasOwn(SCRIPTS, shell) || words.length > 0) {
    throw new RefraktError("INVALID_ARGS", "completions needs the name of one shell", {
      hint: `${didYouMean(shell, shells)} The shells are ${shells.join(", ")}.`.trim(),
    });
  }
  return SCRIPTS[shell]!.replaceAll("FN", () => `_${program.name.replaceAll("-", "_")}`)
    .replaceAll("NAME", () => program.name);
}

/** Completions of the last word; none for the value of a flag, where shells complete files. */
async function nextWords(
  words: readonly string[],
  { flags, commands }: Program,
  open: () => Promise<Workspace>,
): Promise<string[]> {
  const takesValue = (word = "") =>
    word.startsWith("--") && flags[word.slice(2)]?.type === "string";
  const before = words.slice(0, -1);
  if (takesValue(before.at(-1))) return [];
  const [command, ...rest] = before.filter((word, at) =>
    !word.startsWith("-") && !takesValue(before[at - 1])
  );
  if (words.at(-1)?.startsWith("-")) {
    return Object.entries(flags)
      .filter(([, { commands: only }]) => only?.includes(command ?? SERVING) ?? true)
      .map(([name]) => `--${name}`);
  }
  if (command === undefined) return [...commands, "completions", "help"];
  if (rest.length > 0) return [];
  if (command === "help") return [...commands];
  if (command === "completions") return Object.keys(SCRIPTS);
  if (command !== "call") return [...commandsNamed([command])[0]?.values ?? []];
  return (await (await open()).toolset()).listedTools().map(({ name }) => name);
}
