import { DATA_SOURCE } from "../data-sources";
import type { Resource, Snapshot } from "../engine/resource";
import type { ProviderCall } from "../forms";
import { keyOf, type LiveObject, type LiveRule } from "../mirror";
import type { Exchange } from "../network";
import { urnOfDeclared, type Declaration } from "../program";
import type { Flags, Operation, Outcome, Stack, World } from "../world";
import { checkIgnored } from "./ignored-changes";
import { kindOf, type Memory } from "./memory";
import { checkDropped, checkOrphans, orphans } from "./orphans";
import { adopts, objectionTo } from "./permitted-calls";
import type { Secrets } from "./secrets";

/** The watched command. */
interface Command {
  readonly operation: Operation;
  readonly flags: Flags;
  readonly isTroubled: boolean;
}

/** Watches one command from its start to its end. */
export class Watch {
  readonly #calls: ProviderCall[] = [];
  /** The environments that a call left without rules, and the call. */
  readonly #emptied = new Map<string, string>();
  readonly #died: LiveObject[] = [];
  /** Environments whose rules are declared before and after, and had rules. */
  readonly #keptRules: readonly string[];
  readonly #records: ReadonlyMap<string, LiveObject>;
  readonly #rules: ReadonlyMap<string, readonly LiveRule[]>;
  readonly #states: ReadonlyMap<string, Snapshot>;

  constructor(
    private readonly memory: Memory,
    private readonly secrets: Secrets,
    private readonly stack: Stack,
    private readonly command: Command,
  ) {
    const { mirror, world } = memory;
    this.#keptRules = keptRuleSets(world, stack, command).filter(
      (environment) => mirror.rulesOf(environment).length > 0,
    );
    this.#records = new Map(mirror.objects);
    this.#rules = new Map(
      [...mirror.objects.values()]
        .filter(({ kind }) => kind === "Environment")
        .map(({ id }) => [id, mirror.rulesOf(id)] as const),
    );
    this.#states = new Map(
      [...world.stacks.values()].map((one) => [one.name, one.snapshot]),
    );
  }

  call(call: ProviderCall): void {
    this.#calls.push(call);
  }

  exchange(exchange: Exchange): void {
    const { memory, stack } = this;
    const { operation } = this.command;
    const { method, path, status } = exchange;
    if (method !== "GET" && exchange.by === DATA_SOURCE)
      memory.wrong(
        "foreign object changed",
        `a data source sent ${method} ${path}`,
      );
    if (method !== "GET" && status < 300) {
      if (operation === "preview" || operation === "refresh")
        memory.wrong(
          "foreign object changed",
          `a ${operation} sent ${method} ${path}`,
        );
      const objection = objectionTo(
        memory,
        stack,
        this.#states,
        exchange,
        this.#calls,
      );
      if (objection) memory.wrong("foreign object changed", objection);
    }
    this.#died.push(...memory.mirror.note(exchange, stack.name));
    if (method === "GET") return;
    this.secrets.learn();
    for (const environment of this.#keptRules)
      if (memory.mirror.rulesOf(environment).length === 0)
        this.#emptied.set(environment, `${method} ${path}`);
  }

  end(outcome: Outcome, before: Snapshot): void {
    const { memory, stack } = this;
    const { operation, isTroubled } = this.command;
    const { printed, steps, isEnded } = outcome;
    memory.printed += `${printed}\n`;
    const after = stack.snapshot;
    this.#noteRetained(before, after, outcome);
    this.#checkEmptied(after);
    if (isEnded && operation !== "refresh")
      for (const resource of before.resources)
        checkDropped(memory, resource, before, { ...outcome, isTroubled });
    this.#checkDied(before);
    this.secrets.check(stack, after, outcome);
    if (operation === "up") {
      this.#checkWanted(before, after);
      checkIgnored(
        memory,
        stack,
        before,
        after,
        outcome,
        this.#records,
        this.#rules,
      );
    }
    if (isTroubled) {
      for (const { kind, id } of orphans(memory))
        if (!this.#records.has(keyOf(kind, id)))
          memory.unclear.add(keyOf(kind, id));
    } else if (operation !== "preview") checkOrphans(memory, { stack, steps });
  }

  /**
   * Notes the objects that `retainOnDelete` keeps. No state has them any more. A destroy
   * that runs the program takes the option from the program.
   */
  #noteRetained(before: Snapshot, after: Snapshot, outcome: Outcome): void {
    const { operation, flags, program } = outcome;
    const declared =
      operation === "destroy" && flags.runProgram ? program.resources : [];
    const retained = new Set(
      declared
        .filter((one) => one.retainOnDelete)
        .map(({ name }) => outcome.urnOf(name)),
    );
    for (const resource of before.resources) {
      const kind = kindOf(resource);
      const isLeft = after.resources.some(
        ({ urn, id }) => urn === resource.urn && id === resource.id,
      );
      const isRetained = resource.retainOnDelete || retained.has(resource.urn);
      if (kind && isRetained && !isLeft)
        this.memory.released.add(keyOf(kind, resource.id));
    }
  }

  #checkEmptied({ resources }: Snapshot): void {
    for (const [environment, call] of this.#emptied)
      if (
        resources.some(
          (one) =>
            kindOf(one) === "FilteringRuleSet" &&
            one.id === environment &&
            !one.isDeleted,
        )
      )
        this.memory.wrong(
          "rules in force empty",
          `${call} left environment ${environment} without rules`,
        );
  }

  /**
   * Checks that every deleted object is in no state, or was deleted by its own
   * resource.
   */
  #checkDied(before: Snapshot): void {
    for (const { kind, id, region } of this.#died)
      for (const other of this.memory.world.stacks.values())
        for (const resource of other.snapshot.resources) {
          const isIt =
            kindOf(resource) === kind &&
            resource.id === id &&
            !resource.isDeleted &&
            !resource.isPendingReplacement;
          const isAsked =
            other === this.stack &&
            (this.#destroys(resource) ||
              this.#calls.some(
                ({ method, urn }) =>
                  method === "delete" && urn === resource.urn,
              ));
          if (!isIt || isAsked) continue;
          if (this.#isOfOtherProcess({ kind, id }, resource.provider, before))
            this.memory.lostToOthers.add(keyOf(kind, id));
          else
            this.memory.wrong(
              "declared object deleted",
              `${kind} ${id} (${region}) of ${resource.urn}`,
            );
        }
  }

  /**
   * Whether the command should delete the object of a resource, even if the command is
   * cut off before.
   */
  #destroys({ protect, retainOnDelete, deletedWith }: Resource): boolean {
    const { operation, flags } = this.command;
    const isWhole = !flags.target && !flags.exclude;
    const isKept = protect || retainOnDelete || deletedWith !== undefined;
    return operation === "destroy" && isWhole && !isKept;
  }

  /**
   * Whether an object was deleted by a resource of another provider than the resource
   * that has it. The two provider processes do not know of each other.
   */
  #isOfOtherProcess(
    { kind, id }: Pick<LiveObject, "kind" | "id">,
    provider: string,
    { resources }: Snapshot,
  ): boolean {
    return resources.some(
      (one) =>
        kindOf(one) === kind &&
        one.id === id &&
        one.provider !== provider &&
        this.#calls.some(
          ({ method, urn }) => method === "delete" && urn === one.urn,
        ),
    );
  }

  /** Checks that no deleted object was to be adopted by a new resource. */
  #checkWanted(before: Snapshot, after: Snapshot): void {
    const { name, program } = this.stack;
    const urns = program.resources.map((one) => ({
      declaration: one,
      urn: urnOfDeclared(program, name, one.name),
    }));
    // A resource that is still declared may replace its own object, even if another
    // resource wants to adopt it.
    const isReplaced = ({ kind, id }: LiveObject) =>
      before.resources.some(
        (one) =>
          kindOf(one) === kind &&
          one.id === id &&
          urns.some(({ urn }) => urn === one.urn),
      );
    // The key of the default environment never dies: nobody can delete that environment.
    const isOfDefault = ({ kind, args }: Declaration) =>
      kind === "EncryptionKey" && args.environment === undefined;
    for (const object of this.#died)
      for (const { declaration, urn } of urns)
        if (
          adopts(this.memory, declaration, object) &&
          !isOfDefault(declaration) &&
          !isReplaced(object) &&
          !this.#isOfOtherProcess(
            object,
            `${program.form}:${declaration.provider ?? ""}`,
            before,
          ) &&
          !after.resources.some((one) => one.urn === urn)
        )
          this.memory.wrong(
            "declared object deleted",
            `${object.kind} ${object.id}, which ${declaration.name} is to adopt`,
          );
  }
}

/** Environments whose rules a stack declares before and after a command. */
function keptRuleSets(
  world: World,
  { name, program, snapshot }: Stack,
  { operation, flags }: Command,
): string[] {
  // A rule set is replaced with its environment. The `replace` flag may name either.
  const isReplaced = ["rules", "env"].some((one) =>
    flags.replace?.includes(one),
  );
  if (operation === "destroy" || isReplaced) return [];
  const inState = (name: string) =>
    snapshot.resources.find(({ urn }) => urn.endsWith(`::${name}`))?.id;
  return program.resources.flatMap((declared) => {
    const { kind, args } = declared;
    if (kind !== "FilteringRuleSet" || (args.rules as unknown[]).length === 0)
      return [];
    const urn = urnOfDeclared(program, name, declared.name);
    const { environment } = args as { environment?: { ref?: string } };
    // A rule set that goes to another environment leaves its old one without rules.
    const place = environment?.ref
      ? (inState(environment.ref) ?? "one that is to be made")
      : world.valueOf(environment);
    return snapshot.resources
      .filter((one) => kindOf(one) === kind && one.urn === urn)
      .map(({ id }) => id)
      .filter((id) => place === undefined || place === id);
  });
}
