import {
  checkExpression,
  compileExpression,
  printExpression,
  type CheckedExpression,
  type RuleRequest,
} from "../language";
import {
  all,
  allows,
  any,
  fails,
  matches,
  meetsCondition,
  not,
  passes,
} from "../solver/condition";
import { findRequest } from "../solver/find-request";
import { headerOf } from "./header-read";
import type { Lint } from "./lint";
import { isImpossible, type LintedRule, type LintedSet } from "./linted-set";
import { sentHeaders } from "./sent-headers";
import {
  isElement,
  leastLength,
  withoutFailures,
  type Element,
} from "./without-failures";

/** Conditions that fail where it makes a difference. */
export const mayFail: Lint = {
  code: "may-fail",
  severity: "warning",
  doc: "A value that a request lacks makes the condition fail, and so the rules decide otherwise than they say.",
  detail:
    "Reading the first value of a header fails where there is none, and a rule that fails does not match (docs/assumptions.md, A40). Mostly that is right: `http.request.headers['Origin'][0] == 'https://shop.example'` does not match a request without an Origin, and nothing is said of it. A finding means that such a request gets through, or is denied, against what the condition says if a missing value differs from every other: with `!=`, with `!(... == ...)`, and with `... == ... || b` where `b` holds. Where the other rules decide the request the same, there is none. Of the two fixes the first takes a missing value for a different one, be the header not sent or sent without a value, and changes nothing else; the second changes no decision and shows what happens.",
  example: {
    found: [
      {
        name: "other-sites",
        expression:
          "http.request.headers['Origin'][0] != 'https://shop.example'",
        action: "deny",
      },
    ],
    fixed: [
      {
        name: "other-sites",
        expression:
          "none(http.request.headers['Origin'], # == 'https://shop.example')",
        action: "deny",
      },
    ],
  },
  of: "rule",
  find: (rule, set) => {
    const { nodes, expression } = rule;
    if (!nodes.some(({ node }) => isElement(node, expression.types))) return [];
    const filled = withoutFailures(rule);
    if (!filled) return [];
    const request = wronglyDecided(rule, filled, set);
    const element = request && failingElement(rule, request);
    if (!element) return [];
    const isDeny = rule.rule.action === "deny";
    const [verb, decided] = isDeny
      ? ["be denied", "gets through"]
      : ["get through", "is denied"];
    return [
      {
        span: element.span,
        request,
        message: `a request without ${nameOf(element, expression)} makes this fail, and ${decided}`,
        fix: `if it shall ${verb}, write ${printExpression(filled.root)}; if not, ${guard(rule, element)}`,
      },
    ];
  },
};

/**
 * A request that a rule fails on and would match, were the value that it lacks
 * just another one, if that changes what the whole set decides; the rule counts
 * as enabled.
 */
function wronglyDecided(
  rule: LintedRule,
  filled: CheckedExpression,
  set: LintedSet,
): RuleRequest | undefined {
  const [before, after] = [set.before(rule), set.after(rule)];
  if (set.isUnknownBefore(rule) || !after) return undefined;
  const isDeny = rule.rule.action === "deny";
  const lastDeny = after.findLast((other) => other.rule.action === "deny");
  if (!isDeny && !lastDeny) return undefined;
  const missed = all(
    fails(rule.expression),
    matches(filled),
    sentHeaders(rule),
  );
  const counts = all(
    missed,
    passes(before),
    isDeny ? allows(after) : not(allows(after)),
  );
  // The last one to deny is often the widest.
  const guess = findRequest(
    isDeny || !lastDeny ? missed : all(missed, matches(lastDeny.expression)),
  );
  if (guess.answer === "found" && meetsCondition(counts, guess.request))
    return guess.request;
  if (guess.answer === "none" && isDeny) return undefined;
  if (before.length + after.length > MAX_SEARCHED) return undefined;
  const found = findRequest(counts);
  return found.answer === "found" ? found.request : undefined;
}

/** Most other rules among which a request is searched for, one more for each rule that may fail. */
const MAX_SEARCHED = 200;

/** How a rule says itself that it does not match where an element is missing. */
function guard({ expression }: LintedRule, { object, property }: Element) {
  const least = leastLength(property);
  if (least === undefined) return "make sure first that it is there";
  const isThere = `len(${printExpression(object)}) > ${least}`;
  const guarded = checkExpression(`${isThere} && (${expression.source}\n)`);
  if (!guarded.ok || !matchSame(expression, guarded.expression))
    return `ask for ${isThere} before it is read`;
  return `write ${printExpression(guarded.expression.root)}`;
}

/** Whether two expressions surely match the same requests. */
function matchSame(one: CheckedExpression, other: CheckedExpression): boolean {
  return isImpossible(
    any(
      all(matches(one), not(matches(other))),
      all(matches(other), not(matches(one))),
    ),
  );
}

/** The element that is missing where a request makes a rule fail; undefined where it is something else that fails. */
function failingElement(
  { nodes, expression }: LintedRule,
  request: RuleRequest,
): Element | undefined {
  const result = compileExpression(expression).evaluate(request);
  if (!("error" in result)) return undefined;
  const { offset, length } = result.error;
  return nodes
    .map(({ node }) => node)
    .filter((node) => isElement(node, expression.types))
    .find(({ span }) => span.offset === offset && span.length === length);
}

function nameOf(element: Element, { types }: CheckedExpression): string {
  const header = headerOf(element.object, types);
  const { property } = element;
  const isFirst = property.kind === "integer" && property.value === 0n;
  return header !== undefined && isFirst
    ? `the header ${header}`
    : printExpression(element);
}
