/**
 * `completions`: prints shell scripts that call the program for completions of commands, flags and
 * values.
 */

import { didYouMean, RefraktError } from "../errors.ts";
import type { StandaloneCommand, StandaloneInput } from "./commands/command.ts";
import { SERVING } from "./flags.ts";
import { print } from "./print.ts";

const BASH = `# bash completion of NAME. Add to ~/.bashrc: source <(NAME completions bash)
FN() {
  local words
  words=$(NAME completions words -- "\${COMP_WORDS[@]:1:$COMP_CWORD}" 2>/dev/null)
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F FN NAME`;

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: BASH,
  zsh: BASH.replace("# bash", "#compdef NAME\n# zsh").replaceAll("bash)", "zsh)")
    .replace(".bashrc", ".zshrc")
    .replace("complete -o", "autoload -U +X bashcompinit && bashcompinit\ncomplete -o"),
  fish: `# fish completion of NAME. Save as ~/.config/fish/completions/NAME.fish
complete -c NAME -f -a '(NAME completions words -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
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
}`,
};

export const completions: StandaloneCommand = {
  name: "completions",
  usage: "completions <bash | zsh | fish | powershell>",
  help: "Print a script with which the shell completes commands",
  values: Object.keys(SCRIPTS),
  examples: ["completions bash", "completions zsh", "completions fish", "completions powershell"],
  mostArgs: Infinity,
  runAlone: async (input) => {
    const { args: [shell = "", ...words], program } = input;
    const lines = shell === "words"
      ? await nextWords(words, input)
      : [scriptFor(shell, words.length > 0, program.name)];
    print(lines.map((line) => `${line}\n`).join(""));
    return 0;
  },
};

function scriptFor(shell: string, extra: boolean, name: string): string {
  const shells = Object.keys(SCRIPTS);
  if (!shells.includes(shell) || extra) {
    throw new RefraktError("INVALID_ARGS", "completions needs the name of one shell", {
      hint: `${didYouMean(shell, shells)} The shells are ${shells.join(", ")}.`.trim(),
    });
  }
  return SCRIPTS[shell]!.replaceAll("FN", () => `_${name.replaceAll("-", "_")}`)
    .replaceAll("NAME", () => name);
}

/** Completions of the last word; none for the value of a flag, where shells complete files. */
async function nextWords(
  words: readonly string[],
  { program: { flags, open }, commands, flags: given }: StandaloneInput,
): Promise<readonly string[]> {
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
  const names = commands.map(({ name }) => name);
  if (command === undefined) return names;
  if (rest.length > 0) return [];
  if (command === "help") return names;
  if (command !== "call") return commands.find(({ name }) => name === command)?.values ?? [];
  return (await (await open(given, true)).toolset()).listedTools().map(({ name }) => name);
}
