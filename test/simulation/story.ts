import { DATA_SOURCE } from "./data-sources";
import { fingerprint } from "./fingerprint";
import type { Properties } from "./engine/property-value";
import type { Form } from "../helpers/program-form";
import { COLLECTIONS } from "./kinds";
import type { Trouble } from "./network";
import type { Violation } from "./oracle/violation";
import {
  namesUsedBy,
  urnOfDeclared,
  type Declaration,
  type Kind,
  type Program,
} from "./program";
import type { InProcessService } from "./service";
import { told } from "./story-language";
import type { VirtualTime } from "./virtual-time";
import {
  World,
  type Flags,
  type Operation,
  type Outcome,
  type Stack,
  NO_OBJECT,
} from "./world";
import { referencesOf } from "./engine/resource";

/** One step of a story. Without a `stack`, it is a step of the first stack. */
export type Step = { readonly stack?: string } & (
  | { readonly do: "declare"; readonly resource: Declaration }
  | { readonly do: "remove"; readonly name: string }
  | {
      readonly do: "rename" | "rename with an alias";
      readonly name: string;
      readonly to: string;
    }
  | { readonly do: "take form"; readonly form: Form }
  | {
      readonly do: Operation;
      readonly flags?: Flags;
      readonly trouble?: Trouble;
    }
  | { readonly do: "import"; readonly name: string; readonly object: string }
  | { readonly do: "state delete"; readonly name: string }
  | { readonly do: "state rename"; readonly name: string; readonly to: string }
  | { readonly do: "state move"; readonly name: string; readonly to: string }
  | {
      readonly do: "make by hand";
      readonly label: string;
      readonly kind: Kind;
      readonly body: Properties;
    }
  | {
      readonly do: "edit by hand";
      /** A label, or the name of a resource of the stack. */
      readonly object: string;
      readonly body: Properties;
    }
  | { readonly do: "delete by hand"; readonly object: string }
  | {
      readonly do: "write rules by hand";
      readonly rules: readonly Properties[];
    }
);

/** Whether a step is a command of the engine. */
export const isCommand = ({ do: step }: Step): boolean =>
  ["up", "preview", "refresh", "destroy"].includes(step);

/** A list of steps, beginning with an empty workspace. */
export interface Story {
  readonly form: Form;
  readonly seed: number;
  readonly steps: readonly Step[];
}

/** The result of a story. */
export interface StoryResult {
  readonly violations: readonly Violation[];
  /** A report with a line for each step. */
  readonly text: string;
  readonly outcomes: readonly Outcome[];
  /** Whether the last `up` of every stack succeeded. */
  readonly isSettled: boolean;
}

/** A story that runs step by step. */
export class StoryRun {
  readonly #lines: string[] = [];
  readonly #outcomes: Outcome[] = [];
  #isSettled = false;

  private constructor(
    private readonly world: World,
    private readonly form: Form,
  ) {
    world.stack("dev", form);
  }

  /** A copy of the story so far, which can continue on its own. The service must be in the same state. */
  copy(): StoryRun {
    const run = new StoryRun(this.world.copy(), this.form);
    run.#lines.push(...this.#lines);
    run.#outcomes.push(...this.#outcomes);
    return run;
  }

  static async begin(
    service: InProcessService,
    time: VirtualTime,
    form: Form,
    seed: number,
  ): Promise<StoryRun> {
    return new StoryRun(await World.open(service, time, seed), form);
  }

  get violations(): readonly Violation[] {
    return this.world.violations;
  }

  /** A text that is equal for two stories with the same rest. */
  fingerprint(): string {
    return fingerprint(this.world);
  }

  /** Carries out one step. */
  async step(step: Step): Promise<Outcome | undefined> {
    const outcome = await carryOut(this.world, step, this.form);
    this.#lines.push(told(step, outcome));
    if (outcome) this.#outcomes.push(outcome);
    return outcome;
  }

  /**
   * Ends the story: every stack runs one more `up`, and previews that must show no
   * change. In every third story, one preview refreshes while the program runs. Stops
   * at the first violation.
   */
  async end(): Promise<void> {
    const { world } = this;
    let isSettled = true;
    for (const stack of world.stacks.values()) {
      const up = await this.step({
        do: "up",
        stack: stack.name,
        // Without a refresh, an update does not notice deleted objects.
        ...(world.isStale && { flags: { refresh: true } }),
      });
      if (world.violations.length > 0) return;
      if (!up?.isOk) {
        isSettled = false;
        continue;
      }
      let preview = await this.step({ do: "preview", stack: stack.name });
      // The next update writes values to the state that a create has left out.
      if (preview?.isOk && preview.steps.some(({ op }) => op !== "same")) {
        await this.step({ do: "up", stack: stack.name });
        preview = await this.step({ do: "preview", stack: stack.name });
      }
      if (!preview) continue;
      judgePreview(world, stack, preview);
      if (!preview.isOk) continue;
      // The reads take time, so only some stories have this preview.
      const refreshed =
        world.seed % 3 === 0 &&
        (await this.step({
          do: "preview",
          stack: stack.name,
          flags: { refresh: true, runProgram: true },
        }));
      if (refreshed) judgePreview(world, stack, refreshed);
      if (world.violations.length > 0) return;
      world.oracle.checkDeclared(stack);
      if (world.violations.length > 0) return;
    }
    if (isSettled) world.oracle.checkOrphans();
    this.#isSettled = isSettled;
  }

  result(): StoryResult {
    return {
      violations: this.world.violations,
      text: this.#lines.join("\n"),
      outcomes: this.#outcomes,
      isSettled: this.#isSettled,
    };
  }
}

function judgePreview(world: World, stack: Stack, preview: Outcome): void {
  if (!preview.isOk) {
    world.violations.push({
      wrong: "preview after up fails",
      detail: preview.printed,
    });
    return;
  }
  const changes = preview.steps.filter(
    ({ op, urn }) =>
      op !== "same" &&
      op !== "refresh" &&
      !(op === "create" && isOfIgnoredWebhook(stack, urn)),
  );
  if (changes.length > 0)
    world.violations.push({
      wrong: "preview after up not clean",
      detail: `${stack.name}: ${changes.map(({ op, urn }) => `${op} ${urn}`).join(", ")}`,
    });
  const sent = preview.exchanges.filter(({ by }) => by !== DATA_SOURCE);
  if (sent.length > 0 && !preview.flags.refresh)
    world.violations.push({
      wrong: "preview after up makes calls",
      detail: sent.map(({ method, path }) => `${method} ${path}`).join(", "),
    });
}

/**
 * Whether a resource is the verification of a webhook that the program no longer has,
 * because `ignoreChanges` keeps its ID. A refresh drops it.
 */
const isOfIgnoredWebhook = ({ name, program }: Stack, urn: string) =>
  program.resources.some(
    (one) =>
      one.kind === "WebhookVerification" &&
      one.ignoreChanges?.length &&
      urnOfDeclared(program, name, one.name) === urn,
  );

async function carryOut(
  world: World,
  step: Step,
  form: Form,
): Promise<Outcome | undefined> {
  const stack = world.stack(step.stack ?? "dev", form);
  switch (step.do) {
    case "declare": {
      if (step.resource.parent === GROUP.name) declareGroup(stack);
      // A program can refer only to resources that it has declared before.
      const { resources } = stack.program;
      const at = resources.findIndex(({ name }) => name === step.resource.name);
      const before = at < 0 ? resources : resources.slice(0, at);
      const missing = [...namesUsedBy(step.resource)].filter(
        (name) => !before.some((one) => one.name === name),
      );
      if (missing.length > 0 && needsAll(step.resource)) return undefined;
      const resource = missing.reduce(withoutName, step.resource);
      world.declare(
        stack,
        withoutMoved(world, stack, {
          ...resource,
          args: withoutMissing(world, resource.args),
        }),
      );
      return undefined;
    }
    case "remove":
      removeFrom(stack, step.name);
      return undefined;
    case "rename":
    case "rename with an alias":
      stack.program = renamed(stack.program, step);
      return undefined;
    case "take form":
      stack.program = { ...stack.program, form: step.form };
      return undefined;
    case "preview":
      return preview(world, stack, step.flags);
    case "up":
    case "refresh":
    case "destroy":
      return world.command(stack, step.do, step.flags, step.trouble);
    case "import": {
      const id = world.idOf(step.object);
      const others = [...world.stacks.values()].filter((one) => one !== stack);
      // Two stacks must not have the same object (docs/reliability.md).
      const isTaken = others.some(({ snapshot }) =>
        snapshot.resources.some((one) => one.id === id),
      );
      if (isTaken) return undefined;
      await world.import(stack, step.name, step.object);
      for (const one of others) dropMoved(world, one);
      return undefined;
    }
    case "state delete":
    case "state rename":
    case "state move": {
      const urn = urnInState(stack, step.name);
      if (!urn) return undefined;
      if (step.do === "state delete") world.forget(stack, urn);
      else if (step.do === "state rename") renameInState(stack, urn, step.to);
      else {
        world.move(stack, world.stack(step.to, form), urn);
        // The program must not adopt an object that another stack now has. Pulumi's
        // documentation says so, too.
        removeFrom(stack, step.name);
        dropMoved(world, stack);
      }
      return undefined;
    }
    case "make by hand":
      await world.make(step.label, step.kind, step.body);
      return undefined;
    case "edit by hand":
    case "delete by hand": {
      const object = objectOf(world, stack, step.object);
      if (!object) return undefined;
      const path = `/${COLLECTIONS[object.kind]}/${object.id}`;
      const call =
        step.do === "delete by hand"
          ? world.edit(object.region, "DELETE", path)
          : world.edit(object.region, "PATCH", path, step.body);
      await call.catch(() => undefined);
      return undefined;
    }
    case "write rules by hand": {
      const { region } = stack;
      const environment = world.service.defaultEnvironment(region);
      const found = stack.snapshot.resources.find(({ type }) =>
        type.endsWith(":FilteringRuleSet"),
      );
      const body = {
        environment: found?.id ?? environment,
        mode: "overwrite",
        rules: step.rules,
      };
      // The environment may be in another region, or deleted.
      await world
        .edit(region, "POST", "/filtering-rules/bulk", body)
        .catch(() => undefined);
      return undefined;
    }
  }
}

/**
 * Runs a preview. A preview with a refresh must succeed if a preview without it
 * succeeds, unless somebody has edited the workspace.
 */
async function preview(
  world: World,
  stack: Stack,
  { refresh, runProgram, ...flags }: Flags = {},
): Promise<Outcome> {
  const plain = await world.command(stack, "preview", flags);
  if (!refresh) return plain;
  const all = { ...flags, refresh, ...(runProgram && { runProgram }) };
  const outcome = await world.command(stack, "preview", all);
  if (plain.isOk && !outcome.isOk && !world.isStale)
    world.violations.push({
      wrong: "preview with a refresh fails",
      detail: outcome.printed,
    });
  return outcome;
}

/** The component that stories put resources into. */
const GROUP: Declaration = { name: "group", kind: "Group", args: {} };

/** Declares the component before everything else. */
function declareGroup(stack: Stack): void {
  const { resources } = stack.program;
  if (!resources.some(({ name }) => name === GROUP.name))
    stack.program = { ...stack.program, resources: [GROUP, ...resources] };
}

/** The names of a resource, and of the keys of a `RotatingApiKey`. */
function partsOf({ resources }: Program, name: string): string[] {
  const found = resources.find((one) => one.name === name);
  const keys = resources.filter(({ parent }) => parent === name);
  return found?.kind === "RotatingApiKey"
    ? [name, ...keys.map((key) => key.name)]
    : [name];
}

/** Whether a declaration means nothing without each of its arguments. */
const needsAll = ({ kind }: Declaration) =>
  kind === "DataSource" || kind === "WebhookVerification";

/**
 * Removes a resource from a program, with the data sources that read it, its
 * verification, and the references to it.
 */
function without(program: Program, name: string): Program {
  const isAsking = (one: Declaration) =>
    needsAll(one) && namesUsedBy(one).has(name);
  const resources = program.resources
    .filter((one) => one.name !== name && !isAsking(one))
    .map((one) => withoutName(one, name));
  return program.resources
    .filter(isAsking)
    .reduce<Program>((left, one) => without(left, one.name), {
      ...program,
      resources,
    });
}

/** Removes arguments that name an object that does not exist. */
function withoutMissing(world: World, args: Properties): Properties {
  const isMissing = (value: unknown): boolean => {
    if (typeof value !== "object" || value === null) return false;
    if ("object" in value)
      return world.idOf(String(value.object)) === NO_OBJECT;
    return Object.values(value).some(isMissing);
  };
  return Object.fromEntries(
    Object.entries(args).filter(([, value]) => !isMissing(value)),
  );
}

/** Removes a resource from a stack's program, with everything that belongs to it. */
function removeFrom(stack: Stack, name: string): void {
  stack.program = partsOf(stack.program, name).reduce(without, stack.program);
}

/** Removes adoptions of objects that another stack has from a program. */
function dropMoved(world: World, stack: Stack): void {
  stack.program = {
    ...stack.program,
    resources: stack.program.resources.map((one) =>
      withoutMoved(world, stack, one),
    ),
  };
}

/** A declaration without the adoption of an object that another stack has. */
function withoutMoved(
  world: World,
  stack: Stack,
  resource: Declaration,
): Declaration {
  const isTaken = [...world.stacks.values()].some(
    (one) => one !== stack && world.oracle.wants(resource, one),
  );
  if (!isTaken) return resource;
  const { adopt: _, ...args } = resource.args;
  return { ...resource, args };
}

function withoutName(resource: Declaration, name: string): Declaration {
  const { parent, deletedWith, ...others } = resource;
  const isIt = (value: unknown) =>
    typeof value === "object" &&
    value !== null &&
    (value as { ref?: string }).ref === name;
  return {
    ...others,
    args: Object.fromEntries(
      Object.entries(resource.args).filter(([, value]) => !isIt(value)),
    ),
    ...(parent !== undefined && parent !== name && { parent }),
    ...(deletedWith !== undefined && deletedWith !== name && { deletedWith }),
  };
}

function renamed(
  program: Program,
  step: Step & { readonly do: "rename" | "rename with an alias" },
): Program {
  const { name, to } = step;
  if (program.resources.some((one) => one.name === to)) return program;
  const text = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(text);
    if (typeof value !== "object" || value === null) return value;
    if ("ref" in value)
      return { ...value, ref: value.ref === name ? to : value.ref };
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, text(member)]),
    );
  };
  const resources = program.resources.map((one): Declaration => {
    const moved = {
      ...one,
      args: text(one.args) as Properties,
      ...(one.parent === name && { parent: to }),
      ...(one.deletedWith === name && { deletedWith: to }),
    };
    if (one.name !== name) return moved;
    return {
      ...moved,
      name: to,
      aliases: step.do === "rename" ? [] : [...(one.aliases ?? []), { name }],
    };
  });
  return { ...program, resources };
}

const urnInState = ({ snapshot }: Stack, name: string) =>
  snapshot.resources.find(
    (one) => one.urn.endsWith(`::${name}`) && !one.isDeleted,
  )?.urn;

function renameInState(stack: Stack, urn: string, to: string): void {
  const renamedUrn = urn.replace(/::[^:]*$/, `::${to}`);
  if (stack.snapshot.resources.some((one) => one.urn === renamedUrn)) return;
  const now = (one: string) => (one === urn ? renamedUrn : one);
  stack.snapshot = {
    pending: stack.snapshot.pending,
    resources: stack.snapshot.resources.map((one) => ({
      ...one,
      urn: now(one.urn),
      ...referencesOf(one, now),
    })),
  };
}

function objectOf(world: World, stack: Stack, label: string) {
  const made = world.handMade(label);
  if (made) return made;
  const resource = stack.snapshot.resources.find((one) =>
    one.urn.endsWith(`::${label}`),
  );
  const kind = resource?.type.split(":").at(-1) as Kind | undefined;
  return kind && COLLECTIONS[kind] !== undefined && resource
    ? { region: stack.region, kind, id: resource.id }
    : undefined;
}
