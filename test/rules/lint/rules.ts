import type { Rule } from "@devid/rules";

/**
 * Rules named `a`, `b` and so on; each text has an action, perhaps `off`, and an
 * expression.
 */
export function rulesOf(...texts: readonly string[]): Rule[] {
  return texts.map((text, i) => {
    const [, action, off, expression = ""] =
      /^(allow|deny) (off )?(.*)$/s.exec(text) ?? [];
    return {
      name: String.fromCharCode(97 + i),
      action: action === "allow" ? "allow" : "deny",
      status: off ? "disabled" : "enabled",
      expression,
    };
  });
}
