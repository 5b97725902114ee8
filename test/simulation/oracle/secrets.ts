import { secretsOfRecord } from "../kinds";
import type { Snapshot } from "../engine/resource";
import { masked } from "../engine/property-value";
import { urnOfDeclared } from "../program";
import { secretsOf, stateText } from "../snapshot";
import type { Outcome, Stack } from "../world";
import type { Memory } from "./memory";

/** The texts that must not be shown. */
export class Secrets {
  readonly #secrets = new Set<string>();
  readonly #arguments = new Set<string>();

  constructor(private readonly memory: Memory) {}

  /** Copies the texts of another list. */
  take(other: Secrets): void {
    for (const one of other.#secrets) this.#secrets.add(one);
    for (const one of other.#arguments) this.#arguments.add(one);
  }

  /** Adds a text that must not be shown. */
  add(text: string): void {
    if (text.length >= 8) this.#secrets.add(text);
  }

  /**
   * Remembers the values that a program marks as secret. For an address, this includes
   * its path.
   */
  learnArguments(value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    const { secret } = value as { readonly secret?: unknown };
    if (typeof secret === "string")
      for (const part of [secret, ...secret.split("/")])
        if (!part.includes(".example") || part === secret)
          this.#addArgument(part);
    for (const member of Object.values(value)) this.learnArguments(member);
  }

  #addArgument(text: string): void {
    if (text.length >= 8) this.#arguments.add(text);
    this.add(text);
  }

  /** Learns the secrets of the service. */
  learn(): void {
    for (const { kind, record } of this.memory.mirror.objects.values()) {
      // A page shows the token of a public key to everybody.
      if (kind === "ApiKey" && record.type === "public") continue;
      for (const [, secret] of secretsOfRecord(kind, record)) this.add(secret);
    }
  }

  /**
   * Checks that a command neither prints a secret nor leaves a secret in plain text in
   * the state.
   */
  check(
    stack: Stack,
    after: Snapshot,
    { printed, answers }: Pick<Outcome, "printed" | "answers">,
  ): void {
    for (const one of secretsOf(after)) this.add(one);
    if (this.#showsArgument(stack))
      this.memory.wrong(
        "secret plain in state",
        "a secret argument is not encrypted",
      );
    // A program may put the answers of data sources into its outputs.
    const text = stateText(after) + JSON.stringify(masked(answers));
    for (const secret of this.#secrets) {
      if (printed.includes(secret))
        this.memory.wrong(
          "secret printed",
          lineWith(printed, secret).replaceAll(secret, "***"),
        );
      // Without its declaration, a resource does not mark its address as secret.
      if (text.includes(secret) && !this.#arguments.has(secret))
        this.memory.wrong(
          "secret plain in state",
          "a secret is not encrypted in the state",
        );
    }
  }

  /** Whether the state has an argument in plain text that the program marks as secret. */
  #showsArgument({ name, program, snapshot }: Stack): boolean {
    const marked = program.resources
      .filter(({ args }) => JSON.stringify(args).includes('"secret":'))
      .map((one) => urnOfDeclared(program, name, one.name));
    const own = snapshot.resources.filter(
      ({ urn, isDeleted }) => marked.includes(urn) && !isDeleted,
    );
    const text = stateText({ resources: own, pending: [] });
    return [...this.#arguments].some((secret) => text.includes(secret));
  }
}

const lineWith = (text: string, part: string) =>
  text.split("\n").find((line) => line.includes(part)) ?? "";
