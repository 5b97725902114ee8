import { assertNever } from "../../assert-never";
import {
  compileExpression,
  printExpression,
  type CheckedExpression,
  type RuleRequest,
} from "../expression";
import {
  all,
  fails,
  findRequest,
  matches,
  type FoundRequest,
} from "../reasoning";
import { headerOf } from "./header-read";
import type { Lint } from "./lint";
import type { LintedRule } from "./linted-rule";
import { sentHeaders } from "./sent-headers";
import {
  isElement,
  leastLength,
  withoutFailures,
  type Element,
} from "./without-failures";

/** Conditions that read what a request need not have. */
export const mayFail: Lint = {
  code: "may-fail",
  severity: "warning",
  doc: "The condition reads a value that a request need not have, such as the first one of a header.",
  detail:
    "Reading it fails then, and a rule that fails does not match (docs/assumptions.md, A40). It is a warning where such a request would match if a missing value just differed from every other, as with `!=`, and a note where it would not match anyway, as with `==`.",
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
  find: (rule) => {
    const { nodes, expression } = rule;
    if (!nodes.some(({ node }) => isElement(node, expression.types))) return [];
    const fail = all(fails(expression), sentHeaders(rule));
    const filled = withoutFailures(rule);
    const missed: FoundRequest = filled
      ? findRequest(all(fail, matches(filled)))
      : { answer: "cannot tell" };
    const failing = missed.answer === "found" ? missed : findRequest(fail);
    if (failing.answer !== "found") return [];
    const { request } = failing;
    const element = failingElement(rule, request);
    if (!element) return [];
    const found = { span: element.span, request };
    const without = `a request without ${nameOf(element, expression)}`;
    const least = leastLength(element.property);
    const guard =
      least === undefined
        ? "make sure first that it is there"
        : `ask for len(${printExpression(element.object)}) > ${least} first`;
    const text = filled && printExpression(filled.root);
    switch (missed.answer) {
      case "found":
        return [
          {
            ...found,
            severity: "warning",
            message: `${without} makes this fail, and is not ${VERB[rule.rule.action]} here`,
            fix: `if it shall be, write ${text}; if not, ${guard}`,
          },
        ];
      case "none":
        return [
          {
            ...found,
            severity: "note",
            message: `${without} makes this fail; it is not matched, as is probably meant`,
            fix: `write ${text}`,
          },
        ];
      case "cannot tell":
        return [
          {
            ...found,
            severity: "note",
            message: `${without} makes this fail, and is not matched`,
            fix: guard,
          },
        ];
      default:
        return assertNever(missed);
    }
  },
};

const VERB = { allow: "allowed", deny: "denied" };

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
