import {
  checkExpression,
  compileExpression,
  isInNetwork,
  parseIp,
  parseNetwork,
  type IpNetwork,
} from "@devid/rules";
import { compileExpression as compileFiltrex } from "filtrex";
import { Jexl } from "jexl";
import type { ExpressionCase } from "./expression-cases";
import type { WholeRequest } from "./request-corpus";

/** Whether a rule is true for a request. A rule that fails is false. */
export type Predicate = (request: WholeRequest) => boolean;

/** A language for rules, and its compiler. Each rule is compiled once. */
export interface ExpressionLanguage {
  readonly name: string;
  readonly compile: (one: ExpressionCase) => Predicate;
}

/**
 * Functions that the others lack, in their fastest form: our code for networks,
 * patterns compiled once.
 */
const FUNCTIONS = {
  contains: (text: string, part: string) => text.includes(part),
  startsWith: (text: string, part: string) => text.startsWith(part),
  endsWith: (text: string, part: string) => text.endsWith(part),
  has: (headers: WholeRequest["headers"], name: string) =>
    Object.hasOwn(headers, name),
  first: (headers: WholeRequest["headers"], name: string) => headers[name]?.[0],
  inNetwork: (ip: string, network: string) => {
    const address = parseIp(ip);
    const known = networkOf(network);
    return !!address && !!known && isInNetwork(address, known);
  },
  matchesFolded: (text: string, pattern: string) =>
    patternOf(pattern).test(text),
};

const networkOf = once((text): IpNetwork | undefined => parseNetwork(text));
const patternOf = once((text) => new RegExp(text, "i"));

/**
 * Our language and three well-known languages of JavaScript, each in the fastest form
 * of its documentation.
 */
export async function expressionLanguages(): Promise<ExpressionLanguage[]> {
  return [ours(), await cel(), filtrex(), jexl()];
}

function ours(): ExpressionLanguage {
  return {
    name: "devid",
    compile: ({ devid }) => {
      const checked = checkExpression(devid);
      if (!checked.ok) throw new Error(checked.problems[0]?.message);
      const compiled = compileExpression(checked.expression);
      return (request) => {
        const result = compiled.evaluate(request);
        return "value" in result && result.value;
      };
    },
  };
}

/** With types for all variables. This is more than twice as fast as without types. */
async function cel(): Promise<ExpressionLanguage> {
  // This package can only be imported, not required.
  const { Environment } = await import("@marcbachmann/cel-js");
  const environment = new Environment()
    .registerVariable("headers", "map<string, list<string>>")
    .registerVariable("isAiBot", "bool")
    .registerVariable("isCrawlerBot", "bool");
  for (const name of [
    "ip",
    "userAgent",
    "sdkPlatform",
    "sdkVersion",
    "appPackageName",
  ])
    environment.registerVariable(name, "string");
  for (const name of ["inNetwork", "matchesFolded"] as const)
    environment.registerFunction(
      `${name}(string, string): bool`,
      FUNCTIONS[name],
    );
  return {
    name: "cel-js",
    compile: (one) => {
      const evaluate = environment.parse(one.cel);
      return (request) => evaluate(request) === true;
    },
  };
}

function filtrex(): ExpressionLanguage {
  return {
    name: "filtrex",
    compile: (one) => {
      const evaluate = compileFiltrex(one.filtrex, {
        extraFunctions: FUNCTIONS,
      });
      return (request) => evaluate(request) === true;
    },
  };
}

function jexl(): ExpressionLanguage {
  const language = new Jexl();
  language.addTransforms(FUNCTIONS);
  return {
    name: "jexl",
    compile: (one) => {
      const expression = language.compile(one.jexl);
      return (request) => expression.evalSync(request) === true;
    },
  };
}

function once<T>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>();
  return (text) => {
    const known = made.get(text) ?? make(text);
    made.set(text, known);
    return known;
  };
}
