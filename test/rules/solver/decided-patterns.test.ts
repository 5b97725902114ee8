import { expect, it } from "vitest";
import { diffRules, type Rule } from "../../../rules/src";

const rule = (pattern: string): Rule => ({
  name: "old-browsers",
  expression: `http.user_agent.string matches '${pattern}'`,
  action: "deny",
  status: "enabled",
  denyWith: undefined,
});

it.each([
  [
    String.raw`Chrome/([1-9]|[1-7][0-9])\\.`,
    String.raw`Chrome/([1-9]|[1-9][0-9]|1[0-2][0-9])\\.`,
    "broadens",
  ],
  [
    String.raw`Chrome/[89]\d\\.`.replace("\\d", "\\\\d"),
    String.raw`Chrome/[6-9][0-9]\\.`,
    "broadens",
  ],
  [String.raw`^v[a-f]$`, String.raw`^v[abc]$`, "narrows"],
  [String.raw`Firefox/[1-5]\\.`, String.raw`Firefox/[3-9]\\.`, "both"],
  [String.raw`Edg/[0-9]`, String.raw`Edg/\\d`, "none"],
])(
  "a change from %s to %s has the right effect: it %s",
  (before, after, expected) => {
    const { effect } = diffRules([rule(before)], [rule(after)]);
    expect(effect.class).toBe(expected);
  },
);
