import { join } from "node:path";
import { EngineStack, TESTS, type Changes } from "../helpers/engine-stack";
import { LocalWorkspace } from "../helpers/local-workspace";
import { USERS_START } from "../helpers/quick-programs";
import { printFigures, round, type Figure } from "./figure";
import { MemoryWatch, secondsOfEnded } from "./process-tree";
import { median, spreadOf } from "./statistics";

const ROUNDS = numberAfter("--rounds", 5);
const WEBHOOKS = numberAfter("--webhooks", 200);

/** What is compared: a folder of programs beside this file. */
const SIDES = ["webhooks-by-hand", "webhooks-by-devid"] as const;
type Side = (typeof SIDES)[number];
const [HAND, DEVID] = SIDES;

/** What one step came to. */
interface Cost {
  readonly processorSeconds: number;
  readonly wallSeconds: number;
  readonly megabytes: number;
  readonly calls: number;
}

/** A step: what it does, what it has to come to, how many times as fast it is to be. */
interface Step {
  readonly name: string;
  run(stack: EngineStack): Promise<Changes>;
  readonly changes: Changes;
  readonly goal: number;
}

const STEPS: readonly Step[] = [
  {
    name: "first up",
    run: (stack) => stack.up(),
    changes: { create: WEBHOOKS + 1 },
    goal: 1.4,
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
  },
  {
    name: "destroy",
    run: async (stack) => (await stack.destroy()).changes,
    changes: { delete: WEBHOOKS + 1 },
    goal: 1.7,
  },
];

/** The costs of every step, and what the state was after the first one. */
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
      DEVID_ENDPOINT: workspace.url,
      DEVID_MANAGEMENT_KEY: managementKey,
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

/** How many times as fast devid is as the provider by hand in each step, and what else it uses. */
function figuresOf(runs: Readonly<Record<Side, readonly Run[]>>): Figure[] {
  const costs = (side: Side, step: string, part: keyof Cost) =>
    runs[side].map((run) => run.costs.get(step)?.[part] ?? NaN);
  const both = (part: keyof Cost, step: string, digits = round) =>
    `${digits(median(costs(DEVID, step, part)))} against ${digits(median(costs(HAND, step, part)))}`;
  const ratios = STEPS.map(({ name, goal }): Figure => {
    const ours = costs(DEVID, name, "processorSeconds");
    const theirs = costs(HAND, name, "processorSeconds");
    const each = theirs.map((seconds, i) => seconds / (ours[i] ?? NaN));
    const value = round(median(each));
    return {
      name: `${name}: times as fast in processor time (${spreadOf(each, round)}); ${both("processorSeconds", name)} s, wall ${both("wallSeconds", name)} s, ${both("megabytes", name, Math.round)} MB, ${both("calls", name, Math.round)} calls`,
      value,
      unit: "x",
      goal: `>= ${goal}`,
      holds: value >= goal,
    };
  });
  const refreshCalls = Math.max(...costs(DEVID, "refresh", "calls"));
  const last = (side: Side) => runs[side].at(-1);
  const secrets = last(DEVID)?.plainSecrets ?? NaN;
  return [
    ...ratios,
    {
      name: "management calls of the refresh",
      value: refreshCalls,
      unit: "",
      goal: "<= 5",
      holds: refreshCalls <= 5,
    },
    {
      name: `secrets in plain text in state (by hand: ${last(HAND)?.plainSecrets})`,
      value: secrets,
      unit: "",
      goal: "0",
      holds: secrets === 0,
    },
    {
      name: `size of the state (by hand: ${Math.round(last(HAND)?.stateKilobytes ?? NaN)} kB)`,
      value: Math.round(last(DEVID)?.stateKilobytes ?? NaN),
      unit: "kB",
      goal: "-",
      holds: true,
    },
  ];
}

async function main(): Promise<void> {
  const runs: Record<Side, Run[]> = {
    "webhooks-by-hand": [],
    "webhooks-by-devid": [],
  };
  for (let n = 0; n < ROUNDS; n++)
    for (const side of n % 2 === 0 ? SIDES : SIDES.toReversed()) {
      console.error(`Round ${n + 1} of ${ROUNDS}: ${side}`);
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
