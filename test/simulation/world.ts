import { askInProgram, DATA_SOURCE } from "./data-sources";
import type { ProcessParts } from "./dynamic-provider";
import { Deployment } from "./engine/deployment";
import type { DeploymentOptions } from "./engine/engine-host";
import type { Properties } from "./engine/property-value";
import type { Provider } from "./engine/provider";
import { resourceOf } from "./engine/step-generator";
import { HostError } from "../helpers/protocol-provider";
import {
  markSecrets,
  urnOf,
  withoutReferencesTo,
  type Snapshot,
} from "./engine/resource";
import {
  additionalSecretOutputs,
  dynamicProperties,
  startPlugin,
  startProvider,
  type ProviderCall,
} from "./forms";
import type { Form } from "../helpers/program-form";
import {
  Network,
  ProcessLife,
  type Effect,
  type Exchange,
  type Trouble,
} from "./network";
import { Oracle } from "./oracle/oracle";
import type { Violation } from "./oracle/violation";
import {
  runProgram,
  typeOf,
  urnOfDeclared,
  expanded,
  type Declaration,
  type Kind,
  type Place,
  type Program,
} from "./program";
import { SeededRandom } from "../bench/seeded-random";
import { COLLECTIONS } from "./kinds";
import type { InProcessService, StoryRegion } from "./service";
import type { VirtualTime } from "./virtual-time";

/** A stack: its program and its state. */
export interface Stack {
  readonly name: string;
  region: StoryRegion;
  program: Program;
  snapshot: Snapshot;
}

/** The commands of the engine. */
export type Operation = "up" | "preview" | "refresh" | "destroy";

/** The flags of a command; resources are named by their names. */
export interface Flags {
  readonly target?: readonly string[];
  readonly targetDependents?: boolean;
  readonly exclude?: readonly string[];
  readonly replace?: readonly string[];
  readonly refresh?: boolean;
  /** `--run-program`: of an update, only together with `refresh`. */
  readonly runProgram?: boolean;
  readonly continueOnError?: boolean;
}

/** The result of a command. */
export interface Outcome {
  readonly operation: Operation;
  readonly flags: Flags;
  readonly program: Program;
  /** The URN of a resource by its name. */
  urnOf(name: string): string;
  readonly isOk: boolean;
  /** Whether the command ended without being killed. */
  readonly isEnded: boolean;
  readonly printed: string;
  readonly effects: readonly Effect[];
  readonly exchanges: readonly Exchange[];
  readonly steps: readonly { readonly op: string; readonly urn: string }[];
  readonly calls: readonly ProviderCall[];
  /** The answers of data sources, which the program may show as outputs. */
  readonly answers: readonly Properties[];
}

/** The ID for a label that nothing has. */
export const NO_OBJECT = "no_such_object";

/** An object that somebody made by hand. */
interface HandMade {
  readonly region: StoryRegion;
  readonly kind: Kind;
  readonly id: string;
}

const EMPTY: Snapshot = { resources: [], pending: [] };

/** The stacks of a story, the people who edit its workspaces, and what has happened. */
export class World {
  readonly stacks = new Map<string, Stack>();
  readonly oracle: Oracle;
  readonly violations: Violation[] = [];
  readonly #handMade = new Map<string, HandMade>();
  #commands = 0;
  #isStale = false;

  constructor(
    readonly service: InProcessService,
    readonly time: VirtualTime,
    readonly seed: number,
  ) {
    this.oracle = new Oracle(this);
  }

  /** Starts with an empty workspace. */
  static async open(
    service: InProcessService,
    time: VirtualTime,
    seed: number,
  ): Promise<World> {
    time.install(randomOf(seed));
    const world = new World(service, time, seed);
    service.returnTo("first start");
    await world.quietly(() => world.oracle.begin());
    return world;
  }

  /** A second world with the same past. The service must be in the same state. */
  copy(): World {
    this.time.install(randomOf(this.seed));
    const world = new World(this.service, this.time, this.seed);
    for (const [name, stack] of this.stacks)
      world.stacks.set(name, { ...stack });
    for (const [label, object] of this.#handMade)
      world.#handMade.set(label, object);
    world.#commands = this.#commands;
    world.#isStale = this.#isStale;
    world.oracle.take(this.oracle);
    return world;
  }

  /** Does work of people or of the test itself. Time passes as needed. */
  quietly<T>(work: () => Promise<T>): Promise<T> {
    return this.time.run(work());
  }

  stack(name: string, form: Form = "dynamic"): Stack {
    let stack = this.stacks.get(name);
    if (!stack) {
      stack = {
        name,
        region: "us",
        program: { form, resources: [] },
        snapshot: EMPTY,
      };
      this.stacks.set(name, stack);
    }
    return stack;
  }

  /**
   * Whether a state may have objects that do not exist: somebody has edited a
   * workspace, or a delete was cut off.
   */
  get isStale(): boolean {
    return this.#isStale;
  }

  /** The ID of an object by its label, or by the name of a resource that is in a state. */
  idOf(label: string): string {
    const { receivers } = this.service;
    if (label in receivers) return receivers[label as keyof typeof receivers];
    const states = [...this.stacks.values()].flatMap(
      ({ snapshot }) => snapshot.resources,
    );
    const ofResource = states.find(({ urn }) => urn.endsWith(`::${label}`));
    return this.#handMade.get(label)?.id ?? ofResource?.id ?? NO_OBJECT;
  }

  /** The value of an argument that is neither a list nor an object. */
  valueOf(given: unknown): unknown {
    if (typeof given !== "object" || given === null) return given;
    if ("secret" in given) return given.secret;
    return "object" in given ? this.idOf(String(given.object)) : given;
  }

  /** The object that a label names. */
  handMade(label: string): HandMade | undefined {
    return this.#handMade.get(label);
  }

  /** Makes an object as a person by hand. */
  async make(label: string, kind: Kind, body: Properties): Promise<void> {
    const region = "us";
    const path = `/${COLLECTIONS[kind]}`;
    const given = Object.entries(body).map(([name, value]) => [
      name,
      this.valueOf(value),
    ]);
    const sent = Object.fromEntries(given) as Properties;
    const made = (await this.#byHand(region, "POST", path, sent)) as {
      readonly id: string;
    };
    this.#handMade.set(label, { region, kind, id: made.id });
  }

  /** Makes a call as a person by hand. */
  async edit(
    region: StoryRegion,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<unknown> {
    this.#isStale = true;
    return this.#byHand(region, method, path, body);
  }

  async #byHand(
    region: StoryRegion,
    method: string,
    path: string,
    body: unknown,
  ): Promise<unknown> {
    const data = await this.quietly(() =>
      this.service.call(region, method, path, body),
    );
    this.oracle.peopleDid({
      by: "somebody",
      ...{ region, method, path, body },
      status: 200,
      answer: { data },
    });
    return data;
  }

  /** Runs a command on a stack, and checks its effects. */
  async command(
    stack: Stack,
    operation: Operation,
    flags: Flags = {},
    trouble?: Trouble,
  ): Promise<Outcome> {
    const printed: string[] = [];
    const steps: { op: string; urn: string }[] = [];
    const calls: ProviderCall[] = [];
    const random = randomOf(this.seed * 1_000 + this.#commands++);
    const before = stack.snapshot;
    const judge = this.oracle.watch(
      stack,
      operation,
      flags,
      trouble !== undefined,
    );
    const network = new Network(
      this.service,
      this.time,
      random,
      trouble,
      (exchange) => judge.exchange(exchange),
    );
    const lives: ProcessLife[] = [];
    const providers = new Map<string, Provider>();
    const parts = (name: string, by = stack.name) => {
      const life = new ProcessLife();
      lives.push(life);
      const region = name === "eu" || name === "us" ? name : stack.region;
      return {
        life,
        settings: this.#settingsOf(region),
        providerName: name === "" ? undefined : name,
        fetch: network.fetchOf(by, region, life),
        log: (severity: string, text: string, urn?: string) => {
          printed.push(`${severity}: ${text}${urn ? ` (${urn})` : ""}`);
          return Promise.resolve();
        },
        stderr: (text: string) => printed.push(text),
      };
    };
    const provider = (reference: string): Provider => {
      const known = providers.get(reference);
      if (known) return known;
      const [form = "dynamic", name = ""] = reference.split(":");
      const { life, ...own } = parts(name);
      const started = startProvider(form as Form, own);
      const watched = mortal(started, life, (call) => {
        calls.push(call);
        judge.call(call);
      });
      providers.set(reference, watched);
      return watched;
    };
    const answers: Properties[] = [];
    // A process of its own shows which calls the data source makes.
    const ask: Place["ask"] = async (form, name, args, providerName) => {
      const { life, ...own } = parts(providerName, DATA_SOURCE);
      const died = life.death.then(() => {
        throw new Error(`The process that asks ${name} was killed.`);
      });
      died.catch(() => undefined);
      const answer = await Promise.race([
        form === "dynamic"
          ? askInProgram(own, name, args)
          : askPlugin(own, name, args),
        died,
      ]);
      answers.push(answer);
      return answer;
    };
    const mayDie = trouble?.kind === "crash" && trouble.victim === "engine";
    let last: (() => Snapshot) | undefined;
    const deployment = new Deployment(
      stack.name,
      before,
      this.#optionsOf(stack, operation, flags),
      {
        provider,
        save: (snapshot) =>
          network.checkpoint(() => {
            // Only a killed engine leaves another state than the last written one.
            if (mayDie) stack.snapshot = snapshot();
            else last = snapshot;
          }),
        print: (text, urn) => printed.push(urn ? `${text} (${urn})` : text),
        onStep: (op, urn) => steps.push({ op, urn }),
      },
    );
    const inState = new Set(
      before.resources
        .filter(({ isDeleted }) => !isDeleted)
        .map(({ urn }) => urn),
    );
    const program =
      operation === "up" || operation === "preview" || flags.runProgram
        ? runProgram(stack.program, {
            stack: stack.name,
            inState,
            idOf: (label) => this.idOf(label),
            ask,
          })
        : undefined;
    void network.interrupt.then(async () => {
      deployment.cancel();
      for (const one of providers.values()) await one.cancel();
    });
    const ran = deployment.run(program);
    ran.catch(() => undefined);
    const isOk = await this.time.run(
      Promise.race([ran, network.engineDeath.then(() => undefined)]),
    );
    if (last) stack.snapshot = last();
    for (const life of lives) life.kill();
    this.time.dropTimers();
    // `urnOf` may be called later, when the stack has another program.
    const declared = stack.program;
    const outcome: Outcome = {
      operation,
      flags,
      program: declared,
      urnOf: (name) => urnsOf(declared, stack.name, before, [name])[0] ?? "",
      isOk: isOk === true,
      isEnded: isOk !== undefined,
      printed: printed.join("\n"),
      effects: network.effects,
      exchanges: network.exchanges,
      steps,
      calls,
      answers,
    };
    this.#isStale ||=
      trouble !== undefined && calls.some(({ method }) => method === "delete");
    judge.end(outcome, before);
    return outcome;
  }

  #settingsOf(region: StoryRegion) {
    return {
      endpoint: this.service.url,
      managementKey: this.service.managementKey(region),
      region,
      requestsPerSecond: "100000",
    };
  }

  /** Adds a declaration, or replaces the declaration with the same name. */
  declare(stack: Stack, declaration: Declaration): void {
    this.oracle.learnArguments(declaration.args);
    const { resources } = stack.program;
    const declared = expanded(declaration);
    const isPart = ({ name, parent }: Declaration) =>
      name === declaration.name ||
      (declaration.kind === "RotatingApiKey" && parent === declaration.name);
    const at = resources.findIndex(isPart);
    stack.program = {
      ...stack.program,
      resources:
        at < 0
          ? [...resources, ...declared]
          : [
              ...resources.slice(0, at),
              ...declared,
              ...resources.slice(at).filter((one) => !isPart(one)),
            ],
    };
  }

  /**
   * Imports an object into the state, as `pulumi import` does. The program may declare
   * it afterwards.
   */
  async import(stack: Stack, name: string, label: string): Promise<boolean> {
    const object = this.#handMade.get(label);
    if (!object) return false;
    const { form } = stack.program;
    const type = typeOf(form, object.kind);
    const urn = urnOf(stack.name, undefined, type, name);
    if (stack.snapshot.resources.some((one) => one.urn === urn)) return false;
    const network = new Network(
      this.service,
      this.time,
      randomOf(this.seed * 1_000 + this.#commands++),
      undefined,
      () => undefined,
    );
    const provider = startProvider(form, {
      settings: this.#settingsOf(object.region),
      fetch: network.fetchOf(stack.name, object.region, new ProcessLife()),
      log: () => Promise.resolve(),
      stderr: () => undefined,
    });
    const own = form === "dynamic" ? dynamicProperties(object.kind, []) : {};
    const imported = await this.time.run(
      (async () => {
        const read = await provider
          .read({ urn, id: object.id })
          .catch((error: unknown) => {
            // Somebody has deleted the object.
            if (error instanceof HostError) return undefined;
            throw error;
          });
        if (!read) return undefined;
        const inputs = read.inputs ?? {};
        const news = { ...inputs, ...own };
        await provider.check({ urn, news, olds: inputs, isPreview: false });
        return { ...read, inputs };
      })(),
    );
    this.time.dropTimers();
    if (!imported) return false;
    const inputs = { ...imported.inputs, ...own };
    const goal = {
      ...{ type, name, isCustom: true, parent: undefined, properties: inputs },
      ...{ dependencies: [], propertyDependencies: {}, aliases: [] },
      provider: `${form}:`,
      additionalSecretOutputs: additionalSecretOutputs(form, object.kind),
      ...{ protect: false, retainOnDelete: false, deletedWith: undefined },
      ...{ ignoreChanges: [], replaceOnChanges: [] },
    };
    const resource = resourceOf(goal, urn, inputs);
    resource.id = imported.id;
    resource.outputs = { ...imported.outputs, ...own };
    markSecrets(resource);
    stack.snapshot = {
      ...stack.snapshot,
      resources: [...stack.snapshot.resources, resource],
    };
    return true;
  }

  /**
   * Removes a resource from the state only, as `pulumi state delete` does. Like Pulumi
   * without a terminal, it refuses a URN with an object that waits for its deletion.
   */
  forget(stack: Stack, urn: string): void {
    const { resources, pending } = stack.snapshot;
    const [found, ...others] = resources.filter((one) => one.urn === urn);
    if (others.length > 0) return;
    this.oracle.released(found);
    stack.snapshot = {
      pending,
      resources: resources
        .filter((one) => one.urn !== urn)
        .map((one) => withoutReferencesTo(one, urn)),
    };
  }

  /** Moves a resource to the state of another stack, as `pulumi state move` does. */
  move(from: Stack, to: Stack, urn: string): void {
    const moved = from.snapshot.resources.find((one) => one.urn === urn);
    if (!moved) return;
    from.snapshot = {
      ...from.snapshot,
      resources: from.snapshot.resources
        .filter((one) => one !== moved)
        .map((one) => withoutReferencesTo(one, urn)),
    };
    to.snapshot = {
      ...to.snapshot,
      resources: [
        ...to.snapshot.resources,
        {
          ...moved,
          urn: urn.replace(
            `urn:pulumi:${from.name}::`,
            `urn:pulumi:${to.name}::`,
          ),
          parent: undefined,
          deletedWith: undefined,
          dependencies: [],
          propertyDependencies: {},
        },
      ],
    };
  }

  #optionsOf(
    { name, program, snapshot }: Stack,
    operation: Operation,
    flags: Flags,
  ): DeploymentOptions {
    // The engine refuses a flag with an unknown name before the command begins.
    const urns = (names: readonly string[] = []) => {
      const found = urnsOf(program, name, snapshot, names);
      return found.length > 0 ? found : undefined;
    };
    return {
      isPreview: operation === "preview",
      isDestroy: operation === "destroy",
      runsProgram: flags.runProgram === true,
      refresh:
        operation === "refresh" ? "only" : flags.refresh ? "first" : undefined,
      continueOnError: flags.continueOnError === true,
      targets: urns(flags.target),
      excludes: urns(flags.exclude),
      replaces: operation === "destroy" ? undefined : urns(flags.replace),
      targetDependents: flags.targetDependents === true,
    };
  }
}

/** The URNs of resources by name: from the program, otherwise from the state. */
const urnsOf = (
  program: Program,
  stack: string,
  { resources }: Snapshot,
  names: readonly string[],
): string[] =>
  names.flatMap((name) =>
    program.resources.some((declared) => declared.name === name)
      ? [urnOfDeclared(program, stack, name)]
      : resources
          .filter(({ urn }) => urn.endsWith(`::${name}`))
          .map(({ urn }) => urn)
          .slice(0, 1),
  );

/** Calls a data source in a plugin process of its own. */
async function askPlugin(
  parts: ProcessParts,
  name: string,
  args: Properties,
): Promise<Properties> {
  const { result, failures } = await startPlugin(parts).invoke(name, args);
  const [failure] = failures;
  if (failure) throw new HostError(`${failure.property} ${failure.reason}`);
  return result;
}

/** A provider whose calls fail once its process is dead. */
function mortal(
  provider: Provider,
  life: ProcessLife,
  record: (call: ProviderCall) => void,
): Provider {
  const call =
    <Request extends { readonly urn: string }, Answer>(
      method: string,
      work: (request: Request) => Promise<Answer>,
    ) =>
    (request: Request): Promise<Answer> => {
      record({ method, urn: request.urn, request });
      const dead = life.death.then(() => {
        throw new HostError("error reading from server: EOF");
      });
      dead.catch(() => undefined);
      return Promise.race([work(request), dead]);
    };
  return {
    supportsPreview: provider.supportsPreview,
    check: call("check", (one) => provider.check(one)),
    diff: call("diff", (one) => provider.diff(one)),
    create: call("create", (one) => provider.create(one)),
    read: call("read", (one) => provider.read(one)),
    update: call("update", (one) => provider.update(one)),
    delete: call("delete", (one) => provider.delete(one)),
    cancel: () => provider.cancel(),
  };
}

/** Numbers in [0, 1) that depend on a seed alone. */
function randomOf(seed: number): () => number {
  const random = new SeededRandom(seed);
  return () => random.next();
}
