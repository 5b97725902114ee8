import type { Command, Option } from "commander";
import { defineCommand } from "../flags/define-command";

/** The words that can follow a command: subcommands, flags, and the values of flags. */
interface Words {
  /** The full command: `devid rules check`. */
  readonly path: string;
  /** Whether the command has subcommands. If not, files follow. */
  readonly isGroup: boolean;
  /** Its subcommands, and the values of its arguments. */
  readonly commands: readonly { readonly name: string; readonly doc: string }[];
  readonly flags: readonly {
    readonly name: string;
    readonly doc: string;
    readonly values: readonly string[];
  }[];
}

/**
 * `devid completion`: prints a completion script for a shell, made from the table of commands.
 * @param paths the paths of all commands
 * @param loaded `devid` with the code of the command that words call
 */
export const completion = (
  paths: readonly string[],
  loaded: (words: readonly string[]) => Promise<Command>,
) =>
  defineCommand({
    arguments: [["<shell>", "", { choices: Object.keys(SHELLS) }]],
    run: async (shell) => {
      const words = await everyWord(paths, loaded);
      process.stdout.write(SHELLS[shell as keyof typeof SHELLS](words));
    },
  });

async function everyWord(
  ...[paths, loaded]: Parameters<typeof completion>
): Promise<Words[]> {
  const all: Words[] = [];
  for (const path of ["", ...paths]) {
    const program = await loaded(path.split(" "));
    const command = path
      .split(" ")
      .reduce(
        (at, name) => at.commands.find((part) => part.name() === name) ?? at,
        program,
      );
    all.push(wordsOfCommand(command, `devid ${path}`.trim()));
  }
  return all;
}

function wordsOfCommand(command: Command, path: string): Words {
  const values = new Set(
    command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
  );
  return {
    path,
    isGroup: command.commands.length > 0,
    commands: [
      ...command.commands.map((part) => ({
        name: part.name(),
        doc: part.description(),
      })),
      ...[...values].map((name) => ({ name, doc: "" })),
    ],
    flags: [
      ...command.options
        .filter(({ hidden, long }) => !hidden && long)
        .map((option: Option) => ({
          name: option.long ?? "",
          doc: option.description,
          values: option.argChoices ?? [],
        })),
      { name: "--help", doc: "display help for command", values: [] },
    ],
  };
}

const flagsWithValues = (words: readonly Words[]) =>
  words.flatMap(({ path, flags }) =>
    flags
      .filter(({ values }) => values.length > 0)
      .map(({ name, values }) => ({ at: `${path} ${name}`, values })),
  );

/**
 * Functions of a POSIX shell that print the words that can follow a command, and the
 * values of a flag.
 */
const tables = (words: readonly Words[]) => `_devid_words() {
  case "$1" in
${words
  .map(
    ({ path, commands, flags }) =>
      `    "${path}") echo "${[...commands, ...flags].map(({ name }) => name).join(" ")}" ;;`,
  )
  .join("\n")}
  esac
}

_devid_values() {
  case "$1" in
${flagsWithValues(words)
  .map(({ at, values }) => `    "${at}") echo "${values.join(" ")}" ;;`)
  .join("\n")}
  esac
}
`;

const bash = (
  words: readonly Words[],
) => `# bash: eval "$(devid completion bash)"
${tables(words)}
_devid() {
  local current="\${COMP_WORDS[COMP_CWORD]}" at="devid" i words
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [ -n "$(_devid_words "$at \${COMP_WORDS[i]}")" ]; then
      at="$at \${COMP_WORDS[i]}"
    fi
  done
  words="$(_devid_values "$at \${COMP_WORDS[COMP_CWORD - 1]}")"
  [ -n "$words" ] || words="$(_devid_words "$at")"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
# Where no word fits, file names are completed.
complete -o bashdefault -o default -F _devid devid
`;

const zsh = (words: readonly Words[]) => `#compdef devid
# zsh: source <(devid completion zsh)
${tables(words)}
_devid() {
  local at="devid" i found
  for ((i = 2; i < CURRENT; i++)); do
    if [ -n "$(_devid_words "$at \${words[i]}")" ]; then
      at="$at \${words[i]}"
    fi
  done
  found="$(_devid_values "$at \${words[CURRENT - 1]}")"
  if [ -n "$found" ]; then
    compadd -- \${=found}
    return
  fi
  found="$(_devid_words "$at")"
  compadd -- \${=found}
  # Only flags: the command takes files, too.
  if [[ "$found" = --* ]]; then _files; fi
}
compdef _devid devid
`;

const fish = (
  words: readonly Words[],
) => `# fish: devid completion fish | source
function __devid_at
    set -l at devid
    for word in (commandline -opc)[2..-1]
        if contains -- "$at $word" ${words.map(({ path }) => `"${path}"`).join(" ")}
            set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
${words
  .flatMap(({ path, isGroup, commands, flags }) => [
    ...(isGroup ? [`complete -c devid -n '__devid_at "${path}"' -f`] : []),
    ...commands.map(
      ({ name, doc }) =>
        `complete -c devid -n '__devid_at "${path}"' -a ${name} -d ${inFish(doc)}`,
    ),
    ...flags.map(
      ({ name, doc, values }) =>
        `complete -c devid -n '__devid_at "${path}"' -l ${name.slice(2)} -d ${inFish(doc)}${values.length > 0 ? ` -x -a ${inFish(values.map(fishWord).join(" "))}` : ""}`,
    ),
  ])
  .join("\n")}
`;

/** Escapes a word for fish, so that signs such as `<` have no meaning for the shell. */
const fishWord = (word: string) => word.replace(/[^\w.-]/g, "\\$&");

const inFish = (text: string) =>
  `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

const SHELLS = { bash, zsh, fish };
