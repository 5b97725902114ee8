import { assertNever } from "../assert-never";
import { findHeader, parseIp, type RuleRequest } from "../language";
import { type Core, nodesOf } from "../core/core";
import { compileCore } from "../eval/compile-expression";
import { lengthOf } from "../language/text/text";
import { keptIn } from "../keeping-results";
import { onceFor } from "../once-for";
import {
  applyMapping,
  constantVariable,
  type ElementPredicate,
  type Formula,
  type Literal,
  type NumberVariable,
  type TextVariable,
} from "./formula";
import { addressNumber, includes } from "./integer-set";
import type { StepLimit } from "./step-limit";
import { passes } from "./text-domain";

/** Deepest formula that is evaluated. */
const MAX_DEPTH = 300;

const compiled = onceFor((node: Core) => compileCore(node));

/** A request as a model of formulas: the value that each variable has in it. */
export class Model {
  readonly #known = new Map<Formula, boolean | undefined>();
  readonly #texts = new Map<string, string | undefined>();
  readonly #numbers = new Map<string, bigint | undefined>();

  /** @param steps limits the work of evaluating formulas */
  constructor(
    readonly request: RuleRequest,
    private readonly steps: StepLimit,
  ) {}

  /** Whether a formula holds for the request; undefined if that is unknown. */
  evaluate(formula: Formula, depth = 0): boolean | undefined {
    this.steps.take();
    if (!("parts" in formula)) return this.#evaluateLiteral(formula);
    // Formulas share parts: evaluating each one anew would take exponential time.
    return keptIn(this.#known, formula, () =>
      depth > MAX_DEPTH
        ? undefined
        : formula.evaluate((part) => this.evaluate(part, depth + 1)),
    );
  }

  /** The value of a text; undefined if the request lacks it. */
  #text(variable: TextVariable): string | undefined {
    return keptIn(this.#texts, variable.key, () => this.#readText(variable));
  }

  /** The value of a number; undefined if it is unknown. */
  #number(variable: NumberVariable): bigint | undefined {
    return keptIn(this.#numbers, variable.key, () =>
      this.#readNumber(variable),
    );
  }

  #evaluateLiteral(literal: Literal): boolean | undefined {
    if (literal.kind === "number") {
      const number = this.#number(literal.variable);
      return number === undefined
        ? undefined
        : includes(literal.within, number);
    }
    const text = this.#text(literal.variable);
    if (text === undefined) return undefined;
    return passes(literal.test, text, this.steps) === literal.result;
  }

  #readText(variable: TextVariable): string | undefined {
    const { request } = this;
    switch (variable.what) {
      case "field": {
        const value = variable.field.read(request);
        return typeof value === "string" ? value : undefined;
      }
      case "element":
        return findHeader(request.headers, variable.header)?.at(variable.index);
      case "some":
        return findHeader(request.headers, variable.header)?.find((value) =>
          this.#meets(variable.exists.predicate, value),
        );
      case "mapped": {
        const text = this.#text(variable.of);
        return text === undefined ? undefined : applyMapping(variable.by, text);
      }
      case "constant":
        return variable.value;
      default:
        return assertNever(variable);
    }
  }

  #readNumber(variable: NumberVariable): bigint | undefined {
    const { request } = this;
    switch (variable.what) {
      case "ip": {
        const address =
          request.ip === undefined ? undefined : parseIp(request.ip);
        return address ? addressNumber(address) : -1n;
      }
      case "boolean":
        return variable.field.read(request) === true ? 1n : 0n;
      case "size":
        return BigInt(
          findHeader(request.headers, variable.header)?.length ?? -1,
        );
      case "length": {
        const text = this.#text(variable.of);
        return text === undefined ? undefined : BigInt(lengthOf(text));
      }
      case "exists":
        return this.#exists(variable.predicate);
      case "result":
        return this.#result(variable);
      default:
        return assertNever(variable);
    }
  }

  #exists(predicate: ElementPredicate): bigint | undefined {
    const values = findHeader(this.request.headers, predicate.header) ?? [];
    const said = values.map((value) => this.#meets(predicate, value));
    if (said.includes(true)) return 1n;
    return said.includes(undefined) ? undefined : 0n;
  }

  #meets(predicate: ElementPredicate, value: string): boolean | undefined {
    this.steps.take(predicate.steps);
    return this.evaluate(predicate.of(constantVariable(value)));
  }

  #result({
    node,
    isOfElement,
  }: Extract<NumberVariable, { what: "result" }>): bigint | undefined {
    if (isOfElement) return undefined;
    this.steps.take(nodesOf(node).length);
    const result = compiled(node).evaluate(this.request);
    if ("error" in result) return 2n;
    return result.value ? 1n : 0n;
  }
}
