import type { Node, NodeOf } from "../language";
import { canonicalHeaderName } from "../language/header-names";
import { numberWithin, type Formula } from "./formula";
import { hasElement } from "./header-formula";
import {
  always,
  combine,
  FAILS,
  truth,
  type Meaning,
  type Operand,
} from "./meaning";
import { only } from "./ranges";
import { elementSubject, fieldSubject, flagSubject } from "./subject";
import { isOneOf } from "./text-formula";

/** Farthest place in a list that is told apart. */
const MAX_INDEX = 2n ** 32n;

/** The meaning of `object.property` and `object[property]`; undefined where it cannot be told. */
export function memberMeaning(
  { object, property }: NodeOf<"member">,
  of: (node: Node) => Meaning | undefined,
  field: string | undefined,
): Meaning | undefined {
  if (field !== undefined) return fieldMeaning(field);
  const [list, key] = [of(object), of(property)];
  return list && key && combine([list, key], elementMeaning);
}

function fieldMeaning(name: string): Meaning {
  switch (name) {
    case "http.user_agent.is_ai_bot":
      return truth(numberWithin(flagSubject("isAiBot"), only(1n)));
    case "http.user_agent.is_crawler_bot":
      return truth(numberWithin(flagSubject("isCrawlerBot"), only(1n)));
    case "http.user_agent.string":
      return text("userAgent");
    case "http.request.headers":
      return always({ kind: "headers" });
    case "http.request.ip":
      return always({ kind: "ip" });
    case "sdk.platform.name":
      return text("sdkPlatform");
    case "sdk.version":
      return text("sdkVersion");
    case "sdk.platform.app_package_name":
      return text("appPackageName");
    case "sdk.platform.is_android":
      return truth(isPlatform("android"));
    case "sdk.platform.is_browser":
      return truth(isPlatform("js"));
    case "sdk.platform.is_ios":
      return truth(isPlatform("ios"));
    case "sdk.platform.is_unknown":
      return truth(isPlatform("unknown"));
    default:
      return always({ kind: "group" });
  }
}

function text(field: Parameters<typeof fieldSubject>[0]): Meaning {
  return always({ kind: "text", subject: fieldSubject(field) });
}

function isPlatform(...names: string[]): Formula {
  return isOneOf(fieldSubject("sdkPlatform"), names);
}

function elementMeaning(list: Operand, key: Operand): Meaning | undefined {
  const at = key.kind === "constant" ? key.value : undefined;
  if (list.kind === "headers")
    return typeof at === "string"
      ? always({ kind: "header", name: canonicalHeaderName(at) })
      : undefined;
  if (at === null) return FAILS;
  if (list.kind === "constant") return FAILS;
  if (typeof at !== "bigint") return undefined;
  if (at > MAX_INDEX || at < -MAX_INDEX) return FAILS;
  if (list.kind === "list") {
    const element = list.elements.at(Number(at));
    return element ? always(element) : FAILS;
  }
  if (list.kind !== "header") return undefined;
  const subject = elementSubject(list.name, Number(at));
  return always({ kind: "text", subject }, hasElement(list.name, at));
}
