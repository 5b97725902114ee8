import type { Rule } from "../../../rules/src";
import { allow, rule } from "./rule";

/** A realistic set of many rules: shops, networks, agents, versions, in turn. */
export function manyRules(count: number): Rule[] {
  return Array.from({ length: count }, (_, i) => {
    const name = `rule-${i}`;
    const origin = `http.request.headers['Origin'][0]`;
    const kinds = [
      () => allow(name, `${origin} == 'https://shop-${i}.example'`),
      () =>
        rule(name, `http.request.ip in cidr('10.${i % 256}.${i >> 8}.0/24')`),
      () => rule(name, `http.user_agent.string contains 'agent-${i}'`),
      () => allow(name, `sdk.platform.is_ios && sdk.version == '3.${i}.0'`),
      () =>
        rule(
          name,
          `${origin} in ['https://a-${i}.example', 'https://b-${i}.example'] || sdk.platform.app_package_name startsWith 'com.spam${i}.'`,
        ),
    ];
    return kinds[i % kinds.length]?.() ?? rule(name);
  });
}

/** The same set with twenty changes of all kinds, spread over the set. */
export function manyRulesChanged(rules: readonly Rule[]): Rule[] {
  const changed = [...rules];
  const at = (part: number) => Math.floor((rules.length * part) / 20);
  for (let part = 0; part < 16; part++) {
    const place = at(part) + 1;
    const old = changed[place];
    if (!old) continue;
    if (part % 4 === 0) changed[place] = { ...old, status: "disabled" };
    if (part % 4 === 1)
      changed[place] = {
        ...old,
        expression: `${old.expression} || http.user_agent.string == 'x${part}'`,
      };
    if (part % 4 === 2)
      changed[place] = { ...old, name: `${old.name}-renamed`, action: "deny" };
    if (part % 4 === 3)
      changed.splice(at(part + 4), 0, ...changed.splice(place, 1));
  }
  return changed;
}
