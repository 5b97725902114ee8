import { parse, stringify } from "yaml";
import type { Step, Story, StoryResult } from "./story";
import type { Outcome } from "./world";

/**
 * How each step is written. `$name` is a member of the step. In brackets stands what a step
 * may lack.
 */
const WRITTEN: Readonly<Record<Step["do"], string>> = {
  declare: "declare $name: $kind $args[ with $options]",
  remove: "remove $name",
  rename: "rename $name to $to",
  "rename with an alias": "rename $name to $to with an alias",
  "take form": "take form $form",
  up: "up[ $flags][ during $trouble]",
  preview: "preview[ $flags][ during $trouble]",
  refresh: "refresh[ $flags][ during $trouble]",
  destroy: "destroy[ $flags][ during $trouble]",
  import: "import $object as $name",
  "state delete": "state delete $name",
  "state rename": "state rename $name to $to",
  "state move": "state move $name to $to",
  "make by hand": "make $label: $kind $body",
  "edit by hand": "edit $object $body",
  "delete by hand": "delete $object",
  "write rules by hand": "write $rules",
};

const IN_STACK = "[ in stack $stack]";

/** Members that are written as YAML in one line. The others are names. */
const VALUES = ["args", "options", "flags", "trouble", "body", "rules"];

const PATTERNS = Object.entries(WRITTEN).map(([step, form]) => {
  const source = (form + IN_STACK)
    .replaceAll("[", "(?:")
    .replaceAll("]", ")?")
    .replace(/\$(\w+)/g, (_, member: string) =>
      VALUES.includes(member)
        ? `(?<${member}>[[{].*?[}\\]])`
        : `(?<${member}>\\S+)`,
    );
  return { step, pattern: new RegExp(`^${source}$`) };
});

const VERBS = new Set(
  Object.values(WRITTEN).map((form) => /^\w+/.exec(form)?.[0]),
);
const BEGINNING = new RegExp(
  `\\n\\s*(?=(?:${[...VERBS].join("|")})(?: |$))`,
  "m",
);

/**
 * The steps of a text, each written as in `WRITTEN`. A line that begins with no step continues
 * the last one; a line with `#` says what the step above it did.
 */
export const stepsOf = (text: string): Step[] =>
  `\n${text.trim()}`
    .replace(/\n\s*#.*/g, "")
    .split(BEGINNING)
    .slice(1)
    .map((lines) => stepOf(lines.trim().replace(/\s+/g, " ")));

function stepOf(line: string): Step {
  for (const { step, pattern } of PATTERNS) {
    const found = pattern.exec(line)?.groups;
    if (!found) continue;
    const members = Object.fromEntries(
      Object.entries(found).flatMap(([member, text]: [string, string?]) =>
        text === undefined
          ? []
          : [
              [
                member,
                VALUES.includes(member) ? (parse(text) as object) : text,
              ],
            ],
      ),
    );
    const { stack, options, ...resource } = members;
    return (
      step === "declare"
        ? {
            do: step,
            resource: { ...resource, ...(options as object) },
            ...(stack !== undefined && { stack }),
          }
        : { do: step, ...members }
    ) as Step;
  }
  throw new Error(`No step: ${line}`);
}

/** A step as `stepsOf` reads it. */
export function written(step: Step): string {
  let members: Readonly<Record<string, unknown>> = { ...step };
  if (step.do === "declare") {
    const { name, kind, args, ...options } = step.resource;
    const some = Object.keys(options).length > 0 ? { options } : {};
    members = { ...members, name, kind, args, ...some };
  }
  return (WRITTEN[step.do] + IN_STACK)
    .replace(/\[(.*?\$(\w+))\]/g, (_, part: string, member: string) =>
      members[member] === undefined ? "" : part,
    )
    .replace(/\$(\w+)/g, (_, member: string) =>
      VALUES.includes(member)
        ? stringify(members[member], ONE_LINE).trim()
        : String(members[member]),
    );
}

const ONE_LINE = {
  collectionStyle: "flow",
  flowCollectionPadding: false,
  lineWidth: 0,
} as const;

/** A step with its result, which `stepsOf` leaves out. */
export function told(step: Step, outcome?: Outcome): string {
  if (!outcome) return written(step);
  const result = !outcome.isEnded ? "killed" : outcome.isOk ? "ok" : "fails";
  const calls = outcome.exchanges
    .filter(({ method }) => method !== "GET")
    .map(({ method, path, status }) => `${method} ${path} ${status}`);
  const errors = outcome.isOk
    ? []
    : outcome.printed
        .split("\n")
        .filter((line) => line.startsWith("error"))
        .map((line) => line.slice(0, 300));
  return [written(step), result, ...calls, ...errors].join("\n    # ");
}

/** The whole story as text, with its violations. */
export function storyText(
  story: Story,
  { violations, text }: StoryResult,
): string {
  const found = violations.map(({ wrong, detail }) => `# ${wrong}: ${detail}`);
  return [`# Seed ${story.seed}, ${story.form} form:`, text, ...found].join(
    "\n",
  );
}
