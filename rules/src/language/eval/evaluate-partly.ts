import type { Field } from "../tables/fields";
import { fieldNamed, operatorsOf, rowOf } from "../tables/lookup";
import { findHeader, isCanonicalHeaderName } from "../request/header-names";
import {
  type PartialRuleRequest,
  type RuleRequest,
  UNKNOWN,
} from "../request/rule-request";
import { childrenOf, type Node, postOrder } from "../syntax/ast";
import { quote } from "../syntax/print-expression";
import type { ExpressionProblem } from "../syntax/problem";
import type { ValueType } from "../types/value-type";
import { nestedQuantifiers } from "./nested-quantifiers";
import type { EvaluationResult, PartialResult, Parts, Run } from "./evaluation";

/** The results that an evaluation may have, over all values of the unknown parts. */
interface Outcome {
  readonly canBeTrue: boolean;
  readonly canBeFalse: boolean;
  readonly canFail: boolean;
  readonly unknown: readonly string[];
  readonly error?: ExpressionProblem;
}

type RunPartly = (request: PartialRuleRequest) => Outcome;

/**
 * Evaluates an expression for requests of which parts are unknown. `&&`, `||`, `!`
 * and `? :` combine the possible results of their operands. Any other operand is
 * evaluated as usual if all that it reads is known, and may otherwise have any
 * result.
 */
export class PartialCompiler {
  readonly #run: RunPartly;
  /** Whether the expression is evaluated as a whole: how far nested quantifiers go is counted over all of it. */
  readonly #isWhole: boolean;

  constructor(
    root: Node,
    private readonly parts: Parts,
    private readonly evaluateWhole: (
      run: Run,
      request: RuleRequest,
    ) => EvaluationResult,
  ) {
    this.#isWhole = nestedQuantifiers(root).length > 0;
    const runs = new Map<Node, RunPartly>();
    // Children come before their parents, so their closures are ready.
    const of = (node: Node) => runs.get(node) ?? this.#atom(node);
    for (const { node } of this.#logicOf(root))
      runs.set(node, this.#compile(node, of));
    this.#run = of(root);
  }

  evaluate(request: PartialRuleRequest): PartialResult {
    const outcome = this.#run(request);
    if (!outcome.canBeTrue)
      return outcome.canBeFalse || !outcome.error
        ? { value: false }
        : { error: outcome.error };
    return outcome.canBeFalse || outcome.canFail
      ? { unknown: [...new Set(outcome.unknown)] }
      : { value: true };
  }

  /** The logical nodes at the top of the tree, and the operands below them. */
  #logicOf(root: Node) {
    const inLogic = new Set([root]);
    const order = postOrder(root);
    for (const { node } of [...order].reverse())
      if (inLogic.has(node) && this.#isLogic(node))
        for (const child of childrenOf(node)) inLogic.add(child);
    return order.filter(({ node }) => inLogic.has(node));
  }

  /** Whether a node combines plain booleans. A node with an operand that may be nil is evaluated as a whole. */
  #isLogic(node: Node): boolean {
    if (this.#isWhole) return false;
    const isConnective =
      node.kind === "logical" ||
      (node.kind === "unary" && node.operator === "!") ||
      (node.kind === "conditional" &&
        this.parts.typeOf(node).kind === "boolean");
    const isPlain = ({ kind, nullable }: { kind: string; nullable: boolean }) =>
      kind === "boolean" && !nullable;
    return (
      isConnective &&
      childrenOf(node).every((child) => isPlain(this.parts.typeOf(child)))
    );
  }

  #compile(node: Node, of: (child: Node) => RunPartly): RunPartly {
    if (!this.#isLogic(node)) return this.#atom(node);
    if (node.kind === "logical") {
      const operands = node.operands.map(of);
      const { decides } = rowOf(operatorsOf.logical, node.operator);
      return (request) => logical(operands, decides, request);
    }
    if (node.kind === "unary") {
      const operand = of(node.operand);
      return (request) => {
        const outcome = operand(request);
        const { canBeTrue, canBeFalse } = outcome;
        return { ...outcome, canBeTrue: canBeFalse, canBeFalse: canBeTrue };
      };
    }
    if (node.kind !== "conditional") return this.#atom(node);
    const condition = of(node.condition);
    const consequent = of(node.consequent ?? node.condition);
    const alternate = of(node.alternate);
    return (request) => {
      const first = condition(request);
      return union([
        { ...first, canBeTrue: false, canBeFalse: false },
        ...(first.canBeTrue ? [consequent(request)] : []),
        ...(first.canBeFalse ? [alternate(request)] : []),
      ]);
    };
  }

  #atom(node: Node): RunPartly {
    const { typeOf, runOf } = this.parts;
    const needs = needsOf(node, typeOf);
    const run = runOf(node);
    return (request) => {
      const unknown = needs.unknownIn(request);
      if (unknown.length > 0)
        return {
          canBeTrue: true,
          canBeFalse: true,
          canFail: needs.canFail,
          unknown,
        };
      // The evaluation reads no unknown part of the request.
      const result = this.evaluateWhole(run, request as RuleRequest);
      const error = "error" in result ? result.error : undefined;
      const value = "value" in result && result.value;
      return {
        canBeTrue: value,
        canBeFalse: !value && !error,
        canFail: !!error,
        unknown: [],
        error,
      };
    };
  }
}

function logical(
  operands: readonly RunPartly[],
  decides: boolean,
  request: PartialRuleRequest,
): Outcome {
  const outcomes: Outcome[] = [];
  let goesOn = true;
  for (const [i, operand] of operands.entries()) {
    const outcome = operand(request);
    const isLast = i === operands.length - 1;
    goesOn = decides ? outcome.canBeFalse : outcome.canBeTrue;
    // A result that does not settle the chain leaves it to the next operand.
    const keep =
      isLast || !goesOn
        ? {}
        : decides
          ? { canBeFalse: false }
          : { canBeTrue: false };
    outcomes.push({ ...outcome, ...keep });
    if (!goesOn) break;
  }
  return union(outcomes);
}

function union(outcomes: readonly Outcome[]): Outcome {
  return {
    canBeTrue: outcomes.some(({ canBeTrue }) => canBeTrue),
    canBeFalse: outcomes.some(({ canBeFalse }) => canBeFalse),
    canFail: outcomes.some(({ canFail }) => canFail),
    unknown: outcomes.flatMap(({ unknown }) => unknown),
    error: outcomes.find(({ error }) => error)?.error,
  };
}

/** The parts of a request that an expression reads. */
export interface Needs {
  /** The names of the parts that it reads and that are unknown in a request, in the order of the source. */
  readonly unknownIn: (request: PartialRuleRequest) => string[];
  /** Whether its evaluation may fail; false if it certainly does not. */
  readonly canFail: boolean;
}

/** The parts of a request that a node and its children read. */
export function needsOf(root: Node, typeOf: (node: Node) => ValueType): Needs {
  const nodes = postOrder(root).map(({ node }) => node);
  const headerNames = new Map<Node, string>();
  for (const node of nodes) {
    if (node.kind === "member" && node.property.kind === "string")
      headerNames.set(node.object, node.property.value);
    if (node.kind === "binary" && node.operator === "in")
      if (node.left.kind === "string")
        headerNames.set(node.right, node.left.value);
  }
  const reads = nodes.flatMap((node) => {
    const field = fieldNamed(typeOf(node).name ?? "");
    return field ? [{ field, header: headerNames.get(node) }] : [];
  });
  return {
    unknownIn: (request) => [
      ...new Set(reads.flatMap((read) => unknownOf(request, read))),
    ],
    canFail:
      nestedQuantifiers(root).length > 0 ||
      nodes.some(
        (node) =>
          typeOf(node).nullable ||
          (node.kind === "member" && typeOf(node.object).kind === "list"),
      ),
  };
}

function unknownOf(
  request: PartialRuleRequest,
  { field, header }: { field: Field; header: string | undefined },
): string[] {
  if (field.type !== "headers")
    return request[field.from] === UNKNOWN ? [field.name] : [];
  const { headers, otherHeaders, notSent } = request;
  const areOthersUnknown = otherHeaders === "unknown" || headers === UNKNOWN;
  if (header === undefined) {
    const isKnown =
      !areOthersUnknown && !Object.values(headers).includes(UNKNOWN);
    return isKnown ? [] : [field.name];
  }
  const values = headers === UNKNOWN ? undefined : findHeader(headers, header);
  // A header under another name than its canonical one is never sent.
  const isKnown =
    values === undefined
      ? !areOthersUnknown ||
        notSent?.has(header) ||
        !isCanonicalHeaderName(header)
      : values !== UNKNOWN;
  return isKnown ? [] : [`${field.name}[${quote(header)}]`];
}
