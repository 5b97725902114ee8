import {
  checkExpression,
  compileExpression,
  eventAsRuleRequest,
  type CompiledExpression,
  type Rule,
} from "@devid/rules";
import { UsageError } from "../errors";
import { LARGEST_OUTPUT, readTextFile } from "../sources/rule-files";

/** How many past events a rule decided. */
export interface Hits {
  readonly decided: number;
  /** Events that it may have decided, depending on request data that events do not have. */
  readonly undetermined: number;
}

/** How many past events each rule of a file decided. */
export interface RuleHits {
  /** How many events were looked at. */
  readonly events: number;
  readonly of: ReadonlyMap<string, Hits>;
}

/**
 * Limit in milliseconds for deciding events, because hints are made after each edit.
 */
const WITHIN_MS = 100;

type PastRequest = ReturnType<typeof eventAsRuleRequest>;

/** Past events, as `devid events export` writes them. */
export class PastEvents {
  readonly #compiled = new Map<string, CompiledExpression | undefined>();

  private constructor(private readonly requests: readonly PastRequest[]) {}

  /** @throws UsageError if the file cannot be read, or a line is no event */
  static read(path: string): PastEvents {
    const lines = readTextFile(path, LARGEST_OUTPUT)
      .text.split("\n")
      .filter((line) => line.trim() !== "");
    return new PastEvents(
      lines.map((line, index) => {
        try {
          return eventAsRuleRequest(
            JSON.parse(line) as Parameters<typeof eventAsRuleRequest>[0],
          );
        } catch (error) {
          throw new UsageError(
            `${path} cannot be read as events: line ${index + 1} is not an event (${(error as Error).message}).`,
          );
        }
      }),
    );
  }

  hitsOf(rules: readonly Rule[]): RuleHits {
    const asked = rules.flatMap(({ name, status, expression }) => {
      const compiled = this.#compile(expression);
      return status === "disabled" || !compiled ? [] : [{ name, compiled }];
    });
    const hits = new Map(
      rules.map(({ name }) => [name, { decided: 0, undetermined: 0 }]),
    );
    const count = (name: string, what: keyof Hits) => {
      const of = hits.get(name);
      if (of) of[what]++;
    };
    const until = performance.now() + WITHIN_MS;
    let events = 0;
    for (const request of this.requests) {
      if (performance.now() > until) break;
      events++;
      const undetermined: string[] = [];
      for (const { name, compiled } of asked) {
        const found = compiled.evaluatePartly(request);
        if ("unknown" in found) undetermined.push(name);
        else if ("value" in found && found.value) {
          if (undetermined.length === 0) count(name, "decided");
          else undetermined.push(name);
          break;
        }
      }
      for (const name of undetermined) count(name, "undetermined");
    }
    return { events, of: hits };
  }

  #compile(source: string): CompiledExpression | undefined {
    if (!this.#compiled.has(source)) {
      const checked = checkExpression(source);
      this.#compiled.set(
        source,
        checked.ok ? compileExpression(checked.expression) : undefined,
      );
    }
    return this.#compiled.get(source);
  }
}
