import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { diffRules, type Rule } from "../../../rules/src";
import { exampleRules } from "../../../rules/src/lint/set/lint";
import { plain } from "../../../rules/src/report/describe/block";
import { describeChange } from "../../../rules/src/report/describe/describe-diff";
import { allow, rule } from "./rule";

const effectOf = (before: Rule[], after: Rule[]) =>
  diffRules(before, after).effect;

const CRAWLER = "http.user_agent.is_crawler_bot";
const IOS = "sdk.platform.is_ios";
const curl = rule("curl", "http.user_agent.string startsWith 'curl/'");
const all = (action: "allow" | "deny" = "deny") =>
  rule("all", "true", { action });

/**
 * The blocks of `effects.txt`: what changes and the class of the effect, or the answers for
 * newly denied and newly allowed requests. The rules follow as in a diff: `-` before, `+`
 * after.
 */
const blocks = readFileSync(join(__dirname, "effects.txt"), "utf8")
  .split("\n\n")
  .map((block) => {
    const [head = "", ...lines] = block.trimEnd().split("\n");
    const [what = "", expected = ""] = head.split(" => ");
    const side = (other: string): Rule[] =>
      exampleRules(
        ...lines
          .filter((line) => line[0] !== other)
          .map((line) => line.slice(2)),
      ).map((one) => ({ status: "enabled", ...one }));
    return { what, expected, before: side("+"), after: side("-") };
  });

it.each(blocks)("the effect of $what: $expected", (block) => {
  const effect = effectOf(block.before, block.after);
  const { newlyDenied, newlyAllowed } = effect;
  expect(
    block.expected.includes(",")
      ? `${newlyDenied.answer}, ${newlyAllowed.answer}`
      : effect.class,
  ).toBe(block.expected);
});

describe("the effect", () => {
  it("comes with a request that shows it", () => {
    const { newlyDenied, newlyAllowed } = effectOf([], [curl]);
    expect(newlyAllowed).toEqual({ answer: "none" });
    if (newlyDenied.answer !== "found") expect.fail(newlyDenied.answer);
    expect(newlyDenied.request.userAgent).toMatch(/^curl\//);
  });

  it("of a step is measured after the steps before it", () => {
    const { changes, effect } = diffRules(
      [rule("old", IOS), all("allow")],
      [rule("new", IOS), all("allow")],
    );
    const classes = changes.map(({ kind, effect }) => [kind, effect.class]);
    expect(classes).toEqual([
      ["removed", "narrows"],
      ["added", "broadens"],
    ]);
    expect(effect.class).toBe("none");
  });
});

describe("the effect next to an invalid rule", () => {
  const unreadable = rule("x", "http.request.asn == 64512");
  const half = (before: Rule[], after: Rule[]) => {
    const { newlyDenied, newlyAllowed } = effectOf(before, after);
    return [newlyDenied.answer, newlyAllowed.answer];
  };

  it("is certain for a move in front of that rule", () => {
    const deny = rule("d", CRAWLER);
    const one = allow("a", IOS);
    const other = allow("b", "sdk.platform.is_browser");
    const classes = [
      diffRules([deny, one, unreadable], [one, deny, unreadable]),
      diffRules([deny, one, other, unreadable], [one, other, deny, unreadable]),
    ].map(({ changes }) => changes.map(({ effect }) => effect.class));
    expect(classes).toEqual([["narrows"], ["narrows"]]);
  });

  it.each([
    ["before it", [curl, unreadable], "none"],
    ["behind it", [unreadable, curl], "none"],
  ])(
    "is not reported as found for a deny rule added %s",
    (_, after, allowed) => {
      const [change] = diffRules([unreadable], after).changes;
      expect(change?.effect.newlyDenied.answer).toBe("cannot tell");
      expect(change?.effect.newlyAllowed.answer).toBe(allowed);
    },
  );

  it("counts what that rule may let through", () => {
    const rules = [{ ...unreadable, action: "allow" as const }, all()];
    expect(half(rules, [curl, ...rules])).toEqual(["cannot tell", "none"]);
  });

  const ask = { ...curl, action: "ask" as Rule["action"] };
  const shadow = { ...curl, status: "shadow" as Rule["status"] };
  const trial = { ...curl, status: "trial" as Rule["status"] };
  const off = { ...curl, status: "disabled" as const };

  it.each<[Rule[], Rule[], isKnown?: true]>([
    [[], [ask]],
    [[all()], [ask, all()]],
    [[all("allow")], [ask, all("allow")]],
    [[ask], [curl]],
    [[all(), ask], [all()], true],
    [[], [shadow]],
    [[shadow], []],
    [[curl], [shadow]],
    [[off], [shadow]],
    [[shadow], [trial]],
    [[shadow], [shadow], true],
    [[all(), shadow], [all()], true],
  ])(
    "is unknown for an action or status that only the service knows: %j, %j",
    (before, after, isKnown) => {
      const answer = isKnown ? "none" : "cannot tell";
      expect(half(before, after)).toEqual([answer, answer]);
    },
  );

  it("is shown for a status that only the service knows", () => {
    const { changes, effect } = diffRules([curl], [shadow]);
    expect(effect.class).toBe("cannot tell");
    expect(changes.map((change) => plain(describeChange(change)))).toEqual([
      "status shadow",
    ]);
  });
});
