import { join } from "node:path";
import { EngineStack, TESTS, type Changes } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";
import { USERS_START } from "../helpers/quick-programs";
import { figure, printFigures, round, type Figure } from "./figure";
import { MemoryWatch, secondsOfEnded } from "./process-tree";
import { median, spreadOf } from "./statistics";

const ROUNDS = numberAfter("--rounds", 5);
const WEBHOOKS = numberAfter("--webhooks", 200);

/** The compared sides: each a folder of programs beside this file. */
const SIDES = [
  "webhooks-by-hand",
  "webhooks-by-devid",
  "webhooks-by-plugin",
  "webhooks-that-do-nothing",
] as const;
type Side = (typeof SIDES)[number];
const [HAND, DYNAMIC, PLUGIN, NOTHING] = SIDES;

/**
 * How fast dynamic resources must be beside ones that do nothing. Those are the floor of
 * the engine and of Pulumi's packages: no provider is faster.
 */
const FLOOR_GOAL = 0.8;

/** The cost of one step. */
interface Cost {
  readonly processorSeconds: number;
  readonly wallSeconds: number;
  readonly megabytes: number;
  readonly calls: number;
}

/** A step, and its expected result. */
interface Step {
  readonly name: string;
  run(stack: EngineStack): Promise<Changes>;
  readonly changes: Changes;
  /** How many times faster the dynamic resources must be than handwritten ones. */
  readonly goal: number;
  /** How many times faster the plugin must be than the dynamic resources; default 1. */
  readonly pluginGoal?: number;
}

const STEPS: readonly Step[] = [
  {
    name: "first up",
    run: (stack) => stack.up(),
    changes: { create: WEBHOOKS + 1 },
    goal: 1.4,
    pluginGoal: 1.3,
  },
  {
    name: "unchanged preview",
    run: async (stack) => (await stack.preview()).changes,
    changes: { same: WEBHOOKS + 1 },
    goal: 1,
  },
  {
    name: "unchanged up",
    run: (stack) => stack.up(),
    changes: { same: WEBHOOKS + 1 },
    goal: 1,
  },
  {
    name: "one-change up",
    run: (stack) => {
      stack.set({ BENCH_EDITED: "0" });
      return stack.up();
    },
    changes: { same: WEBHOOKS, update: 1 },
    goal: 1,
  },
  {
    name: "refresh",
    run: (stack) => stack.refresh(),
    changes: { same: WEBHOOKS + 1 },
    goal: 1,
    pluginGoal: 1.3,
  },
  {
    name: "destroy",
    run: async (stack) => (await stack.destroy()).changes,
    changes: { delete: WEBHOOKS + 1 },
    goal: 1.7,
  },
];

/** The costs of every step, and the state after the first step. */
interface Run {
  readonly costs: ReadonlyMap<string, Cost>;
  readonly stateKilobytes: number;
  readonly plainSecrets: number;
}

async function runOf(side: Side): Promise<Run> {
  const workspace = await LocalWorkspace.start();
  const { managementKey } = workspace.service.workspaces.us;
  const program = join(TESTS, "bench", side);
  const stack = await EngineStack.open(
    {
      ...USERS_START,
      ...workspace.env,
      BENCH_WEBHOOKS: `${WEBHOOKS}`,
    },
    program,
  );
  const costs = new Map<string, Cost>();
  let stateKilobytes = NaN;
  let plainSecrets = NaN;
  try {
    for (const step of STEPS) {
      costs.set(step.name, await costOf(step, stack, workspace));
      if (step !== STEPS[0]) continue;
      const state = await stack.exported();
      stateKilobytes = state.length / 1_000;
      plainSecrets = count(state, managementKey) + count(state, "whsec_");
    }
  } finally {
    stack.close();
    await workspace.close();
  }
  return { costs, stateKilobytes, plainSecrets };
}

async function costOf(
  step: Step,
  stack: EngineStack,
  workspace: LocalWorkspace,
): Promise<Cost> {
  const mark = await workspace.mark();
  const processorBefore = secondsOfEnded();
  const startedAt = performance.now();
  const memory = new MemoryWatch();
  const changes = await step.run(stack);
  const wallSeconds = (performance.now() - startedAt) / 1_000;
  const megabytes = memory.stop();
  const processorSeconds = secondsOfEnded() - processorBefore;
  for (const [operation, expected] of Object.entries(step.changes))
    if (changes[operation] !== expected)
      throw new Error(
        `${step.name}: ${JSON.stringify(changes)} instead of ${JSON.stringify(step.changes)}`,
      );
  const calls = (await workspace.requestsSince(mark)).length;
  return { processorSeconds, wallSeconds, megabytes, calls };
}

/**
 * The processor time, the wall time, the memory and the calls of each step, and the
 * state of each side.
 */
function figuresOf(runs: Readonly<Record<Side, readonly Run[]>>): Figure[] {
  const costs = (side: Side, step: string, part: keyof Cost) =>
    runs[side].map((run) => run.costs.get(step)?.[part] ?? NaN);
  const state = (side: Side, part: "stateKilobytes" | "plainSecrets") =>
    runs[side].at(-1)?.[part] ?? NaN;

  /** How many times faster one side is than another in a step. */
  const ratio = (ours: Side, theirs: Side, step: string, goal: number) => {
    const own = costs(ours, step, "processorSeconds");
    const each = costs(theirs, step, "processorSeconds").map(
      (seconds, i) => seconds / (own[i] ?? NaN),
    );
    const both = (part: keyof Cost, digits = round) =>
      `${digits(median(costs(ours, step, part)))} against ${digits(median(costs(theirs, step, part)))}`;
    return figure(
      `${step}: ${NAMES[ours]} as fast as ${NAMES[theirs]} (${spreadOf(each, round)}); processor ${both("processorSeconds")} s, wall ${both("wallSeconds")} s, ${both("megabytes", Math.round)} MB, ${both("calls", Math.round)} calls`,
      median(each),
      "x",
      { atLeast: goal },
    );
  };
  const refreshCalls = (side: Side) =>
    Math.max(...costs(side, "refresh", "calls"));
  return [
    ...STEPS.map(({ name, goal }) => ratio(DYNAMIC, HAND, name, goal)),
    ...STEPS.map(({ name }) => ratio(DYNAMIC, NOTHING, name, FLOOR_GOAL)),
    ...STEPS.map(({ name, pluginGoal = 1 }) =>
      ratio(PLUGIN, DYNAMIC, name, pluginGoal),
    ),
    ...[DYNAMIC, PLUGIN].flatMap((side) => [
      figure(`calls of a refresh: ${NAMES[side]}`, refreshCalls(side), "", {
        atMost: 5,
      }),
      figure(
        `secrets in plain text in state: ${NAMES[side]} (by hand: ${state(HAND, "plainSecrets")})`,
        state(side, "plainSecrets"),
        "",
        { atMost: 0 },
      ),
    ]),
    ...[[DYNAMIC, HAND] as const, [PLUGIN, DYNAMIC] as const].map(
      ([side, other]) =>
        figure(
          `size of the state: ${NAMES[side]}, against ${NAMES[other]}`,
          state(side, "stateKilobytes"),
          "kB",
          { atMost: state(other, "stateKilobytes") },
        ),
    ),
  ];
}

const NAMES: Record<Side, string> = {
  "webhooks-by-hand": "by hand",
  "webhooks-by-devid": "dynamic resources",
  "webhooks-by-plugin": "plugin",
  "webhooks-that-do-nothing": "resources that do nothing",
};

async function main(): Promise<void> {
  const runs = Object.fromEntries(
    SIDES.map((side): [Side, Run[]] => [side, []]),
  ) as Record<Side, Run[]>;
  for (let n = 0; n < ROUNDS; n++)
    for (const side of n % 2 === 0 ? SIDES : SIDES.toReversed()) {
      console.error(`Round ${n + 1} of ${ROUNDS}: ${NAMES[side]}`);
      runs[side].push(await runOf(side));
    }
  printFigures(figuresOf(runs));
}

function numberAfter(flag: string, otherwise: number): number {
  const at = process.argv.indexOf(flag);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

void main();
