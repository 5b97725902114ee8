import { KNOWN_USER_AGENTS } from "../../language/request/known-user-agents";
import { quote } from "../../language/syntax/print-expression";
import { USER_AGENT_PARTS } from "../../solver/realistic-texts";
import { isWhole, type ValueLint } from "./value-lint";

const SENT =
  "User agents spell their names one way, with a version and more around it (docs/assumptions.md, A105: the list crawler-user-agents; RFC 9110, 10.1.5). Letter case counts.";

/**
 * Names in user agents that rules look for, in their right spelling, with a user agent
 * that contains the name.
 */
const NAMES = new Map(
  KNOWN_USER_AGENTS.map(({ name, userAgent }) => [
    name.toLowerCase(),
    { name, userAgent },
  ]),
);

/** Kinds of values of a user agent. */
export const USER_AGENT_VALUES: readonly ValueLint[] = [
  {
    code: "user-agent-case",
    severity: "warning",
    doc: "The name of a user agent is looked for in another spelling than it has.",
    sent: SENT,
    of: USER_AGENT_PARTS,
    example: {
      action: "deny",
      found: "http.user_agent.string contains 'headlesschrome'",
      fixed: "http.user_agent.string contains 'HeadlessChrome'",
    },
    find({ operator, text, functions }) {
      const [, start = "", name = "", end = ""] =
        /^(\W*)([A-Za-z][\w-]*)(\W*)$/.exec(text) ?? [];
      const known = NAMES.get(name.toLowerCase());
      if (!known || operator === "==" || operator === "in") return undefined;
      const isOtherCase =
        functions.length === 0 && !known.userAgent.includes(name);
      if (!isOtherCase) return undefined;
      return {
        message: `it is spelt ${known.name}, as in ${quote(known.userAgent)}`,
        shows: known.userAgent,
        text: `${start}${known.name}${end}`,
      };
    },
  },
  {
    code: "user-agent-name-alone",
    severity: "warning",
    doc: "All of a user agent is compared with a name that is only a part of it.",
    sent: SENT,
    of: USER_AGENT_PARTS,
    example: {
      action: "deny",
      found: "http.user_agent.string == 'Googlebot'",
      fixed: "http.user_agent.string contains 'Googlebot'",
    },
    find(comparison) {
      const { text, subject, functions } = comparison;
      const known = NAMES.get(text.toLowerCase());
      if (!isWhole(comparison) || !known) return undefined;
      const name = functions.includes("lower")
        ? known.name.toLowerCase()
        : functions.includes("upper")
          ? known.name.toUpperCase()
          : known.name;
      return {
        message: `a user agent has more than a name, as ${quote(known.userAgent)} has`,
        shows: known.userAgent,
        comparison: `${subject} contains ${quote(name)}`,
      };
    },
  },
];
