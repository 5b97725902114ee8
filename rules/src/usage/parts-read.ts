import {
  checkExpression,
  findHeader,
  UNKNOWN,
  type CheckedExpression,
  type PartialRuleRequest,
} from "../language";
import { coreOf } from "../core/lower";
import { readsOf, type Read } from "../language/eval/evaluate-partly";
import type { Told } from "../language/request/event-fields";
import { quote } from "../language/syntax/print-expression";

import type { Rule } from "../rule-set/rule";

/** A part of a request that an expression reads, by the name that expressions give it. */
export interface PartRead extends Read {
  readonly name: string;
}

/** The parts of a request that an expression reads, each once. */
export function partsRead(expression: CheckedExpression): PartRead[] {
  const parts = new Map<string, PartRead>();
  for (const read of readsOf(coreOf(expression))) {
    const { field, header } = read;
    const name =
      header === undefined ? field.name : `${field.name}[${quote(header)}]`;
    parts.set(name, { ...read, name });
  }
  return [...parts.values()];
}

/** A member of an event that tells something of its request. */
export type RequestMember = Exclude<keyof Told, "url">;

/**
 * The members of events that tell what the expressions of rules read. A rule whose
 * expression has a mistake reads nothing.
 */
export function membersRead(rules: readonly Rule[]): Set<RequestMember> {
  const members = new Set<RequestMember>();
  for (const { expression } of rules) {
    const checked = checkExpression(expression);
    for (const part of checked.ok ? partsRead(checked.expression) : [])
      for (const member of membersOf(part)) members.add(member);
  }
  return members;
}

function membersOf({ field, header }: Read): readonly RequestMember[] {
  switch (field.from) {
    case "appPackageName":
      return ["package_name", "bundle_id", "sdk"];
    case "headers":
      // Of all headers, some stay unknown, whatever an event tells.
      return header === "Origin"
        ? ["origin"]
        : header === "User-Agent"
          ? ["user_agent"]
          : [];
    case "ip":
      return ["ip_address"];
    case "isAiBot":
    case "isCrawlerBot":
    case "userAgent":
      return ["user_agent"];
    case "sdkPlatform":
    case "sdkVersion":
      return ["sdk"];
  }
}

/** What a request has in a part; `UNKNOWN` where it does not tell that, undefined where it has none. */
export function valueOfPart(
  request: PartialRuleRequest,
  { field, header }: Read,
): unknown {
  if (field.type !== "headers") return request[field.from];
  const { headers, otherHeaders, notSent } = request;
  const isOpen = otherHeaders === "unknown";
  if (headers === UNKNOWN || (header === undefined && isOpen)) return UNKNOWN;
  if (header === undefined) return Object.keys(headers).join();
  const values = findHeader(headers, header);
  if (values === undefined)
    return isOpen && !notSent?.has(header) ? UNKNOWN : undefined;
  return values === UNKNOWN ? values : values.join();
}
