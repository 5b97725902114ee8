import {
  diffRules,
  type Rule,
  diffOnEvents,
  type MeasuredOutcomes,
} from "@devid/rules";
import { expect, it } from "vitest";

const rule = (name: string, platform: string, action: Rule["action"]) => ({
  ...{ name, action, status: "enabled" as const },
  expression: `sdk.platform.is_${platform}`,
});

/** Names of the rules in force and of the proposed rules of each measurement. */
async function measured(before: readonly Rule[], after: readonly Rule[]) {
  const asked: string[] = [];
  const number = (value: number) => ({ value });
  const found = await diffOnEvents(before, diffRules(before, after), (sets) => {
    const [was, is] = [sets.inForce, sets.proposed].map((rules) =>
      rules.map(({ name }) => name).join(" "),
    );
    asked.push(`${was} -> ${is}`);
    return Promise.resolve({
      range: { start: "2026-10-01T00:00:00Z", end: "2026-10-02T00:00:00Z" },
      events: 9,
      total: {
        newlyDenied: number(asked.length),
        newlyAllowed: number(0),
        cannotTell: number(0),
      },
    } satisfies MeasuredOutcomes);
  });
  return { asked, denied: found.changes.map((one) => one.newlyDenied), found };
}

it("measures all changes together, and each change that may change a decision", async () => {
  const phones = rule("phones", "ios", "allow");
  const web = rule("web", "js", "deny");
  const android = rule("android", "android", "deny");
  const { asked, denied, found } = await measured(
    [web],
    [android, web, phones],
  );
  expect(asked).toEqual(["web -> android web phones", "web -> android web"]);
  expect(denied).toEqual([2, 0]);
  expect(found.total.newlyDenied).toBe(1);
});

it("measures a single change only once", async () => {
  const { asked, denied } = await measured([], [rule("web", "js", "deny")]);
  expect(asked).toEqual([" -> web"]);
  expect(denied).toEqual([1]);
});
