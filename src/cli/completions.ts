/**
 * `completions`: the script with which a shell completes commands, flags and their values.
 *
 * @module
 */

import { didYouMean, RefraktError } from "../errors.ts";
import { commandsNamed } from "./commands/mod.ts";
import type { Program } from "./program.ts";

/** A word and what it means. */
type Word = readonly [word: string, meaning: string];

/** What a shell has to know about a program. */
interface Grammar {
  readonly name: string;
  readonly commands: readonly { readonly word: Word; readonly values: readonly string[] }[];
  readonly flags: readonly {
    readonly word: Word;
    readonly takesValue: boolean;
    /** The commands that it is for; all where it is absent. */
    readonly commands: readonly string[] | undefined;
  }[];
}

const SHELLS: Readonly<Record<string, (grammar: Grammar) => string>> = { bash, zsh, fish };

/** The completion script for a shell. */
export function completionScript([shell, ...more]: readonly string[], program: Program): string {
  const write = Object.hasOwn(SHELLS, shell ?? "") ? SHELLS[shell!] : undefined;
  const names = Object.keys(SHELLS);
  if (write === undefined || more.length > 0) {
    throw new RefraktError("INVALID_ARGS", "completions needs the name of one shell", {
      hint: `${didYouMean(shell ?? "", names)} The shells are ${names.join(", ")}.`.trim(),
    });
  }
  const commands = commandsNamed(program.commands).map(({ name, help, values = [] }) => ({
    word: [name, help] as const,
    values,
  }));
  return write({
    name: program.name,
    commands: [
      ...commands,
      { word: ["completions", "Print a completion script"], values: names },
      { word: ["help", "Show the help"], values: program.commands },
    ],
    flags: Object.entries(program.flags).map(([name, { help, type, commands }]) => ({
      word: [`--${name}`, help] as const,
      takesValue: type === "string",
      commands,
    })),
  });
}

/** The flags that a command takes. */
function flagsOf({ flags }: Grammar, command: string): Grammar["flags"] {
  return flags.filter(({ commands }) => commands?.includes(command) ?? true);
}

/** The pattern of the flags whose value is the next word. */
function valueFlags({ flags }: Grammar): string {
  return flags.filter(({ takesValue }) => takesValue).map(({ word: [flag] }) => flag).join("|");
}

/** The names of the tools, as the program itself lists them in the project. */
const TOOLS = `list tools 2>/dev/null | sed -n 's/^  \\([a-z][^ ]*\\)  .*/\\1/p'`;

function bash(grammar: Grammar): string {
  const { name, commands } = grammar;
  const fn = `_${name.replaceAll("-", "_")}`;
  const words = (list: readonly string[]) => list.join(" ");
  const cases = commands.map(({ word: [command], values }) =>
    `    ${command}) flags="${words(flagsOf(grammar, command).map(({ word }) => word[0]))}" ` +
    `values="${words(values)}" ;;`
  );
  return `# bash completion of ${name}. Add to ~/.bashrc: source <(${name} completions bash)
${fn}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= flags values i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
    ${valueFlags(grammar)}) ((i++)) ;;
    -*) ;;
    *) command=\${COMP_WORDS[i]}; break ;;
    esac
  done
  case $command in
    "") flags="${words(flagsOf(grammar, "serving").map(({ word }) => word[0]))}" ` +
    `values="${words(commands.map(({ word }) => word[0]))}" ;;
${cases.join("\n")}
  esac
  case $prev in
    ${valueFlags(grammar)}) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    call) values=$("\${COMP_WORDS[0]}" ${TOOLS}) ;;
  esac
  if [[ $cur == -* ]]; then values=$flags; fi
  COMPREPLY=($(compgen -W "$values" -- "$cur"))
}
complete -o default -F ${fn} ${name}
`;
}

/** zsh reads the script of bash. */
function zsh(grammar: Grammar): string {
  return bash(grammar)
    .replace("# bash", "#compdef refrakt-mcp\n# zsh")
    .replace("~/.bashrc", "~/.zshrc").replace("completions bash", "completions zsh")
    .replace("complete -o", "autoload -U +X bashcompinit && bashcompinit\ncomplete -o");
}

function fish(grammar: Grammar): string {
  const { name, commands, flags } = grammar;
  const lines = [
    `# fish completion of ${name}. Save as ~/.config/fish/completions/${name}.fish`,
    `complete -c ${name} -f`,
    ...commands.map(({ word: [command, help] }) =>
      `complete -c ${name} -n __fish_use_subcommand -a ${command} -d ${quoted(help)}`
    ),
    ...commands.filter(({ values }) => values.length > 0).map(({ word: [command], values }) =>
      `complete -c ${name} -n '__fish_seen_subcommand_from ${command}' -a '${values.join(" ")}'`
    ),
    `complete -c ${name} -n '__fish_seen_subcommand_from call' -a ` +
    `"(${name} ${TOOLS.replaceAll("\\", "\\\\")})"`,
    ...flags.map(({ word: [flag, help], takesValue, commands: only = [] }) => {
      const own = only.filter((command) => command !== "serving");
      const condition = only.length === 0
        ? ""
        : own.length === 0
        ? " -n __fish_use_subcommand"
        : ` -n '__fish_seen_subcommand_from ${own.join(" ")}'`;
      const value = takesValue ? " -r -F" : "";
      return `complete -c ${name}${condition} -l ${flag.slice(2)}${value} -d ${quoted(help)}`;
    }),
  ];
  return `${lines.join("\n")}\n`;
}

/** A text between single quotes, which all three shells read alike without quotes in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "’").replaceAll("\\", "")}'`;
}
