import { Command, Option } from "commander";

/** A flag of a command. `Value` is the type of what the command is given for it. */
export class Flag<Value> {
  declare readonly value: Value;

  /** @param option makes the option from its name, such as `--max-rules` */
  constructor(readonly option: (name: string) => Option) {}

  /** The same flag with a default. @param words how the help shows the default */
  or(
    value: NonNullable<Value>,
    words?: string,
  ): Flag<Exclude<Value, undefined>> {
    return this.with((option) => option.default(value, words)) as Flag<never>;
  }

  /** The same flag with more settings of its option. */
  with(more: (option: Option) => Option): Flag<Value> {
    return new Flag((name) => more(this.option(name)));
  }

  /** The same flag, which a user must give. */
  get required(): Flag<Exclude<Value, undefined>> {
    return this.with((option) => option.makeOptionMandatory()) as Flag<never>;
  }
}

/** A flag without a value. */
export const flag = (words: string): Flag<true | undefined> =>
  new Flag((name) => new Option(name, words));

/** A flag that turns off what is on without it: `impact` becomes `--no-impact`. */
export const negatedFlag = (words: string): Flag<boolean> =>
  new Flag((name) => new Option(name.replace(/^--/, "--no-"), words));

/** What the value of a flag is called, and the words of the help: `<file> where to write`. */
type ValueHelp = `<${string}> ${string}`;

/** A flag with a text. */
export const textFlag = (help: ValueHelp): Flag<string | undefined> =>
  new Flag((name) => {
    const end = help.indexOf("> ") + 1;
    const value = help.slice(0, end);
    return new Option(`${name} ${value}`, help.slice(end + 1));
  });

/** A flag whose text `parse` converts. A repeated flag is given the earlier value, too. */
export const parsedFlag = <Value>(
  help: ValueHelp,
  parse: (text: string, earlier: Value) => Value,
): Flag<Value | undefined> =>
  textFlag(help).with((option) => option.argParser(parse)) as Flag<
    Value | undefined
  >;

/** A flag with one of some texts. */
export const choiceFlag = <const Value extends string>(
  help: ValueHelp,
  values: readonly Value[],
): Flag<Value | undefined> =>
  textFlag(help).with((option) => option.choices(values)) as Flag<
    Value | undefined
  >;

type Flags = Readonly<Record<string, Flag<unknown>>>;
type ValueOf<F> = F extends Flag<infer Value> ? Value : never;
type Optional<F> = {
  [Name in keyof F]: undefined extends ValueOf<F[Name]> ? Name : never;
}[keyof F];

/** What a command is given for its flags, by their names. */
export type ValuesOf<F> = {
  readonly [Name in Exclude<keyof F, Optional<F>>]: ValueOf<F[Name]>;
} & { readonly [Name in Optional<F>]?: ValueOf<F[Name]> };

/** An argument: its form (`<file>`, `[folder]`, `<file...>`), its words, and its default. */
type ArgumentRow = readonly [form: string, words: string, fallback?: string];
type ArgumentOf<Row extends ArgumentRow> = Row[0] extends `${string}...>`
  ? readonly string[]
  : Row extends
        | readonly [`<${string}`, string]
        | readonly [string, string, string]
    ? string
    : string | undefined;
type ArgumentsOf<Rows extends readonly ArgumentRow[]> = {
  -readonly [Place in keyof Rows]: ArgumentOf<Rows[Place]>;
};

/** What a command takes and does: parsing and help come from it. */
export interface CommandDefinition<
  Rows extends readonly ArgumentRow[],
  F extends Flags,
> {
  readonly arguments?: Rows;
  /** By the names of their values: `maxRules` is `--max-rules`. In the order of the help. */
  readonly flags?: F;
  /** Flags that are written in another way, too: `--fix=all` is `--fix-all`. */
  readonly spellings?: Readonly<Record<string, string>>;
  readonly run: (
    ...given: [...ArgumentsOf<Rows>, ValuesOf<F>]
  ) => void | Promise<void>;
}

/** Makes the command of a name. */
export type MakeCommand = (name: string) => Command;

/** Defines a command. Its `run` is called with the arguments and the flags. */
export function defineCommand<
  const Rows extends readonly ArgumentRow[] = [],
  const F extends Flags = Record<never, never>,
>(definition: CommandDefinition<Rows, F>): MakeCommand {
  const { arguments: rows, flags = {}, spellings = {}, run } = definition;
  return (name) => {
    const command = new SpelledCommand(name, spellings);
    for (const [form, words, fallback] of rows ?? [])
      command.argument(form, words, fallback);
    for (const [value, { option }] of Object.entries<Flag<unknown>>(flags))
      command.addOption(option(longName(value)));
    return command.action((...given: unknown[]) =>
      // Behind the arguments and the flags, commander gives the command.
      run(...(given.slice(0, -1) as Parameters<typeof run>)),
    );
  };
}

/** `--max-rules` of `maxRules`. */
const longName = (value: string) =>
  `--${value.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

class SpelledCommand extends Command {
  constructor(
    name: string,
    private readonly spellings: Readonly<Record<string, string>>,
  ) {
    super(name);
  }

  override parseOptions(args: string[]) {
    const spellings = new Map(Object.entries(this.spellings));
    return super.parseOptions(args.map((arg) => spellings.get(arg) ?? arg));
  }
}
