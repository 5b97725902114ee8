import type { Form } from "../helpers/program-form";
import { FAULTS, MOMENTS, VICTIMS, type Trouble } from "./network";
import type { CrashStory } from "./crash-table";
import type { Simulator } from "./simulator";
import {
  isCommand,
  type Step,
  type Story,
  type StoryRun,
  type StoryResult,
} from "./story";
import { storyText } from "./story-language";

/** A point at which a story was stopped, and the violation that followed. */
export interface FailedPoint {
  readonly trouble: Trouble;
  readonly text: string;
  readonly wrong: readonly string[];
}

/** The result of stopping a story at each of its points. */
export interface CrashResult {
  readonly points: number;
  /** Number of different states that the stopped commands left. */
  readonly states: number;
  readonly failed: readonly FailedPoint[];
}

/**
 * Every point at which a command can be stopped, found from the effects of an
 * undisturbed run.
 */
export async function troublesOf(
  simulator: Simulator,
  story: CrashStory,
  form: Form,
): Promise<Trouble[]> {
  const result = await simulator.play(withTrouble(story, form, undefined));
  const effects =
    result.outcomes[story.before.filter(isCommand).length]?.effects ?? [];
  return effects.flatMap(({ what, title = "" }, at): Trouble[] => {
    // A read changes nothing, so a stop after a read equals a stop before it.
    const isRead = title.startsWith("GET ");
    const interrupt: Trouble = { kind: "interrupt", at };
    return what === "checkpoint"
      ? [interrupt, { kind: "crash", victim: "engine", at, moment: MOMENTS[0] }]
      : [
          interrupt,
          ...VICTIMS.flatMap((victim) =>
            (isRead ? MOMENTS.slice(0, 1) : MOMENTS).map((moment): Trouble => ({
              kind: "crash",
              victim,
              at,
              moment,
            })),
          ),
          ...FAULTS.filter((fault) =>
            // For a client, a write with a cut-off answer is the same as a write
            // without an answer.
            isRead ? !fault.endsWith(" done") : fault !== "truncated",
          ).flatMap((fault) =>
            [false, true].map((isForever): Trouble => ({
              kind: "fault",
              fault,
              at,
              isForever,
            })),
          ),
        ];
  });
}

/**
 * Stops a story at each point, in turn; at every `every`th point, if it is more than 1.
 */
export async function crashEverywhere(
  simulator: Simulator,
  story: CrashStory,
  form: Form,
  every = 1,
): Promise<CrashResult> {
  const all = await troublesOf(simulator, story, form);
  const troubles = all.filter((_, at) => at % every === 0);
  const failed: FailedPoint[] = [];
  const sound = new Set<string>();
  const { before } = story;
  const continued = await simulator.beginning({ form, seed: 1, steps: before });
  for (const trouble of troubles) {
    const stopped = withTrouble(story, form, trouble);
    const rest = stopped.steps.slice(before.length);
    const result = await continued((run) => playOnce(run, rest, sound));
    const wrong: string[] = result.violations.map((one) => one.wrong);
    if (!result.isSettled && wrong.length === 0)
      wrong.push("up after crash fails");
    if (wrong.length > 0)
      failed.push({ trouble, wrong, text: storyText(stopped, result) });
  }
  return { points: troubles.length, states: sound.size, failed };
}

/**
 * Runs the steps of a story from the one with trouble. What follows the trouble depends
 * only on the state that it leaves, so each such state is tried once. `sound` holds the
 * states after which everything went well.
 */
async function playOnce(
  run: StoryRun,
  [troubled, ...others]: readonly Step[],
  sound: Set<string>,
): Promise<StoryResult> {
  if (troubled) await run.step(troubled);
  if (run.violations.length > 0) return run.result();
  const left = run.fingerprint();
  if (sound.has(left)) return { ...run.result(), isSettled: true };
  for (const step of others) await run.step(step);
  if (run.violations.length > 0) return run.result();
  await run.end();
  const result = run.result();
  if (result.isSettled && result.violations.length === 0) sound.add(left);
  return result;
}

const withTrouble = (
  { before, command, again }: CrashStory,
  form: Form,
  trouble: Trouble | undefined,
): Story => ({
  form,
  seed: 1,
  steps: [
    ...before,
    trouble === undefined
      ? command
      : ({ ...command, trouble } as typeof command),
    ...(again ? [again] : []),
  ],
});
