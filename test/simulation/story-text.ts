import { masked } from "./engine/property-value";
import type { Trouble } from "./network";
import type { Declaration } from "./program";
import type { Step, Story, StoryResult } from "./story";
import type { Flags, Outcome } from "./world";

/** A step as a sentence, with its result. */
export function describe(step: Step, outcome?: Outcome): string {
  const where = step.stack === undefined ? "" : ` (stack ${step.stack})`;
  return `- ${sentence(step)}${where}${resultOf(outcome)}`;
}

function sentence(step: Step): string {
  switch (step.do) {
    case "declare":
      return `the program declares ${described(step.resource)}`;
    case "remove":
      return `the program loses ${step.name}`;
    case "rename":
      return `the program renames ${step.name} to ${step.to}, ${step.isAliased ? "with" : "without"} an alias`;
    case "take form":
      return `the program changes to the ${step.form} form`;
    case "up":
    case "preview":
    case "refresh":
    case "destroy":
      return `${["pulumi", step.do, ...flagsOf(step.flags)].join(" ")}${troubleOf(step.trouble)}`;
    case "import":
      return `pulumi import of ${step.object} as ${step.name}`;
    case "state delete":
      return `pulumi state delete ${step.name}`;
    case "state rename":
      return `pulumi state rename ${step.name} ${step.to}`;
    case "state move":
      return `pulumi state move ${step.name} to stack ${step.to}`;
    case "make by hand":
      return `somebody makes the ${step.kind} ${step.label} by hand: ${JSON.stringify(step.body)}`;
    case "edit by hand":
      return `somebody changes ${step.object} by hand: ${JSON.stringify(step.body)}`;
    case "delete by hand":
      return `somebody deletes ${step.object} by hand`;
    case "write rules by hand":
      return `somebody writes rules by hand: ${JSON.stringify(step.rules)}`;
  }
}

function described({ name, kind, args, ...options }: Declaration): string {
  const shownOptions =
    Object.keys(options).length > 0 ? ` ${JSON.stringify(options)}` : "";
  return `${name}: ${kind} ${JSON.stringify(masked(args))}${shownOptions}`;
}

/** Flags as the command line has them. `shown` says what stands for names of resources. */
export function flagsOf(
  flags: Flags = {},
  shown: (names: readonly string[]) => readonly string[] = (names) => names,
): string[] {
  return [
    ...shown(flags.target ?? []).flatMap((one) => ["--target", one]),
    ...shown(flags.exclude ?? []).flatMap((one) => ["--exclude", one]),
    ...shown(flags.replace ?? []).flatMap((one) => ["--replace", one]),
    ...(flags.targetDependents ? ["--target-dependents"] : []),
    ...(flags.refresh ? ["--refresh"] : []),
    ...(flags.runProgram ? ["--run-program"] : []),
    ...(flags.continueOnError ? ["--continue-on-error"] : []),
  ];
}

function troubleOf(trouble: Trouble | undefined): string {
  if (!trouble) return "";
  if (trouble.kind === "interrupt")
    return `; interrupted at effect ${trouble.at}`;
  return trouble.kind === "crash"
    ? `; the ${trouble.victim} is killed at effect ${trouble.at}, ${trouble.moment}`
    : `; effect ${trouble.at}${trouble.isForever ? " and all that follow meet" : " meets"} ${trouble.fault}`;
}

function resultOf(outcome: Outcome | undefined): string {
  if (!outcome) return "";
  const result = !outcome.isEnded ? "killed" : outcome.isOk ? "ok" : "fails";
  const calls = outcome.exchanges
    .filter(({ method }) => method !== "GET")
    .map(({ method, path, status }) => `\n    ${method} ${path} ${status}`)
    .join("");
  const errors = outcome.isOk
    ? ""
    : outcome.printed
        .split("\n")
        .filter((line) => line.startsWith("error"))
        .map((line) => `\n    ${line.slice(0, 300)}`)
        .join("");
  return ` -> ${result}${calls}${errors}`;
}

/** The whole story as text, with its violations. */
export function storyText(
  story: Story,
  { violations, text }: StoryResult,
): string {
  const found = violations.map(({ wrong, detail }) => `! ${wrong}: ${detail}`);
  return [`Seed ${story.seed}, ${story.form} form:`, text, ...found].join("\n");
}
