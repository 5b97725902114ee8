import { assertNever } from "../assert-never";
import {
  compileExpression,
  findHeader,
  parseIp,
  type CompiledExpression,
  type Node,
  type RuleRequest,
} from "../language";
import { platformOf } from "../language/tables/fields";
import { lengthOf } from "../language/text/text";
import { applyChange, areRelated } from "./atoms";
import {
  constantSubject,
  type ElementCondition,
  type Formula,
  type Junction,
  type Literal,
  type NumberSubject,
  type TextSubject,
} from "./formula";
import { addressNumber, includes } from "./integer-set";
import { passes } from "./text-domain";

/** Deepest formula that is followed. */
const MAX_DEPTH = 300;

const compiled = new WeakMap<Node, CompiledExpression>();

/** Says what a request makes of formulas. */
export class RequestReader {
  readonly #known = new Map<Formula, boolean | undefined>();
  readonly #texts = new Map<string, string | undefined>();
  readonly #numbers = new Map<string, bigint | undefined>();

  constructor(readonly request: RuleRequest) {}

  /** Whether a formula holds; undefined where that cannot be told. */
  says(formula: Formula, depth = 0): boolean | undefined {
    if (formula.kind === "constant") return formula.value;
    if (!("parts" in formula)) return this.#saysLiteral(formula);
    // Parts are shared: without this, looking into all takes forever.
    if (this.#known.has(formula)) return this.#known.get(formula);
    const said =
      depth > MAX_DEPTH ? undefined : this.#saysJunction(formula, depth);
    this.#known.set(formula, said);
    return said;
  }

  /** A text of the request; undefined where it has none. */
  text(subject: TextSubject): string | undefined {
    const { key } = subject;
    if (!this.#texts.has(key)) this.#texts.set(key, this.#readText(subject));
    return this.#texts.get(key);
  }

  /** A number of the request; undefined where it cannot be told. */
  number(subject: NumberSubject): bigint | undefined {
    const { key } = subject;
    if (!this.#numbers.has(key))
      this.#numbers.set(key, this.#readNumber(subject));
    return this.#numbers.get(key);
  }

  #saysJunction({ kind, parts }: Junction, depth: number): boolean | undefined {
    const deciding = kind === "or";
    let isKnown = true;
    for (const part of parts) {
      const said = this.says(part, depth + 1);
      if (said === deciding) return deciding;
      if (said === undefined) isKnown = false;
    }
    return isKnown ? !deciding : undefined;
  }

  #saysLiteral(literal: Literal): boolean | undefined {
    if (literal.kind === "number") {
      const number = this.number(literal.subject);
      return number === undefined
        ? undefined
        : includes(literal.within, number);
    }
    const text = this.text(literal.subject);
    return text === undefined
      ? undefined
      : passes(literal.test, text) === literal.result;
  }

  #readText(subject: TextSubject): string | undefined {
    const { request } = this;
    switch (subject.what) {
      case "field":
        return subject.field === "sdkPlatform"
          ? platformOf(request)
          : (request[subject.field] ?? "");
      case "element":
        return findHeader(request.headers, subject.header)?.at(subject.index);
      case "some":
        return findHeader(request.headers, subject.header)?.find((value) =>
          subject.exists.what === "exists"
            ? subject.exists.condition.says(value)
            : false,
        );
      case "changed": {
        const text = this.text(subject.of);
        return text === undefined ? undefined : applyChange(subject.by, text);
      }
      case "constant":
        return subject.value;
      default:
        return assertNever(subject);
    }
  }

  #readNumber(subject: NumberSubject): bigint | undefined {
    const { request } = this;
    switch (subject.what) {
      case "ip": {
        const address =
          request.ip === undefined ? undefined : parseIp(request.ip);
        return address ? addressNumber(address) : -1n;
      }
      case "flag":
        return request[subject.field] ? 1n : 0n;
      case "headers":
        return BigInt(Object.keys(request.headers).length);
      case "size":
        return BigInt(
          findHeader(request.headers, subject.header)?.length ?? -1,
        );
      case "length": {
        const text = this.text(subject.of);
        return text === undefined ? undefined : BigInt(lengthOf(text));
      }
      case "relation": {
        const [a, b] = [this.text(subject.left), this.text(subject.right)];
        if (a === undefined || b === undefined) return undefined;
        return areRelated(subject.relation, a, b) ? 1n : 0n;
      }
      case "exists":
        return this.#exists(subject.condition);
      case "outcome":
        return this.#outcome(subject);
      default:
        return assertNever(subject);
    }
  }

  #exists(condition: ElementCondition): bigint | undefined {
    const values = findHeader(this.request.headers, condition.header) ?? [];
    const said = values.map(
      (value) =>
        condition.says(value) ??
        this.says(condition.of(constantSubject(value))),
    );
    if (said.includes(true)) return 1n;
    return said.includes(undefined) ? undefined : 0n;
  }

  #outcome({
    node,
    types,
    isOfElement,
  }: Extract<NumberSubject, { what: "outcome" }>): bigint | undefined {
    if (isOfElement) return undefined;
    const known = compiled.get(node);
    const made = known ?? compileExpression({ source: "", root: node, types });
    if (!known) compiled.set(node, made);
    const result = made.evaluate(this.request);
    if ("error" in result) return 2n;
    // False may be nil.
    if (!result.value && types.get(node)?.nullable) return undefined;
    return result.value ? 1n : 0n;
  }
}
