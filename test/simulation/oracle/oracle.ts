import type { Resource } from "../engine/resource";
import { keyOf } from "../mirror";
import type { Exchange } from "../network";
import type { Declaration } from "../program";
import type { Flags, Operation, Outcome, Stack, World } from "../world";
import { checkDeclared } from "./as-declared";
import { kindOf, Memory } from "./memory";
import { checkOrphans } from "./orphans";
import { adopts } from "./permitted-calls";
import { Secrets } from "./secrets";
import { Watch } from "./watch";

/**
 * Finds violations in a story. It knows the answers of the service and the actions of
 * the people in the story, and nothing of the provider's code.
 */
export class Oracle {
  readonly #memory: Memory;
  readonly #secrets: Secrets;

  constructor(private readonly world: World) {
    this.#memory = new Memory(world);
    this.#secrets = new Secrets(this.#memory);
  }

  async begin(): Promise<void> {
    await this.#memory.mirror.begin();
    for (const region of ["us", "eu"] as const)
      this.#secrets.add(this.world.service.managementKey(region));
    this.#secrets.learn();
  }

  /** Copies the knowledge of another oracle. */
  take(other: Oracle): void {
    this.#memory.take(other.#memory);
    this.#secrets.take(other.#secrets);
  }

  /** Notes a successful call that somebody made by hand. */
  peopleDid(exchange: Exchange): void {
    const { mirror, switchedByPeople } = this.#memory;
    const before = new Map(mirror.objects);
    mirror.note(exchange, undefined);
    this.#secrets.learn();
    for (const [key, { kind, record }] of mirror.objects)
      if (
        kind === "EncryptionKey" &&
        before.has(key) &&
        before.get(key)?.record.status !== record.status
      )
        switchedByPeople.add(key);
  }

  /** Notes that a resource was removed from a state on purpose. */
  released(resource: Resource | undefined): void {
    const kind = resource && kindOf(resource);
    if (kind) this.#memory.released.add(keyOf(kind, resource.id));
  }

  /** Whether a declaration takes over an object of a stack. */
  wants(declaration: Declaration, { snapshot }: Stack): boolean {
    return snapshot.resources.some((resource) => {
      const kind = kindOf(resource);
      const object = kind && this.#memory.mirror.object(kind, resource.id);
      return object !== undefined && adopts(this.#memory, declaration, object);
    });
  }

  /** The memory of the oracle as a plain value. */
  get remembered(): unknown {
    return this.#memory.whole;
  }

  /** Remembers the values that a program marks as secret. */
  learnArguments(value: unknown): void {
    this.#secrets.learnArguments(value);
  }

  /** Watches a command from its start. */
  watch(
    stack: Stack,
    operation: Operation,
    flags: Flags,
    isTroubled: boolean,
  ): Watch {
    return new Watch(this.#memory, this.#secrets, stack, {
      operation,
      flags,
      isTroubled,
    });
  }

  /** Checks that no object that a program made is forgotten. */
  checkOrphans(ended?: {
    readonly stack: Stack;
    readonly steps: Outcome["steps"];
  }): void {
    checkOrphans(this.#memory, ended);
  }

  /** Checks that after success, the declared objects exist and no others. */
  checkDeclared(stack: Stack): void {
    checkDeclared(this.#memory, stack);
  }
}
