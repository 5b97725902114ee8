import { parse } from "yaml";
import type { Step } from "./story";

/** Each step of a text: its pattern, and the members of the step. */
const STEPS: readonly (readonly [
  RegExp,
  (...parts: (string | undefined)[]) => object,
])[] = [
  [
    /^declare (\S+): (\w+) (\{.*?\})(?: with (\{.*\}))?$/,
    (name, kind, args, options) => ({
      do: "declare",
      resource: { name, kind, args: read(args), ...read(options) },
    }),
  ],
  [/^remove (\S+)$/, (name) => ({ do: "remove", name })],
  [
    /^rename (\S+) to (\S+)( with an alias)?$/,
    (name, to, alias) => ({
      ...{ do: "rename", name, to },
      isAliased: alias !== undefined,
    }),
  ],
  [
    /^(up|preview|refresh|destroy)(?: (\{.*?\}))?(?: during (\{.*\}))?$/,
    (command, flags, trouble) => ({
      do: command,
      ...(flags !== undefined && { flags: read(flags) }),
      ...(trouble !== undefined && { trouble: read(trouble) }),
    }),
  ],
  [
    /^import (\S+) as (\S+)$/,
    (object, name) => ({ do: "import", name, object }),
  ],
  [
    /^make (\S+): (\w+) (\{.*\})$/,
    (label, kind, body) => ({
      ...{ do: "make by hand", label, kind, body: read(body) },
    }),
  ],
  [
    /^edit (\S+) (\{.*\})$/,
    (object, body) => ({ do: "edit by hand", object, body: read(body) }),
  ],
  [/^delete (\S+)$/, (object) => ({ do: "delete by hand", object })],
  [
    /^write (\[.*\])$/,
    (rules) => ({ do: "write rules by hand", rules: read(rules) }),
  ],
];

const read = (yaml = "{}") => parse(yaml) as object;

const BEGINNING =
  /\n\s*(?=(?:declare|remove|rename|up|preview|refresh|destroy|import|make|edit|delete|write)(?: |$))/m;

/**
 * The steps of a text. `declare NAME: KIND {ARGS} with {OPTIONS}` changes the program, as
 * `remove` and `rename A to B [with an alias]` do. `up {FLAGS} during {TROUBLE}` is a command.
 * `make LABEL: KIND {BODY}`, `edit`, `delete` and `write [RULES]` are done by hand. In
 * braces is YAML. A line that begins with no step continues the last one.
 */
export const stepsOf = (text: string): Step[] =>
  `\n${text.trim()}`
    .split(BEGINNING)
    .slice(1)
    .map((lines) => {
      const line = lines.trim().replace(/\s+/g, " ");
      for (const [pattern, make] of STEPS) {
        const found = pattern.exec(line);
        if (found) return make(...found.slice(1)) as Step;
      }
      throw new Error(`No step: ${line}`);
    });
