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
 * Says what of a story must not have happened. It knows of the service what its answers
 * and the people of the story tell, and nothing of the provider's code.
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

  /** Somebody made a call by hand, and it went well. */
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

  /** A resource was taken out of a state on purpose. */
  released(resource: Resource | undefined): void {
    const kind = resource && kindOf(resource);
    if (kind) this.#memory.released.add(keyOf(kind, resource.id));
  }

  /** Whether a declaration says that it takes over what a stack has. */
  wants(declaration: Declaration, { snapshot }: Stack): boolean {
    return snapshot.resources.some((resource) => {
      const kind = kindOf(resource);
      const object = kind && this.#memory.mirror.object(kind, resource.id);
      return object !== undefined && adopts(this.#memory, declaration, object);
    });
  }

  /** Everything that it remembers, as a plain value. */
  get remembered(): unknown {
    return this.#memory.whole;
  }

  /** Remembers what a program marks as secret. */
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

  /** No object that a program made may be forgotten. */
  checkOrphans(ended?: {
    readonly stack: Stack;
    readonly steps: Outcome["steps"];
  }): void {
    checkOrphans(this.#memory, ended);
  }

  /** What is left when everything went well: what is declared, and nothing else. */
  checkDeclared(stack: Stack): void {
    checkDeclared(this.#memory, stack);
  }
}
