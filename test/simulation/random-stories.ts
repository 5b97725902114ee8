import fc from "fast-check";
import type { Form } from "../helpers/program-form";
import { SINGLETONS, steps } from "./random-steps";
import type { Simulator } from "./simulator";
import type { Step, StoryRun } from "./story";
import { storyText, written } from "./story-language";

/** The state of a story that decides which commands are possible. */
interface Model {
  readonly declared: Set<string>;
  readonly labels: Set<string>;
  commands: number;
}

/** The results of random stories. */
export interface Tally {
  stories: number;
  /** Stories in which the last `up` of every stack succeeded. */
  settled: number;
}

/** Steps that `onEngine` can carry out. */
const ON_ENGINE: readonly Step["do"][] = [
  "declare",
  "remove",
  "rename",
  "rename with an alias",
  "make by hand",
  "edit by hand",
  "delete by hand",
  "up",
  "preview",
  "refresh",
  "destroy",
];

/** Random stories without trouble, of one stack and one region, for the real engine. */
export function randomEngineStories(count: number, seed: number): Step[][] {
  const story = fc.array(fc.oneof(...steps), { minLength: 8, maxLength: 16 });
  return fc
    .sample(story, { numRuns: count, seed })
    .map((result) =>
      result
        .map(withoutRefused)
        .filter(
          (one) =>
            ON_ENGINE.includes(one.do) &&
            one.stack === undefined &&
            !("trouble" in one && one.trouble) &&
            !(
              one.do === "declare" &&
              (one.resource.provider !== undefined ||
                one.resource.kind === "DataSource")
            ),
        ),
    );
}

/**
 * Removes options that the classes for TypeScript refuse. In the model, the plugin form
 * stands for languages without such classes.
 */
function withoutRefused(step: Step): Step {
  if (step.do !== "declare") return step;
  const { deletedWith: _, replaceOnChanges, ...resource } = step.resource;
  const mayReplace = !(resource.kind in SINGLETONS);
  return {
    ...step,
    resource: {
      ...resource,
      ...(mayReplace && replaceOnChanges && { replaceOnChanges }),
    },
  };
}

/** A step as a command of fast-check. */
class StepCommand implements fc.AsyncCommand<Model, StoryRun> {
  constructor(
    readonly step: Step,
    private readonly judge: (run: StoryRun) => void,
  ) {}

  check({ declared, labels, commands }: Readonly<Model>): boolean {
    const { step } = this;
    switch (step.do) {
      case "remove":
      case "rename":
      case "rename with an alias":
        return declared.has(step.name);
      case "make by hand":
        return !labels.has(step.label);
      case "import":
        return labels.has(step.object);
      case "edit by hand":
      case "delete by hand":
        return labels.has(step.object) || declared.has(step.object);
      case "state delete":
      case "state rename":
      case "state move":
      case "refresh":
      case "destroy":
      case "take form":
        return commands > 0;
      case "up":
      case "preview":
        return declared.size > 0;
      default:
        return true;
    }
  }

  async run(model: Model, run: StoryRun): Promise<void> {
    const { step } = this;
    if (step.do === "declare") model.declared.add(step.resource.name);
    if (step.do === "remove") model.declared.delete(step.name);
    if (step.do === "make by hand") model.labels.add(step.label);
    if (step.do === "up") model.commands += 1;
    await run.step(step);
    this.judge(run);
  }

  toString(): string {
    return written(this.step);
  }
}

/**
 * Runs random stories. A story with a violation is made as short as possible, and
 * thrown as text.
 */
export async function playRandomStories(
  simulator: Simulator,
  stories: number,
  tally: Tally,
  parameters: fc.Parameters<unknown> = {},
): Promise<void> {
  let now: { readonly form: Form; readonly seed: number } | undefined;
  const judge = (run: StoryRun) => {
    if (run.violations.length === 0 || !now) return;
    throw new Error(storyText({ ...now, steps: [] }, run.result()));
  };
  const commands = fc.commands(
    steps.map((one) => one.map((given) => new StepCommand(given, judge))),
    { maxCommands: 18, size: "max" },
  );
  const beginning = fc.record({
    form: fc.constantFrom<Form[]>("dynamic", "plugin"),
    seed: fc.noShrink(fc.nat(1_000_000)),
  });
  await fc.assert(
    fc.asyncProperty(beginning, commands, async ({ form, seed }, list) => {
      now = { form, seed };
      await simulator.run(form, seed, async (run) => {
        const model = {
          ...{ declared: new Set<string>(), labels: new Set<string>() },
          commands: 0,
        };
        await fc.asyncModelRun(() => ({ model, real: run }), list);
        await run.end();
        judge(run);
        tally.stories += 1;
        if (run.result().isSettled) tally.settled += 1;
      });
    }),
    {
      numRuns: stories,
      endOnFailure: false,
      ...(parameters as object),
    },
  );
}
